// SPDX-License-Identifier: Apache-2.0
// Copies and fills of one device's memory in streams of the other, which may reach it or not.
#include "two_devices.h"

using namespace xpu::test;

static xpuStream_t stream;

static void host_memory_is_copied_to_and_from_either_device(void**) {
  int *const p = ints_on(0, 4), *const q = ints_on(1, 4);
  const int in[4] = {1, 2, 3, 4};
  for (int* at : {p, q}) {
    int out[4] = {};
    assert_ok(xpuMemcpyAsync(at, in, sizeof in, xpuMemcpyHostToDevice, stream));
    assert_ok(xpuMemcpyAsync(out, at, sizeof out, xpuMemcpyDeviceToHost, stream));
    assert_ok(xpuStreamSynchronize(stream));
    if (shown(executes)) assert_memory_equal(in, out, sizeof in);
  }
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(q));
}

static void a_fill_reaches_the_other_device_in_its_place(void**) {
  int* const q = ints_on(1, 3);
  int out[3] = {};
  assert_ok(xpuMemsetAsync(q, 0x11, 3 * sizeof(int), stream));
  assert_ok(xpuMemsetAsync(q + 1, 0x22, sizeof(int), stream));
  assert_ok(xpuStreamSynchronize(stream));
  assert_ok(xpuMemcpy(out, q, sizeof out, xpuMemcpyDefault));
  const int expected[3] = {0x11111111, 0x22222222, 0x11111111};
  if (shown(executes)) assert_memory_equal(expected, out, sizeof out);
  assert_ok(xpuFree(q));
}

// Between kernels of both devices, which events order, and behind a gate: nothing may go ahead.
static void copies_between_devices_keep_their_place_in_the_stream(void**) {
  static Gate gate;
  int *const p = ints_on(0, 2), *const q = ints_on(1, 2);
  const xpuStream_t other = stream_on(1);
  for (int round = 0; round < 3; round++) {
    gate.shut(stream);
    launch_on(0, stream, "store", p, 0, 10 + round);
    assert_ok(xpuMemcpyAsync(q, p, sizeof(int), xpuMemcpyDeviceToDevice, stream));
    order_across(0, stream, other);
    launch_on(1, other, "add", q, 0, 100);
    order_across(1, other, stream);
    assert_ok(xpuMemcpyAsync(p + 1, q, sizeof(int), xpuMemcpyDeviceToDevice, stream));
    launch_on(0, stream, "add", p, 1, 1000);
    if (shown(waits)) {
      gate.await();
      sleep_ms(5);
    }
    gate.open = 1;
    assert_ok(xpuStreamSynchronize(stream));
    if (shown(executes)) assert_int_equal(1110 + round, fetch(p + 1));
  }
  assert_ok(xpuStreamDestroy(other));
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(q));
}

static void rows_get_across_without_what_is_between_them(void**) {
  enum { kRows = 3, kPitch = 5, kWidth = 2 };
  static int in[kRows * kPitch], out[kRows * kPitch];
  for (int i = 0; i < kRows * kPitch; i++) in[i] = i + 1;
  int *const p = ints_on(0, kRows * kPitch), *const q = ints_on(1, kRows * kPitch);
  assert_ok(xpuMemcpy(p, in, sizeof in, xpuMemcpyDefault));
  zero_on(1, q, kRows * kPitch);
  assert_ok(xpuMemcpy2DAsync(q, kPitch * sizeof(int), p, kPitch * sizeof(int), kWidth * sizeof(int),
                             kRows, xpuMemcpyDefault, stream));
  assert_ok(xpuMemcpyAsync(out, q, sizeof out, xpuMemcpyDefault, stream));
  assert_ok(xpuStreamSynchronize(stream));
  for (int i = 0; shown(executes) && i < kRows * kPitch; i++)
    assert_int_equal(i % kPitch < kWidth ? in[i] : 0, out[i]);
  assert_ok(xpuFree(p));
  assert_ok(xpuFree(q));
}

static int open_both(void**) {
  stream = new_stream();
  return load_both(nullptr);
}
static int close_both(void**) {
  assert_ok(xpuStreamDestroy(stream));
  return unload_second(nullptr);
}

int main() {
  int devices = 0;
  if (xpuGetDeviceCount(&devices) != xpuSuccess || devices < 2) return 77;
  const Test tests[] = {
      xpu_test(host_memory_is_copied_to_and_from_either_device, results(executes)),
      xpu_test(a_fill_reaches_the_other_device_in_its_place, results(executes)),
      xpu_test(copies_between_devices_keep_their_place_in_the_stream, results(executes | waits)),
      xpu_test(rows_get_across_without_what_is_between_them, results(executes)),
  };
  return run_all(tests, open_both, close_both);
}
