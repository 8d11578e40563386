// SPDX-License-Identifier: Apache-2.0
// Devices and contexts. Run with ZE_CPU_DEVICES=3.
#include "xpu_test.h"
#include "ze_direct.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

namespace {

ze_device_handle_t devices[8];
uint32_t device_count = 8;

ze_device_properties_t properties(ze_device_handle_t device, ze_structure_type_t stype) {
  ze_device_properties_t p{};
  p.stype = stype;
  ZE(DeviceGetProperties)(device, &p);
  return p;
}

void as_many_devices_as_asked_for_each_its_own(void**) {
  assert_int_equal(ZE(DeviceGet)(ze_direct().driver, &device_count, devices), 0);

  assert_int_equal(device_count, 3);
  const ze_device_properties_t a = properties(devices[0], ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  const ze_device_properties_t b = properties(devices[1], ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  assert_memory_not_equal(&a.uuid, &b.uuid, sizeof a.uuid);
  assert_int_equal(a.type, ZE_DEVICE_TYPE_CPU);
  assert_true(strlen(a.name) > 0);
}

void memory_is_what_the_machine_has(void**) {
  ze_device_memory_properties_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  uint32_t count = 1;
  assert_int_equal(ZE(DeviceGetMemoryProperties)(ze_direct().device, &count, &memory), 0);

  const uint64_t reference =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  assert_true(memory.totalSize > reference / 100 * 99);
  assert_true(memory.totalSize < reference / 100 * 101);
}

void the_timer_unit_follows_the_structure_type(void**) {
  assert_int_equal(
      properties(ze_direct().device, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES).timerResolution, 1);
  assert_int_equal(
      properties(ze_direct().device, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2).timerResolution,
      1000000000);
}

void device_and_host_clock_are_one(void**) {
  uint64_t host = 0, ticks = 0;
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert_int_equal(ZE(DeviceGetGlobalTimestamps)(ze_direct().device, &host, &ticks), 0);
  clock_gettime(CLOCK_MONOTONIC, &after);

  const auto ns = [](const timespec& t) {
    return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
  };
  assert_true(host >= ns(before) && host <= ns(after));
  assert_true(ticks >= ns(before) && ticks <= ns(after));
}

void there_are_compute_queues_and_a_copy_queue(void**) {
  ze_command_queue_group_properties_t groups[4] = {};
  uint32_t count = 4;
  assert_int_equal(ZE(DeviceGetCommandQueueGroupProperties)(ze_direct().device, &count, groups), 0);

  assert_int_equal(count, 2);
  assert_true(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  assert_true(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  assert_true(groups[0].numQueues > 1);
  assert_int_equal(groups[1].flags, ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
}

void peers_can_access_each_other(void**) {
  ze_bool_t can = 0;
  ze_device_p2p_properties_t p2p{};
  p2p.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES;
  assert_int_equal(ZE(DeviceCanAccessPeer)(devices[0], devices[2], &can), 0);
  assert_int_equal(ZE(DeviceGetP2PProperties)(devices[0], devices[2], &p2p), 0);

  assert_int_equal(can, 1);
  assert_true(p2p.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
}

void there_are_no_sub_devices(void**) {
  uint32_t count = 9;
  ze_device_handle_t root = ze_direct().device;
  assert_int_equal(ZE(DeviceGetSubDevices)(ze_direct().device, &count, nullptr), 0);
  assert_int_equal(ZE(DeviceGetRootDevice)(ze_direct().device, &root), 0);

  assert_int_equal(count, 0);
  assert_null(root);
}

void wrong_handles_and_pointers_are_refused(void**) {
  ze_device_properties_t p{};
  auto* garbage = reinterpret_cast<ze_device_handle_t>(static_cast<uintptr_t>(0x1234));
  auto* wrong = reinterpret_cast<ze_device_handle_t>(ze_direct().context);
  auto* inside =
      reinterpret_cast<ze_device_handle_t>(reinterpret_cast<char*>(ze_direct().device) + 8);
  const auto get = ZE(DeviceGetProperties);

  assert_int_equal(get(nullptr, &p), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(get(garbage, &p), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(get(wrong, &p), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(get(inside, &p), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(get(ze_direct().device, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

void a_destroyed_context_is_recognised(void**) {
  ze_context_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  ze_context_handle_t context = nullptr;
  assert_int_equal(ZE(ContextCreate)(ze_direct().driver, &desc, &context), 0);
  assert_int_equal(ZE(ContextGetStatus)(context), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(ContextDestroy)(context), ZE_RESULT_SUCCESS);

  assert_int_equal(ZE(ContextGetStatus)(context), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ZE(ContextDestroy)(context), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

void the_default_context_stays(void**) {
  ze_context_handle_t context = ZE(DriverGetDefaultContext)(ze_direct().driver);
  assert_non_null(context);
  assert_int_equal(ZE(ContextDestroy)(context), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ZE(ContextGetStatus)(context), ZE_RESULT_SUCCESS);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(as_many_devices_as_asked_for_each_its_own),
      cmocka_unit_test(memory_is_what_the_machine_has),
      cmocka_unit_test(the_timer_unit_follows_the_structure_type),
      cmocka_unit_test(device_and_host_clock_are_one),
      cmocka_unit_test(there_are_compute_queues_and_a_copy_queue),
      cmocka_unit_test(peers_can_access_each_other),
      cmocka_unit_test(there_are_no_sub_devices),
      cmocka_unit_test(wrong_handles_and_pointers_are_refused),
      cmocka_unit_test(a_destroyed_context_is_recognised),
      cmocka_unit_test(the_default_context_stays),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
