// SPDX-License-Identifier: Apache-2.0
// Pools of two devices: whose memory a stream gets, and who may use it.
#include "pooled.h"

using namespace xpu::test;

static xpuMemAccessFlags access_of(xpuMemPool_t pool, int device) {
  xpuMemLocation location = {xpuMemLocationTypeDevice, device};
  xpuMemAccessFlags flags = xpuMemAccessFlagsProtRead;
  assert_ok(xpuMemPoolGetAccess(&flags, pool, &location));
  return flags;
}

static void each_device_has_pools_of_its_own(void**) {
  const xpuMemPool_t pool = new_pool(0, 1);
  assert_ptr_not_equal(default_pool(0), default_pool(1));
  assert_code(xpuDeviceSetMemPool(0, pool), xpuErrorInvalidValue);
  assert_ok(xpuDeviceSetMemPool(1, pool));
  assert_ptr_equal(default_pool(0), current_pool(0));
  assert_ptr_equal(pool, current_pool(1));
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ptr_equal(default_pool(1), current_pool(1));
}

static void a_stream_allocates_on_its_device(void**) {
  assert_ok(xpuSetDevice(1));
  const xpuStream_t s = new_stream();
  assert_ok(xpuSetDevice(0));

  int* p = ints(128, s);

  xpuPointerAttributes a = {};
  a.struct_size = sizeof a;
  assert_ok(xpuPointerGetAttributes(&a, p));
  assert_int_equal(1, a.device);
  assert_int_equal(512, used(default_pool(1)));
  assert_int_equal(0, used(default_pool(0)));
  assert_ok(xpuFreeAsync(p, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(0, reserved(default_pool(1)));
  assert_ok(xpuStreamDestroy(s));
}

static void access_is_given_and_taken(void**) {
  const xpuMemPool_t pool = new_pool(0, 1);
  xpuMemAccessDesc desc[2] = {
      {{xpuMemLocationTypeDevice, 1}, xpuMemAccessFlagsProtReadWrite},
      {{xpuMemLocationTypeDevice, 0}, xpuMemAccessFlagsProtReadWrite},
  };
  assert_int_equal(xpuMemAccessFlagsProtReadWrite, access_of(pool, 1));
  assert_int_equal(xpuMemAccessFlagsProtNone, access_of(pool, 0));

  assert_ok(xpuMemPoolSetAccess(pool, desc, 2));
  assert_int_equal(xpuMemAccessFlagsProtReadWrite, access_of(pool, 0));
  desc[1].flags = xpuMemAccessFlagsProtNone;
  assert_ok(xpuMemPoolSetAccess(pool, desc + 1, 1));
  assert_int_equal(xpuMemAccessFlagsProtNone, access_of(pool, 0));

  // The second entry is refused, so the first has no effect.
  desc[0] = {{xpuMemLocationTypeDevice, 0}, xpuMemAccessFlagsProtReadWrite};
  desc[1] = {{xpuMemLocationTypeDevice, 1}, xpuMemAccessFlagsProtNone};
  assert_code(xpuMemPoolSetAccess(pool, desc, 2), xpuErrorInvalidValue);
  assert_int_equal(xpuMemAccessFlagsProtNone, access_of(pool, 0));
  assert_ok(xpuMemPoolDestroy(pool));
}

// Allocated and freed by a stream of the other device: its marks order the frees.
static void a_stream_uses_a_pool_of_another_device(void**) {
  static Gate gate;
  const xpuMemPool_t pool = new_pool(0, 1);
  const xpuStream_t s = new_stream();
  assert_ok(xpuSetDevice(1));
  const xpuStream_t other = new_stream();
  assert_ok(xpuSetDevice(0));
  int* out = device_ints(1);
  gate.shut(s);
  int* p = static_cast<int*>(bytes_from(pool, 4096, s));
  launch_one(s, "store", p, 5, 11);
  launch_one(s, "copy_one", out, 0, p, 5);
  assert_ok(xpuFreeAsync(p, s));

  void* q = bytes_from(pool, 4096, other);
  assert_ok(xpuMemsetAsync(q, 0, 4096, other));
  assert_ok(xpuStreamSynchronize(other));
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_ptr_not_equal(p, q);
  assert_int_equal(11, fetch(out));
  assert_ok(xpuFree(q));
  assert_ok(xpuFree(out));
  assert_ok(xpuMemPoolDestroy(pool));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuStreamDestroy(other));
}

int main() {
  int count = 0;
  if (xpuGetDeviceCount(&count) != xpuSuccess || count < 2) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_device_has_pools_of_its_own),
      cmocka_unit_test(a_stream_allocates_on_its_device),
      cmocka_unit_test(access_is_given_and_taken),
      cmocka_unit_test(a_stream_uses_a_pool_of_another_device),
  };
  return XPU_RUN_TESTS(tests);
}
