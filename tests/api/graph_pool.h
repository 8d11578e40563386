// SPDX-License-Identifier: Apache-2.0
// What the tests of private pools share: one-line pools, captures into them and allocations.
#pragma once

#include "graph_memory.h"

namespace xpu::test {

inline xpuGraphPool new_pool() {
  xpuGraphPool pool = {};
  assert_ok(xpuGraphPoolCreate(&pool));
  return pool;
}
inline void release(xpuGraphPool pool) { assert_ok(xpuGraphPoolRelease(pool)); }

inline xpuStreamCaptureParams in_pool(xpuGraphPool pool) {
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.mode = xpuStreamCaptureModeGlobal;
  params.pool = pool;
  return params;
}
inline void begin_in(xpuStream_t stream, xpuGraphPool pool) {
  const xpuStreamCaptureParams params = in_pool(pool);
  assert_ok(xpuStreamBeginCaptureWithParams(stream, &params));
}
inline xpuGraphPoolUsage usage(xpuGraphPool pool) {
  xpuGraphPoolUsage usage = {};
  usage.struct_size = sizeof usage;
  assert_ok(xpuGraphPoolGetUsage(pool, &usage));
  return usage;
}
inline bool is_there(xpuGraphPool pool) {
  xpuGraphPoolUsage usage = {};
  usage.struct_size = sizeof usage;
  const xpuError_t code = xpuGraphPoolGetUsage(pool, &usage);
  (void)xpuGetLastError();
  return code == xpuSuccess;
}
inline int* allocate(xpuStream_t stream, size_t bytes) {
  void* at = nullptr;
  assert_ok(xpuMallocAsync(&at, bytes, stream));
  assert_non_null(at);
  return static_cast<int*>(at);
}
inline void give_back(xpuStream_t stream, void* at) { assert_ok(xpuFreeAsync(at, stream)); }

inline xpuStream_t s, t;

inline int make_streams(void** state) {
  s = new_stream();
  t = new_stream();
  return load_first(state);
}
inline int end_streams(void**) {
  destroy(s);
  destroy(t);
  return 0;
}

}  // namespace xpu::test
