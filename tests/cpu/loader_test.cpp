// SPDX-License-Identifier: Apache-2.0
// A Level Zero program like any other: linked to the loader, which finds this driver through
// ZE_ENABLE_ALT_DRIVERS. It knows nothing of the driver but the functions of specification 1.4.
#include <fstream>
#include <iterator>
#include <vector>

#include "xpu_test.h"

#include <level_zero/ze_api.h>

#define MUST(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

static struct {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_module_handle_t module;
} world;

static ze_result_t load_module() {
  const char* path = std::getenv("ZE_TEST_KERNELS");
  std::ifstream file(path ? path : "", std::ios::binary);
  const std::vector<char> spirv{std::istreambuf_iterator<char>(file), {}};
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
  return zeModuleCreate(world.context, world.device, &desc, &world.module, nullptr);
}

static int open_driver(void**) {
  uint32_t drivers = 1, devices = 1;
  const ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  return zeInit(ZE_INIT_FLAG_GPU_ONLY) || zeDriverGet(&drivers, &world.driver) ||
         zeDeviceGet(world.driver, &devices, &world.device) ||
         zeContextCreate(world.driver, &desc, &world.context) || load_module();
}

static int close_driver(void**) {
  return zeModuleDestroy(world.module) || zeContextDestroy(world.context);
}

static void kernels_copies_and_events_work_through_the_loader(void**) {
  const ze_device_mem_alloc_desc_t on_device = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0,
                                                0};
  const ze_command_queue_desc_t queue_desc = {
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  const ze_command_list_desc_t list_desc = {ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  const ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                          ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  const ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0,
                                      ZE_EVENT_SCOPE_FLAG_HOST, 0};
  const ze_fence_desc_t fence_desc = {ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  const ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "times"};
  void* data = nullptr;
  ze_command_queue_handle_t queue = nullptr;
  ze_command_list_handle_t list = nullptr;
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t event = nullptr;
  ze_fence_handle_t fence = nullptr;
  ze_kernel_handle_t kernel = nullptr;
  const uint32_t three = 3, four = 4;
  uint32_t result[8] = {};
  const ze_group_count_t groups = {8, 1, 1};
  MUST(zeMemAllocDevice(world.context, &on_device, sizeof result, 64, world.device, &data));
  MUST(zeCommandQueueCreate(world.context, world.device, &queue_desc, &queue));
  MUST(zeCommandListCreate(world.context, world.device, &list_desc, &list));
  MUST(zeEventPoolCreate(world.context, &pool_desc, 1, &world.device, &pool));
  MUST(zeEventCreate(pool, &event_desc, &event));
  MUST(zeFenceCreate(queue, &fence_desc, &fence));
  MUST(zeKernelCreate(world.module, &kernel_desc, &kernel));
  MUST(zeKernelSetGroupSize(kernel, 1, 1, 1));
  MUST(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
  MUST(zeKernelSetArgumentValue(kernel, 1, sizeof three, &three));

  MUST(zeCommandListAppendMemoryFill(list, data, &four, sizeof four, sizeof result, nullptr, 0,
                                     nullptr));
  MUST(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  MUST(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, nullptr));
  MUST(zeCommandListAppendMemoryCopy(list, result, data, sizeof result, nullptr, 1, &event));
  MUST(zeCommandListClose(list));
  MUST(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  MUST(zeFenceHostSynchronize(fence, UINT64_MAX));
  MUST(zeEventQueryStatus(event));

  assert_int_equal(result[0], 12);
  assert_int_equal(result[7], 12);
  MUST(zeKernelDestroy(kernel));
  MUST(zeFenceDestroy(fence));
  MUST(zeEventDestroy(event));
  MUST(zeEventPoolDestroy(pool));
  MUST(zeCommandListDestroy(list));
  MUST(zeCommandQueueDestroy(queue));
  MUST(zeMemFree(world.context, data));
}

static void an_immediate_list_works_through_the_loader(void**) {
  const ze_host_mem_alloc_desc_t on_host = {ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  const ze_command_queue_desc_t desc = {
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 1, 0, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  void* data = nullptr;
  ze_command_list_handle_t list = nullptr;
  const uint8_t pattern = 0x5a;
  MUST(zeMemAllocHost(world.context, &on_host, 64, 64, &data));
  MUST(zeCommandListCreateImmediate(world.context, world.device, &desc, &list));
  MUST(zeCommandListAppendMemoryFill(list, data, &pattern, 1, 64, nullptr, 0, nullptr));
  assert_int_equal(static_cast<uint8_t*>(data)[63], 0x5a);
  MUST(zeCommandListDestroy(list));
  MUST(zeMemFree(world.context, data));
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(kernels_copies_and_events_work_through_the_loader),
      cmocka_unit_test(an_immediate_list_works_through_the_loader),
  };
  return cmocka_run_group_tests(tests, open_driver, close_driver) ? 1 : 0;
}
