// SPDX-License-Identifier: Apache-2.0
// What an address belongs to, where memory may be used, and when it is freed.
#include "block.h"

using namespace xpu::test;

static xpuPointerAttributes ask(const void* at) {
  xpuPointerAttributes a;
  memset(&a, 0xa5, sizeof a);
  a.struct_size = sizeof a;
  assert_ok(xpuPointerGetAttributes(&a, at));
  return a;
}

// First byte, last byte and one between.
static void check(void* memory, size_t size, xpuMemoryType type, int device, bool for_host) {
  const size_t places[] = {0, size / 3, size - 1};
  for (size_t place : places) {
    char* at = static_cast<char*>(memory) + place;
    const xpuPointerAttributes a = ask(at);
    assert_int_equal(type, a.type);
    assert_int_equal(device, a.device);
    assert_int_equal(0, a.reserved);
    assert_ptr_equal(at, a.devicePointer);
    assert_ptr_equal(for_host ? at : nullptr, a.hostPointer);
  }
}

static void an_address_in_device_memory_belongs_to_its_device(void**) {
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 1000));
  check(memory, 1000, xpuMemoryTypeDevice, 0, false);
  assert_int_equal(0, reinterpret_cast<uintptr_t>(memory) % 256);
  assert_ok(xpuFree(memory));
}

static void an_address_in_host_memory_is_for_both(void**) {
  void *memory = nullptr, *alias = nullptr;
  assert_ok(xpuHostAlloc(&memory, 1000, xpuHostAllocPortable | xpuHostAllocWriteCombined));
  const xpuPointerAttributes a = ask(memory);
  check(memory, 1000, xpuMemoryTypeHost, a.device, true);
  assert_int_equal(0, reinterpret_cast<uintptr_t>(memory) % 64);
  assert_ok(xpuHostGetDevicePointer(&alias, static_cast<char*>(memory) + 9, 0));
  assert_ptr_equal(static_cast<char*>(memory) + 9, alias);
  assert_ok(xpuFreeHost(memory));
}

static void an_address_in_managed_memory_is_for_both(void**) {
  void* memory = nullptr;
  assert_ok(xpuMallocManaged(&memory, 1000, xpuMemAttachHost));
  check(memory, 1000, xpuMemoryTypeManaged, 0, true);
  assert_ok(xpuFree(memory));
}

static void an_address_that_no_driver_knows_is_unregistered(void**) {
  int local = 0;
  void* heap = malloc(64);
  const void* const known[] = {&local, heap};
  for (const void* at : known) {
    const xpuPointerAttributes a = ask(at);
    assert_int_equal(xpuMemoryTypeUnregistered, a.type);
    assert_int_equal(-1, a.device);
    assert_null(a.devicePointer);
    assert_ptr_equal(at, a.hostPointer);
  }
  free(heap);
}

static void an_address_is_not_read(void**) {
  const uintptr_t odd[] = {0, 1, UINTPTR_MAX, uintptr_t{1} << 47, 4096};
  for (uintptr_t at : odd)
    assert_int_equal(xpuMemoryTypeUnregistered, ask(reinterpret_cast<void*>(at)).type);
}

static void an_address_behind_an_allocation_does_not_belong_to_it(void**) {
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 256));
  const xpuPointerAttributes a = ask(static_cast<char*>(memory) + (size_t{1} << 40));
  assert_int_equal(xpuMemoryTypeUnregistered, a.type);
  assert_ok(xpuFree(memory));
}

static void a_freed_address_belongs_to_nothing(void**) {
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 100));
  assert_ok(xpuFree(memory));
  assert_int_equal(xpuMemoryTypeUnregistered, ask(memory).type);
}

static void rows_lie_at_least_their_width_apart(void**) {
  void* memory = nullptr;
  size_t pitch = 0;
  assert_ok(xpuMallocPitch(&memory, &pitch, 100, 20));
  assert_true(pitch >= 100);
  assert_int_equal(xpuMemoryTypeDevice, ask(static_cast<char*>(memory) + 19 * pitch + 99).type);
  assert_ok(xpuMemset2D(memory, pitch, 1, 100, 20));
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuFree(memory));
}

