// SPDX-License-Identifier: Apache-2.0
// OpenCL C twins of the kernels in port/kernels.h and port/conditional.h: same names, argument lists
// and effects.

kernel void k_noop(void) {}
kernel void k_set(global int* p, int i, int v) { p[i] = v; }
kernel void k_add(global int* p, int i, int v) { p[i] += v; }
kernel void k_step(global int* p, int a, int b) { p[0] = (int)((uint)p[0] * (uint)a + (uint)b); }
kernel void k_copy(global int* dst, int di, global const int* src, int si) { dst[di] = src[si]; }
kernel void k_fill(global int* p, int n, int v) {
  int i = (int)get_global_id(0);
  if (i < n) p[i] = v;
}
kernel void k_axpb(global int* p, int n, int a, int b) {
  int i = (int)get_global_id(0);
  if (i < n) p[i] = (int)((uint)p[i] * (uint)a + (uint)b);
}
kernel void k_vadd(global int* out, global const int* a, global const int* b, int n) {
  int i = (int)get_global_id(0);
  if (i < n) out[i] = a[i] + b[i];
}
kernel void k_vsub(global int* out, global const int* a, global const int* b, int n) {
  int i = (int)get_global_id(0);
  if (i < n) out[i] = a[i] - b[i];
}
kernel void k_sum(global int* out, global const int* p, int n) {
  uint s = 0;
  for (int i = 0; i < n; i++) s += (uint)p[i];
  out[0] = (int)s;
}
kernel void k_count(volatile global int* p) { atomic_add(p, 1); }
kernel void k_dims(global int* out) {
  if (get_global_id(0) | get_global_id(1) | get_global_id(2)) return;
  for (uint d = 0; d < 3; d++) {
    out[d] = (int)get_num_groups(d);
    out[3 + d] = (int)get_local_size(d);
  }
}
kernel void k_iota3(global int* p) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
  int w = (int)get_global_size(0), h = (int)get_global_size(1);
  p[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}
kernel void k_mixed(global long* out, char a, short b, int c, long d, float e) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = (long)(e * 4.0f);
}
kernel void k_args12(global int* out, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
  out[0] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}
kernel void k_spin_step(global int* p, int a, int b, int iters) {
  uint x = (uint)p[0] | 1u;
  for (int i = 0; i < iters; i++) x = x * 1664525u + 1013904223u;
  p[0] = (int)((uint)p[0] * (uint)a + (uint)b + (x == 0xdeadbeefu ? 1u : 0u));
}
kernel void k_spin_set(global int* p, int i, int v, int iters) {
  uint x = (uint)p[i] | 1u;
  for (int k = 0; k < iters; k++) x = x * 1664525u + 1013904223u;
  p[i] = v + (x == 0xdeadbeefu ? 1 : 0);
}

// A conditional handle is the device address of its value.
void set_condition(ulong handle, uint value) { *(global uint*)handle = value; }
kernel void k_cond_read(ulong h, global const int* p, int i) { set_condition(h, (uint)p[i]); }
kernel void k_cond_value(ulong h, int v) { set_condition(h, (uint)v); }
kernel void k_cond_count(ulong h, global int* p, int i) {
  p[i] -= 1;
  set_condition(h, p[i] > 0 ? 1u : 0u);
}
kernel void k_cond_below(ulong h, global const int* p, int i, int limit) { set_condition(h, p[i] < limit ? 1u : 0u); }
