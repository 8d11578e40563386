// SPDX-License-Identifier: Apache-2.0
// Devices: numbers that agree with each other, the current device of each thread, the errors'
// names.
#include <pthread.h>

#include "ground.h"

using namespace xpu::test;

static int attribute(xpuDeviceAttr attr) {
  int value = -1;
  assert_ok(xpuDeviceGetAttribute(&value, attr, 0));
  return value;
}

static xpuDeviceProp properties() {
  xpuDeviceProp prop;
  memset(&prop, 0xa5, sizeof prop);
  prop.struct_size = sizeof prop;
  assert_ok(xpuGetDeviceProperties(&prop, 0));
  return prop;
}

static void versions_are_those_of_the_headers_and_of_a_driver(void**) {
  int version = 0;
  assert_ok(xpuRuntimeGetVersion(&version));
  assert_int_equal(XPUGRAPH_VERSION, version);
  assert_ok(xpuDriverGetVersion(&version));
  assert_in_range(version, 1000, 1999);
}

static void a_device_has_a_name_and_memory(void**) {
  const xpuDeviceProp prop = properties();
  assert_non_null(memchr(prop.name, '\0', sizeof prop.name));
  assert_true(strlen(prop.name) > 0);
  assert_true(prop.totalGlobalMem > 0);
  assert_true(prop.maxMemAllocSize > 0 && prop.maxMemAllocSize <= prop.totalGlobalMem);
  assert_true(prop.maxThreadsPerBlock > 0);
  assert_true(prop.warpSize > 0);
  assert_true(prop.computeEngineCount > 0);
  assert_true(prop.asyncEngineCount >= 0);
  assert_true(prop.type >= xpuDeviceTypeGpu && prop.type <= xpuDeviceTypeOther);
}

static void attributes_agree_with_properties(void**) {
  const xpuDeviceProp prop = properties();
  assert_int_equal(prop.maxThreadsPerBlock, attribute(xpuDevAttrMaxThreadsPerBlock));
  assert_int_equal(prop.maxThreadsDim[0], attribute(xpuDevAttrMaxBlockDimX));
  assert_int_equal(prop.maxThreadsDim[1], attribute(xpuDevAttrMaxBlockDimY));
  assert_int_equal(prop.maxThreadsDim[2], attribute(xpuDevAttrMaxBlockDimZ));
  assert_int_equal(prop.maxGridSize[0], attribute(xpuDevAttrMaxGridDimX));
  assert_int_equal(prop.maxGridSize[1], attribute(xpuDevAttrMaxGridDimY));
  assert_int_equal(prop.maxGridSize[2], attribute(xpuDevAttrMaxGridDimZ));
  assert_int_equal(prop.sharedMemPerBlock, attribute(xpuDevAttrMaxSharedMemoryPerBlock));
  assert_int_equal(prop.warpSize, attribute(xpuDevAttrWarpSize));
  assert_int_equal(prop.clockRate, attribute(xpuDevAttrClockRate));
  assert_int_equal(prop.multiProcessorCount, attribute(xpuDevAttrMultiProcessorCount));
  assert_int_equal(prop.integrated, attribute(xpuDevAttrIntegrated));
  assert_int_equal(prop.asyncEngineCount, attribute(xpuDevAttrAsyncEngineCount));
  assert_int_equal(prop.managedMemory, attribute(xpuDevAttrManagedMemory));
  assert_int_equal(1, attribute(xpuDevAttrUnifiedAddressing));
  assert_int_equal(1, attribute(xpuDevAttrCanMapHostMemory));
}

static void every_attribute_of_the_header_is_known(void**) {
  static const xpuDeviceAttr all[] = {
      xpuDevAttrConcurrentKernels, xpuDevAttrStreamPrioritiesSupported,
      xpuDevAttrConcurrentManagedAccess, xpuDevAttrCooperativeLaunch};
  for (xpuDeviceAttr attr : all) assert_in_range(attribute(attr), 0, 1);
}