static void freeing_waits_for_work_that_uses_the_memory(void**) {
  static std::atomic<int> done;
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);
  done = 0;

  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { sleep_ms(30); }, nullptr));
  launch_one(s, "store", p, 0, 1);
  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { done = 1; }, nullptr));
  assert_ok(xpuFree(p));

  if (shown(calls_back)) assert_int_equal(1, done.load());
  assert_ok(xpuStreamQuery(s));
  assert_ok(xpuStreamDestroy(s));
}

static void freeing_host_memory_waits_too(void**) {
  static std::atomic<int> done;
  const xpuStream_t s = new_stream();
  void* p = nullptr;
  assert_ok(xpuMallocHost(&p, 64));
  done = 0;

  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { sleep_ms(30); }, nullptr));
  launch_one(s, "store", p, 0, 1);
  assert_ok(xpuLaunchHostFunc(
      s, [](void*) { done = 1; }, nullptr));
  assert_ok(xpuFreeHost(p));

  if (shown(calls_back)) assert_int_equal(1, done.load());
  assert_ok(xpuStreamDestroy(s));
}

static void kernels_use_host_and_managed_memory_at_the_hosts_address(void**) {
  const xpuStream_t s = new_stream();
  void *host = nullptr, *managed = nullptr;
  assert_ok(xpuMallocHost(&host, 64));
  assert_ok(xpuMallocManaged(&managed, 64, xpuMemAttachGlobal));
  static_cast<int*>(host)[3] = 0;
  static_cast<int*>(managed)[5] = 40;

  launch_one(s, "store", host, 3, 12);
  launch_one(s, "add", managed, 5, 2);
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(12, static_cast<int*>(host)[3]);
  if (shown(executes)) assert_int_equal(42, static_cast<int*>(managed)[5]);
  assert_ok(xpuFreeHost(host));
  assert_ok(xpuFree(managed));
  assert_ok(xpuStreamDestroy(s));
}

static void many_allocations_do_not_overlap(void**) {
  enum { kMany = 200 };
  static char* at[kMany];
  for (int i = 0; i < kMany; i++) {
    void* memory = nullptr;
    assert_ok(xpuMalloc(&memory, static_cast<size_t>(i * 37 + 1)));
    at[i] = static_cast<char*>(memory);
    assert_ok(xpuMemset(memory, i, static_cast<size_t>(i * 37 + 1)));
  }
  for (int i = 0; i < kMany; i++) {
    unsigned char first = 0, last = 0;
    fetch(&first, at[i], 1);
    fetch(&last, at[i] + i * 37, 1);
    if (shown(executes)) assert_int_equal(i, first);
    if (shown(executes)) assert_int_equal(i, last);
    assert_ok(xpuFree(at[i]));
  }
}

int main() {
  const Test tests[] = {
      xpu_test(an_address_in_device_memory_belongs_to_its_device),
      xpu_test(an_address_in_host_memory_is_for_both),
      xpu_test(an_address_in_managed_memory_is_for_both),
      xpu_test(an_address_that_no_driver_knows_is_unregistered),
      xpu_test(an_address_is_not_read),
      xpu_test(an_address_behind_an_allocation_does_not_belong_to_it),
      xpu_test(a_freed_address_belongs_to_nothing),
      xpu_test(rows_lie_at_least_their_width_apart),
      xpu_test(freeing_waits_for_work_that_uses_the_memory, results(calls_back)),
      xpu_test(freeing_host_memory_waits_too, results(calls_back)),
      xpu_test(kernels_use_host_and_managed_memory_at_the_hosts_address, results(executes)),
      xpu_test(many_allocations_do_not_overlap, results(executes)),
  };
  return run_all(tests);
}
