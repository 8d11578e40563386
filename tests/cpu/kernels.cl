// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of modules and kernels.

typedef struct {
  int a;
  char b;
  short c[3];
  long d;
} Mixed;

kernel void add(global const float* a, global float* b, float scale, uint n) {
  size_t i = get_global_id(0);
  if (i < n) b[i] = a[i] * scale + b[i];
}

kernel void by_value(global long* out, Mixed m, float3 v, char small, double wide) {
  out[0] = m.a;
  out[1] = m.b;
  out[2] = m.c[2];
  out[3] = m.d;
  out[4] = (long)v.z;
  out[5] = small;
  out[6] = (long)wide;
}

// Each group writes its part in reverse, through local memory.
kernel void reverse(global int* data, local int* part) {
  size_t i = get_local_id(0), n = get_local_size(0);
  part[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[n - 1 - i];
}

__attribute__((reqd_work_group_size(8, 2, 1))) kernel void fixed_size(global int* out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (int)get_local_size(0);
}

kernel void nothing(void) {}

kernel void where(global int* out) { out[get_group_id(0)] = (int)get_global_offset(0); }

kernel void is_null(global const int* p, global int* out) { out[0] = p == 0; }

kernel void picture(read_only image2d_t image, sampler_t s, global float4* out) {
  out[0] = read_imagef(image, s, (float2)(0, 0));
}
