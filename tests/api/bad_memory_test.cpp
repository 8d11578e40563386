// SPDX-License-Identifier: Apache-2.0
// Sizes, pitches, directions and ranges that no allocation, copy or fill can have.
#include "zoo.h"

using namespace xpu::test;

static constexpr size_t kHuge = size_t{1} << 60;

static char* device;  // 4096 bytes
static char* pinned;  // 4096 bytes
static char host[4096];

static int open_all(void** state) {
  open_zoo(state);
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 4096));
  device = static_cast<char*>(memory);
  assert_ok(xpuMallocHost(&memory, 4096));
  pinned = static_cast<char*>(memory);
  return 0;
}
static int close_all(void** state) {
  assert_ok(xpuFree(device));
  assert_ok(xpuFreeHost(pinned));
  return close_zoo(state);
}

#define TOO_MUCH(function, argument, ...) \
  REFUSED(xpuErrorMemoryAllocation, function, argument, "is too much", __VA_ARGS__)
#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)
#define NARROW(function, argument, ...) \
  REFUSED(xpuErrorInvalidPitchValue, function, argument, "is below the width", __VA_ARGS__)
#define NO_WAY(function, ...) \
  REFUSED(xpuErrorInvalidMemcpyDirection, function, "kind", "is no direction", __VA_ARGS__)

static void no_device_has_that_much_memory(void**) {
  static const Refusal rows[] = {
      TOO_MUCH(xpuMalloc, "size", &outs.pointer, SIZE_MAX),
      TOO_MUCH(xpuMalloc, "size", &outs.pointer, SIZE_MAX - 4095),
      TOO_MUCH(xpuMalloc, "size", &outs.pointer, kHuge),
      TOO_MUCH(xpuMallocHost, "size", &outs.pointer, SIZE_MAX),
      TOO_MUCH(xpuMallocHost, "size", &outs.pointer, kHuge),
      TOO_MUCH(xpuHostAlloc, "size", &outs.pointer, SIZE_MAX, 0),
      TOO_MUCH(xpuHostAlloc, "size", &outs.pointer, kHuge, xpuHostAllocMapped),
      TOO_MUCH(xpuMallocManaged, "size", &outs.pointer, SIZE_MAX, xpuMemAttachGlobal),
      TOO_MUCH(xpuMallocManaged, "size", &outs.pointer, kHuge, xpuMemAttachHost),
  };
  assert_all_refused(rows);
}

static void rows_that_need_more_than_an_address_space_are_refused(void**) {
  static const Refusal rows[] = {
      TOO_MUCH(xpuMallocPitch, "width", &outs.pointer, &outs.size, SIZE_MAX, 1),
      TOO_MUCH(xpuMallocPitch, "height", &outs.pointer, &outs.size, kHuge, 1u << 20),
      TOO_MUCH(xpuMallocPitch, "height", &outs.pointer, &outs.size, 1, SIZE_MAX),
  };
  assert_all_refused(rows);
}

static void flags_that_do_not_exist_are_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuHostAlloc, "flags", "has bit 3", &outs.pointer, 64, 8),
      WRONG(xpuHostAlloc, "flags", "has all bits", &outs.pointer, 64, ~0u),
      WRONG(xpuMallocManaged, "flags", "is 0", &outs.pointer, 64, 0),
      WRONG(xpuMallocManaged, "flags", "is 4", &outs.pointer, 64, 4),
      WRONG(xpuMallocManaged, "size", "is 0", &outs.pointer, 0, xpuMemAttachGlobal),
      WRONG(xpuHostGetDevicePointer, "flags", "is 1", &outs.pointer, pinned, 1),
      WRONG(xpuHostGetDevicePointer, "pHost", "is memory of malloc", &outs.pointer, host, 0),
      WRONG(xpuHostGetDevicePointer, "pHost", "is device memory", &outs.pointer, device, 0),
  };
  assert_all_refused(rows);
}

static void only_the_start_of_an_own_allocation_is_freed(void**) {
  static const Refusal rows[] = {
      WRONG(xpuFree, "devPtr", "is inside an allocation", device + 64),
      WRONG(xpuFree, "devPtr", "is memory of malloc", host),
      WRONG(xpuFree, "devPtr", "is host memory", pinned),
      WRONG(xpuFree, "devPtr", "is 1", reinterpret_cast<void*>(1)),
      WRONG(xpuFree, "devPtr", "is -1", reinterpret_cast<void*>(UINTPTR_MAX)),
      WRONG(xpuFreeHost, "ptr", "is inside an allocation", pinned + 64),
      WRONG(xpuFreeHost, "ptr", "is memory of malloc", host),
      WRONG(xpuFreeHost, "ptr", "is device memory", device),
  };
  assert_all_refused(rows);
}

