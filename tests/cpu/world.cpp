// SPDX-License-Identifier: Apache-2.0
// The driver opened once, and the short forms of the calls every test makes.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <mutex>
#include <vector>

// After the standard library: cmocka's macro fail() would rewrite its streams.
#include "world.h"
#include "ze_direct.h"

namespace world {

namespace {

[[noreturn]] void give_up(const char* what, const char* why) {
  std::fprintf(stderr, "cannot test: %s: %s\n", what, why);
  std::exit(1);
}

// Made at first use and kept until end().
struct {
  ze_module_handle_t module;
  ze_kernel_handle_t add, times, spin;
} kept;

}  // namespace

void* find(const char* name) {
  static const bool opened = [] {
    ze_open();
    return true;
  }();
  (void)opened;
  void* function = ze_function(name);
  if (!function) give_up(name, "the driver does not have it");
  return function;
}

ze_driver_handle_t driver() {
  (void)find("zeInit");
  return ze_direct().driver;
}

void good(ze_result_t result, const char* call, const char* file, int line) {
  if (result == ZE_RESULT_SUCCESS) return;
  print_error("%s answered 0x%x\n", call, static_cast<unsigned>(result));
  _fail(file, line);
}

ze_context_handle_t context() {
  (void)driver();
  return ze_direct().context;
}

ze_device_handle_t device(uint32_t index) {
  ze_device_handle_t all[16] = {};
  uint32_t count = 16;
  GOOD(ze(DeviceGet)(driver(), &count, all));
  assert_true(index < count);
  return all[index];
}

namespace {
void load_module() {
  const char* path = std::getenv("ZE_TEST_KERNELS");
  std::ifstream file(path ? path : "", std::ios::binary);
  const std::vector<char> spirv{std::istreambuf_iterator<char>(file), {}};
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
  if (ze(ModuleCreate)(context(), device(), &desc, &kept.module, nullptr)) {
    give_up("zeModuleCreate of the kernels in ZE_TEST_KERNELS", path ? path : "(not set)");
  }
}
}  // namespace

ze_module_handle_t module() {
  static std::once_flag once;
  std::call_once(once, load_module);
  return kept.module;
}

void end() {
  for (ze_kernel_handle_t k : {kept.add, kept.times, kept.spin}) {
    if (k) (void)ze(KernelDestroy)(k);
  }
  if (kept.module) (void)ze(ModuleDestroy)(kept.module);
  (void)ze(ContextDestroy)(context());
  kept = {};
}

uint32_t strict_reports() {
  static const auto count =
      reinterpret_cast<ze_result_t (*)(uint32_t*)>(find("zeCpuGetStrictReportCount"));
  uint32_t n = 0;
  GOOD(count(&n));
  return n;
}

uint32_t* words(size_t count, uint32_t value) {
  ze_device_mem_alloc_desc_t on_device = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_host_mem_alloc_desc_t on_host = {ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void* pointer = nullptr;
  GOOD(ze(MemAllocShared)(context(), &on_device, &on_host, count * sizeof(uint32_t), 64, device(),
                          &pointer));
  auto* out = static_cast<uint32_t*>(pointer);
  for (size_t i = 0; i < count; ++i) out[i] = value;
  return out;
}

void give_back(void* pointer) { GOOD(ze(MemFree)(context(), pointer)); }

ze_kernel_handle_t kernel(const char* name, uint32_t group_size) {
  ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t k = nullptr;
  GOOD(ze(KernelCreate)(module(), &desc, &k));
  GOOD(ze(KernelSetGroupSize)(k, group_size, 1, 1));
  return k;
}

void set_word(ze_kernel_handle_t kernel, uint32_t index, uint32_t value) {
  GOOD(ze(KernelSetArgumentValue)(kernel, index, sizeof value, &value));
}

void set_pointer(ze_kernel_handle_t kernel, uint32_t index, void* pointer) {
  GOOD(ze(KernelSetArgumentValue)(kernel, index, sizeof pointer, &pointer));
}

ze_command_list_handle_t immediate(uint32_t flags, uint32_t index, uint32_t ordinal,
                                   ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = ordinal;
  desc.index = index;
  desc.flags = flags;
  desc.mode = mode;
  ze_command_list_handle_t list = nullptr;
  GOOD(ze(CommandListCreateImmediate)(context(), device(), &desc, &list));
  return list;
}

ze_command_list_handle_t regular(uint32_t flags, uint32_t ordinal, bool is_mutable) {
  ze_mutable_command_list_exp_desc_t changes = {ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC,
                                                nullptr, 0};
  ze_command_list_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  desc.pNext = is_mutable ? &changes : nullptr;
  desc.commandQueueGroupOrdinal = ordinal;
  desc.flags = flags;
  ze_command_list_handle_t list = nullptr;
  GOOD(ze(CommandListCreate)(context(), device(), &desc, &list));
  return list;
}

ze_command_queue_handle_t queue(uint32_t index, uint32_t ordinal) {
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = ordinal;
  desc.index = index;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_queue_handle_t q = nullptr;
  GOOD(ze(CommandQueueCreate)(context(), device(), &desc, &q));
  return q;
}

ze_event_handle_t event(uint32_t pool_flags) {
  ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, pool_flags, 1};
  ze_event_pool_handle_t pool = nullptr;
  GOOD(ze(EventPoolCreate)(context(), &pool_desc, 0, nullptr, &pool));
  ze_event_desc_t desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                          ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t e = nullptr;
  GOOD(ze(EventCreate)(pool, &desc, &e));
  return e;
}

ze_event_handle_t counter_event(uint32_t flags) {
  ze_event_counter_based_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC;
  desc.flags = flags;
  ze_event_handle_t e = nullptr;
  GOOD(ze(EventCounterBasedCreate)(context(), device(), &desc, &e));
  return e;
}

void destroy_event(ze_event_handle_t event) {
  ze_event_pool_handle_t pool = nullptr;
  const bool pooled = ze(EventGetEventPool)(event, &pool) == ZE_RESULT_SUCCESS;
  GOOD(ze(EventDestroy)(event));
  if (pooled) GOOD(ze(EventPoolDestroy)(pool));
}

void launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups,
            ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  const ze_group_count_t count = {groups, 1, 1};
  GOOD(ze(CommandListAppendLaunchKernel)(list, kernel, &count, signal, wait_count, waits));
}

