// SPDX-License-Identifier: Apache-2.0
// The kernels of the cases: CUDA ones here, their twins in kernels.cl.
#pragma once

#include <stdlib.h>
#include <map>
#include "oracle/port/outcome.h"

// Every kernel has a twin of the same name, argument list and effect in kernels.cl.
#if !defined(CONF_XPU)
#define P_K static __global__ void

P_K k_noop() {}
P_K k_set(int* p, int i, int v) { p[i] = v; }
P_K k_add(int* p, int i, int v) { p[i] += v; }
P_K k_step(int* p, int a, int b) { p[0] = (int)((unsigned)p[0] * (unsigned)a + (unsigned)b); }
P_K k_copy(int* dst, int di, const int* src, int si) { dst[di] = src[si]; }
P_K k_fill(int* p, int n, int v) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = v;
}
P_K k_axpb(int* p, int n, int a, int b) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = (int)((unsigned)p[i] * (unsigned)a + (unsigned)b);
}
P_K k_vadd(int* out, const int* a, const int* b, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a[i] + b[i];
}
P_K k_vsub(int* out, const int* a, const int* b, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a[i] - b[i];
}
P_K k_sum(int* out, const int* p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s += (unsigned)p[i];
  out[0] = (int)s;
}
P_K k_count(int* p) { atomicAdd(p, 1); }
P_K k_dims(int* out) {
  if (blockIdx.x | blockIdx.y | blockIdx.z | threadIdx.x | threadIdx.y | threadIdx.z) return;
  out[0] = (int)gridDim.x, out[1] = (int)gridDim.y, out[2] = (int)gridDim.z;
  out[3] = (int)blockDim.x, out[4] = (int)blockDim.y, out[5] = (int)blockDim.z;
}
P_K k_iota3(int* p) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x),
      y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  int z = (int)(blockIdx.z * blockDim.z + threadIdx.z);
  int w = (int)(gridDim.x * blockDim.x), h = (int)(gridDim.y * blockDim.y);
  p[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}
P_K k_mixed(long long* out, char a, short b, int c, long long d, float e) {
  out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = (long long)(e * 4.0f);
}
P_K k_args12(int* out, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k,
             int l) {
  out[0] =
      a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}
// Busy for `iters` steps first, so that a missing ordering shows.
P_K k_spin_step(int* p, int a, int b, int iters) {
  unsigned x = (unsigned)p[0] | 1u;
  for (int i = 0; i < iters; i++) x = x * 1664525u + 1013904223u;
  p[0] = (int)((unsigned)p[0] * (unsigned)a + (unsigned)b + (x == 0xdeadbeefu ? 1u : 0u));
}
P_K k_spin_set(int* p, int i, int v, int iters) {
  unsigned x = (unsigned)p[i] | 1u;
  for (int k = 0; k < iters; k++) x = x * 1664525u + 1013904223u;
  p[i] = v + (x == 0xdeadbeefu ? 1 : 0);
}

#define P_KERNEL(name) ((void*)name)
static int p_plain_function_target;
static void p_plain_function() { p_plain_function_target++; }
#define P_NOT_A_KERNEL ((void*)p_plain_function)

#else

inline xpuKernel_t p_kernel(const char* name) {
  static xpuModule_t module = NULL;
  static std::map<std::string, xpuKernel_t> known;
  if (!module) {
    const char* path = getenv("XPU_KERNELS");
    FILE* f = path ? fopen(path, "rb") : NULL;
    if (!f) {
      say("[no kernels: set XPU_KERNELS]");
      throw Stop();
    }
    std::string image;
    char part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0) image.append(part, n);
    fclose(f);
    OK(xpuModuleLoadData(&module, image.data(), image.size()));
  }
  auto it = known.find(name);
  if (it != known.end()) return it->second;
  xpuKernel_t k = NULL;
  OK(xpuModuleGetKernel(&k, module, name));
  known[name] = k;
  return k;
}
#define P_KERNEL(name) p_kernel(#name)
inline long long p_plain_object[64];
#define P_NOT_A_KERNEL ((xpuKernel_t)(void*)p_plain_object)
#endif

enum { p_spin = 2000000 };  // about 10 ms of one GPU thread