static void memory_is_freed_once(void**) {
  static void* freed;
  assert_ok(xpuMalloc(&freed, 64));
  assert_ok(xpuFree(freed));
  static const Refusal rows[] = {WRONG(xpuFree, "devPtr", "was freed", freed)};
  assert_all_refused(rows);
}

static void a_copy_stays_inside_its_allocations(void**) {
  static const Refusal rows[] = {
      WRONG(xpuMemcpy, "dst", "ends too early", device, host, 4097, xpuMemcpyDefault),
      WRONG(xpuMemcpy, "dst", "ends too early", device + 4095, host, 2, xpuMemcpyDefault),
      WRONG(xpuMemcpy, "src", "ends too early", host, device + 1, 4096, xpuMemcpyDefault),
      WRONG(xpuMemcpy, "src", "ends too early", device, pinned + 4090, 8, xpuMemcpyDefault),
      WRONG(xpuMemcpyAsync, "dst", "ends too early", device + 1, pinned, 4096, xpuMemcpyDefault,
            zoo.stream()),
      WRONG(xpuMemcpyAsync, "src", "ends too early", pinned, device + 4000, 97, xpuMemcpyDefault,
            zoo.stream()),
      WRONG(xpuMemcpy2D, "dst", "ends too early", device, 1024, host, 16, 16, 6, xpuMemcpyDefault),
      WRONG(xpuMemcpy2D, "src", "ends too early", host, 16, device + 4096 - 31, 16, 16, 2,
            xpuMemcpyDefault),
      WRONG(xpuMemcpy2DAsync, "dst", "ends too early", device, 4090, pinned, 16, 16, 2,
            xpuMemcpyDefault, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void a_copy_of_absurd_size_is_refused(void**) {
  static const Refusal rows[] = {
      WRONG(xpuMemcpy, "dst", "is not that large", device, host, SIZE_MAX, xpuMemcpyDefault),
      WRONG(xpuMemcpy, "dst", "is not that large", device, device + 8, kHuge, xpuMemcpyDefault),
      WRONG(xpuMemcpyAsync, "dst", "is not that large", device, pinned, SIZE_MAX, xpuMemcpyDefault,
            zoo.stream()),
      WRONG(xpuMemcpy2D, "dst", "is not that large", device, SIZE_MAX, host, 16, 16, 2,
            xpuMemcpyDefault),
      WRONG(xpuMemcpy2D, "src", "is not that large", device, 16, host, SIZE_MAX - 64, 16, 3,
            xpuMemcpyDefault),
      WRONG(xpuMemcpy2D, "height", "is too many rows", device, 16, host, 16, 16, SIZE_MAX,
            xpuMemcpyDefault),
      WRONG(xpuMemcpy2D, "height", "is too many rows", device, kHuge, host, kHuge, kHuge, 32,
            xpuMemcpyDefault),
      WRONG(xpuMemcpy2DAsync, "height", "is too many rows", device, 16, pinned, 16, 16, SIZE_MAX,
            xpuMemcpyDefault, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void a_row_fits_into_its_pitch(void**) {
  static const Refusal rows[] = {
      NARROW(xpuMemcpy2D, "dpitch", device, 15, host, 16, 16, 2, xpuMemcpyDefault),
      NARROW(xpuMemcpy2D, "spitch", device, 16, host, 15, 16, 2, xpuMemcpyDefault),
      NARROW(xpuMemcpy2D, "dpitch", device, 0, host, 16, 16, 2, xpuMemcpyDefault),
      NARROW(xpuMemcpy2DAsync, "dpitch", device, 15, pinned, 16, 16, 2, xpuMemcpyDefault,
             zoo.stream()),
      NARROW(xpuMemcpy2DAsync, "spitch", device, 16, pinned, 1, 16, 2, xpuMemcpyDefault,
             zoo.stream()),
      NARROW(xpuMemset2D, "pitch", device, 15, 1, 16, 2),
      NARROW(xpuMemset2DAsync, "pitch", device, 0, 1, 16, 2, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void a_copy_has_one_of_five_directions(void**) {
  static const xpuMemcpyKind five = static_cast<xpuMemcpyKind>(5);
  static const xpuMemcpyKind negative = static_cast<xpuMemcpyKind>(-1);
  static const xpuMemcpyKind large = static_cast<xpuMemcpyKind>(INT32_MAX);
  static const Refusal rows[] = {
      NO_WAY(xpuMemcpy, device, host, 8, five),
      NO_WAY(xpuMemcpy, device, host, 8, negative),
      NO_WAY(xpuMemcpy, device, host, 8, large),
      NO_WAY(xpuMemcpyAsync, device, host, 8, five, zoo.stream()),
      NO_WAY(xpuMemcpy2D, device, 8, host, 8, 8, 2, negative),
      NO_WAY(xpuMemcpy2DAsync, device, 8, host, 8, 8, 2, large, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void a_fill_stays_inside_device_memory(void**) {
  static const Refusal rows[] = {
      WRONG(xpuMemset, "devPtr", "ends too early", device, 1, 4097),
      WRONG(xpuMemset, "devPtr", "ends too early", device + 4000, 1, 97),
      WRONG(xpuMemset, "count", "is not that large", device, 1, SIZE_MAX),
      WRONG(xpuMemset, "devPtr", "is memory of malloc", host, 1, 8),
      WRONG(xpuMemsetAsync, "devPtr", "ends too early", device + 1, 1, 4096, zoo.stream()),
      WRONG(xpuMemsetAsync, "devPtr", "is memory of malloc", host, 1, 8, zoo.stream()),
      WRONG(xpuMemset2D, "devPtr", "ends too early", device, 1024, 1, 16, 6),
      WRONG(xpuMemset2D, "height", "is too many rows", device, kHuge, 1, 16, kHuge),
      WRONG(xpuMemset2D, "devPtr", "is memory of malloc", host, 16, 1, 16, 2),
      WRONG(xpuMemset2DAsync, "devPtr", "ends too early", device, 4090, 1, 16, 2, zoo.stream()),
      WRONG(xpuMemset2DAsync, "devPtr", "is memory of malloc", host, 16, 1, 16, 2, zoo.stream()),
  };
  assert_all_refused(rows);
}

// Counts of 0 do nothing, also with addresses that would be wrong otherwise.
static void nothing_is_copied_and_filled_without_complaint(void**) {
  assert_ok(xpuMemcpy(nullptr, nullptr, 0, xpuMemcpyDefault));
  assert_ok(xpuMemcpyAsync(device, host, 0, xpuMemcpyHostToDevice, zoo.stream()));
  assert_ok(xpuMemcpy2D(device, 16, host, 16, 0, 4, xpuMemcpyDefault));
  assert_ok(xpuMemcpy2DAsync(device, 16, host, 16, 16, 0, xpuMemcpyDefault, zoo.stream()));
  assert_ok(xpuMemset(nullptr, 1, 0));
  assert_ok(xpuMemsetAsync(device, 1, 0, zoo.stream()));
  assert_ok(xpuMemset2D(device, 16, 1, 0, 4));
  assert_ok(xpuMemset2DAsync(device, 16, 1, 16, 0, zoo.stream()));
  assert_ok(xpuFree(nullptr));
  assert_ok(xpuFreeHost(nullptr));
}

static void an_allocation_of_nothing_is_null(void**) {
  void* memory = host;
  size_t pitch = 5;

  assert_ok(xpuMalloc(&memory, 0));
  assert_null(memory);
  memory = host;
  assert_ok(xpuMallocHost(&memory, 0));
  assert_null(memory);
  memory = host;
  assert_ok(xpuMallocPitch(&memory, &pitch, 0, 4));
  assert_null(memory);
}

int main() {
  const Test tests[] = {
      xpu_test(no_device_has_that_much_memory),
      xpu_test(rows_that_need_more_than_an_address_space_are_refused),
      xpu_test(flags_that_do_not_exist_are_refused),
      xpu_test(only_the_start_of_an_own_allocation_is_freed),
      xpu_test(memory_is_freed_once),
      xpu_test(a_copy_stays_inside_its_allocations),
      xpu_test(a_copy_of_absurd_size_is_refused),
      xpu_test(a_row_fits_into_its_pitch),
      xpu_test(a_copy_has_one_of_five_directions),
      xpu_test(a_fill_stays_inside_device_memory),
      xpu_test(nothing_is_copied_and_filled_without_complaint),
      xpu_test(an_allocation_of_nothing_is_null),
  };
  return run_all(tests, open_all, close_all);
}