void launch_add(ze_command_list_handle_t list, uint32_t* data, uint32_t count, uint32_t value,
                ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  if (!kept.add) kept.add = kernel("add");
  const ze_kernel_handle_t k = kept.add;
  set_pointer(k, 0, data);
  set_word(k, 1, value);
  launch(list, k, count, signal, wait_count, waits);
}

void launch_times(ze_command_list_handle_t list, uint32_t* data, uint32_t count, uint32_t factor,
                  ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  if (!kept.times) kept.times = kernel("times");
  const ze_kernel_handle_t k = kept.times;
  set_pointer(k, 0, data);
  set_word(k, 1, factor);
  launch(list, k, count, signal, wait_count, waits);
}

void launch_spin(ze_command_list_handle_t list, uint32_t* data, uint32_t milliseconds,
                 ze_event_handle_t signal) {
  if (!kept.spin) kept.spin = kernel("spin");
  const ze_kernel_handle_t k = kept.spin;
  set_pointer(k, 0, data);
  // A round is a dependent multiply and add: about 1.2 ns on the machines of the day.
  set_word(k, 1, milliseconds * 800'000);
  launch(list, k, 1, signal);
}

void sync(ze_command_list_handle_t immediate) {
  GOOD(ze(CommandListHostSynchronize)(immediate, UINT64_MAX));
}

void run(ze_command_queue_handle_t queue, ze_command_list_handle_t list) {
  GOOD(ze(CommandQueueExecuteCommandLists)(queue, 1, &list, nullptr));
  GOOD(ze(CommandQueueSynchronize)(queue, UINT64_MAX));
}

uint64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace world
