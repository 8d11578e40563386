// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of the runtime floor.

typedef struct {
  int a;
  long b;
  char c;
} Three;

kernel void add(global uint* at, uint value) { at[get_global_id(0)] += value; }

kernel void mixed(global long* out, char small, Three three, global const int* maybe, float3 v) {
  out[0] = small;
  out[1] = three.a + three.b + three.c;
  out[2] = maybe ? maybe[0] : -1;
  out[3] = (long)v.z;
}

kernel void reverse(global int* data, local int* part) {
  size_t i = get_local_id(0), n = get_local_size(0);
  part[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = part[n - 1 - i];
}

__attribute__((reqd_work_group_size(4, 2, 1))) kernel void fixed_size(global uint* out) {
  out[0] = 1;
}

kernel void nothing(void) {}
