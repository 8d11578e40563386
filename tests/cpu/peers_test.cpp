// SPDX-License-Identifier: Apache-2.0
// Devices that cannot reach each other's memory. Run with ZE_CPU_DEVICES=2 and
// ZE_CPU_WITHOUT=peer_access.
#include "xpu_test.h"
#include "ze_direct.h"

namespace {

ze_device_handle_t devices[2];
ze_command_list_handle_t lists[2];
void* memory[2];
void* host;
constexpr size_t kBytes = 64;

int set_up(void**) {
  uint32_t count = 2;
  ze_device_mem_alloc_desc_t on_device{};
  on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t on_host{};
  on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  ze_command_queue_desc_t queue{};
  queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  int failed = ZE(DeviceGet)(ze_direct().driver, &count, devices);
  failed |= ZE(MemAllocHost)(ze_direct().context, &on_host, kBytes, 8, &host);
  for (int i = 0; i < 2; i++) {
    failed |=
        ZE(MemAllocDevice)(ze_direct().context, &on_device, kBytes, 8, devices[i], &memory[i]);
    failed |= ZE(CommandListCreateImmediate)(ze_direct().context, devices[i], &queue, &lists[i]);
  }
  return failed;
}

int tear_down(void**) {
  int failed = ZE(MemFree)(ze_direct().context, host);
  for (int i = 0; i < 2; i++) {
    failed |= ZE(CommandListDestroy)(lists[i]);
    failed |= ZE(MemFree)(ze_direct().context, memory[i]);
  }
  return failed;
}

ze_result_t copy(int by, void* to, const void* from) {
  return ZE(CommandListAppendMemoryCopy)(lists[by], to, from, kBytes, nullptr, 0, nullptr);
}

void a_device_says_that_it_reaches_itself_alone(void**) {
  ze_bool_t other = 1, itself = 0;
  ze_device_p2p_properties_t p2p{};
  p2p.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES;
  p2p.flags = 7;
  assert_int_equal(ZE(DeviceCanAccessPeer)(devices[0], devices[1], &other), 0);
  assert_int_equal(ZE(DeviceCanAccessPeer)(devices[0], devices[0], &itself), 0);
  assert_int_equal(ZE(DeviceGetP2PProperties)(devices[0], devices[1], &p2p), 0);

  assert_int_equal(other, 0);
  assert_int_equal(itself, 1);
  assert_int_equal(p2p.flags, 0);
}

void a_copy_may_touch_memory_of_its_device_and_of_the_host(void**) {
  assert_int_equal(copy(0, memory[0], host), 0);
  assert_int_equal(copy(1, host, memory[1]), 0);
}

void a_copy_that_touches_memory_of_another_device_is_refused(void**) {
  assert_int_equal(copy(0, memory[1], memory[0]), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(copy(1, memory[1], memory[0]), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void so_is_a_fill(void**) {
  const uint32_t value = 7;
  assert_int_equal(ZE(CommandListAppendMemoryFill)(lists[0], memory[1], &value, sizeof value,
                                                   kBytes, nullptr, 0, nullptr),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

ze_result_t signal_of_pool_for(ze_device_handle_t device) {
  ze_event_pool_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  desc.count = 1;
  ze_event_desc_t of_pool{};
  of_pool.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t event = nullptr;
  ZE(EventPoolCreate)
  (ze_direct().context, &desc, device ? 1 : 0, device ? &device : nullptr, &pool);
  ZE(EventCreate)(pool, &of_pool, &event);
  const ze_result_t result = ZE(CommandListAppendSignalEvent)(lists[0], event);
  ZE(EventDestroy)(event);
  ZE(EventPoolDestroy)(pool);
  return result;
}

void strict_mode_knows_for_which_devices_events_are(void**) {
  assert_int_equal(signal_of_pool_for(devices[0]), 0);
  assert_int_equal(signal_of_pool_for(nullptr), 0);
  assert_int_equal(signal_of_pool_for(devices[1]), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_device_says_that_it_reaches_itself_alone),
      cmocka_unit_test(a_copy_may_touch_memory_of_its_device_and_of_the_host),
      cmocka_unit_test(a_copy_that_touches_memory_of_another_device_is_refused),
      cmocka_unit_test(so_is_a_fill),
      cmocka_unit_test(strict_mode_knows_for_which_devices_events_are),
  };
  return ze_close(cmocka_run_group_tests(tests, set_up, tear_down));
}
