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

// A conditional handle is the address of its value.
#define xpuGraphSetConditional(handle, value) (*(global uint*)(handle) = (value))

kernel void set_byte(global uchar* byte, int value) { *byte = (uchar)value; }
kernel void add_byte(global uchar* byte, int value) { *byte = (uchar)(*byte + value); }
kernel void ask_byte(global const uchar* byte, ulong handle) { xpuGraphSetConditional(handle, *byte); }
kernel void ask_odd(global const uchar* byte, ulong handle) {
  xpuGraphSetConditional(handle, *byte % 2);
}

// One row of a Jacobi iteration for A x = b in each work-item.
kernel void jacobi_row(global const float* a, global const float* b, global const float* x,
                       global float* x_new, uint n) {
  const uint row = get_global_id(0);
  if (row >= n) return;
  float sum = b[row];
  for (uint i = 0; i < n; i++)
    if (i != row) sum -= a[row * n + i] * x[i];
  x_new[row] = sum / a[row * n + row];
}

// How much the iteration changed x decides whether there is another one; there are at most `most`.
kernel void jacobi_decide(global const float* x, global const float* x_new, uint n, float tolerance,
                          uint most, global uint* turns, ulong handle) {
  float change = 0;
  for (uint i = 0; i < n; i++) change = fmax(change, fabs(x_new[i] - x[i]));
  *turns += 1;
  xpuGraphSetConditional(handle, change > tolerance && *turns < most);
}