static void priorities_are_supported_if_there_are_several(void**) {
  int least = 77, greatest = 77;
  assert_ok(xpuDeviceGetStreamPriorityRange(&least, &greatest));
  assert_true(greatest <= least);
  assert_int_equal(least != greatest, attribute(xpuDevAttrStreamPrioritiesSupported));
  assert_ok(xpuDeviceGetStreamPriorityRange(nullptr, nullptr));
}

static void a_device_is_no_peer_of_itself(void**) {
  int can = 77;
  assert_ok(xpuDeviceCanAccessPeer(&can, 0, 0));
  assert_int_equal(0, can);
}

static void the_same_device_again_is_the_current_one(void**) {
  int device = -1;
  assert_ok(xpuGetDevice(&device));
  assert_int_equal(0, device);
  assert_ok(xpuSetDevice(0));
  assert_ok(xpuGetDevice(&device));
  assert_int_equal(0, device);
}

struct Seen {
  xpuError_t got, last;
  int device;
};

static void* look_around(void* out) {
  Seen* seen = static_cast<Seen*>(out);
  seen->last = xpuPeekAtLastError();
  seen->got = xpuGetDevice(&seen->device);
  return nullptr;
}

static void a_thread_has_its_own_device_and_its_own_last_error(void**) {
  Seen seen = {xpuErrorUnknown, xpuErrorUnknown, -1};
  pthread_t thread;
  assert_code(xpuSetDevice(99), xpuErrorInvalidDevice);

  assert_int_equal(0, pthread_create(&thread, nullptr, look_around, &seen));
  assert_int_equal(0, pthread_join(thread, nullptr));

  assert_ok(seen.got);
  assert_int_equal(0, seen.device);
  assert_ok(seen.last);
  assert_code(xpuGetLastError(), xpuErrorInvalidDevice);
}

static void success_does_not_clear_the_last_error(void**) {
  int count = 0;
  assert_code(xpuSetDevice(-1), xpuErrorInvalidDevice);
  assert_ok(xpuGetDeviceCount(&count));
  assert_code(xpuPeekAtLastError(), xpuErrorInvalidDevice);
  assert_code(xpuPeekAtLastError(), xpuErrorInvalidDevice);
  assert_code(xpuGetLastError(), xpuErrorInvalidDevice);
  assert_ok(xpuGetLastError());
  assert_code(last_failure().code, xpuErrorInvalidDevice);
  assert_string_equal("xpuSetDevice", last_failure().function);
}

static void the_memory_that_is_taken_is_not_free(void**) {
  size_t free_before = 0, free_after = 0, total = 0;
  void* memory = nullptr;
  assert_ok(xpuMemGetInfo(&free_before, &total));
  assert_true(free_before > 0 && free_before <= total);
  assert_int_equal(properties().totalGlobalMem, total);

  assert_ok(xpuMalloc(&memory, size_t{64} << 20));
  assert_ok(xpuMemGetInfo(&free_after, &total));
  assert_ok(xpuFree(memory));

  assert_true(free_after < free_before);
}

static void synchronising_an_idle_device_is_fine(void**) {
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuDeviceSynchronize());
}

int main() {
  const Test tests[] = {
      xpu_test(versions_are_those_of_the_headers_and_of_a_driver),
      xpu_test(a_device_has_a_name_and_memory),
      xpu_test(attributes_agree_with_properties),
      xpu_test(every_attribute_of_the_header_is_known),
      xpu_test(priorities_are_supported_if_there_are_several),
      xpu_test(a_device_is_no_peer_of_itself),
      xpu_test(the_same_device_again_is_the_current_one),
      xpu_test(a_thread_has_its_own_device_and_its_own_last_error),
      xpu_test(success_does_not_clear_the_last_error),
      xpu_test(the_memory_that_is_taken_is_not_free),
      xpu_test(synchronising_an_idle_device_is_fine),
  };
  return run_all(tests);
}
