// SPDX-License-Identifier: Apache-2.0
// The kernels of the workloads.

// out[group] += the sum of the group's share of in; a group is 256 work-items.
kernel void reduce(global const float* in, global double* out, ulong count) {
  local double part[256];
  const size_t me = get_local_id(0);
  double sum = 0;
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
  part[me] = sum;
  for (size_t step = 128; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < step) part[me] += part[me + step];
  }
  if (me == 0) out[get_group_id(0)] += part[0];
}

// out += the sum of the parts, by one work-item.
kernel void reduce_final(global const double* parts, global double* out, uint count) {
  for (uint i = 0; i < count; i++) *out += parts[i];
}

kernel void square(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] * in[i];
}

kernel void negate(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = -in[i];
}

// Counts what is not `sign` * in[i] * in[i].
kernel void check_squares(global const float* in, global const float* out, float sign,
                          global uint* wrong) {
  const size_t i = get_global_id(0);
  if (out[i] != sign * in[i] * in[i]) atomic_inc(wrong);
}

kernel void nothing(void) {}

kernel void mark(global uint* memory, uint value) { memory[get_global_id(0)] = value; }
