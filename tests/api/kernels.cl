// SPDX-License-Identifier: Apache-2.0
// Kernels of the API tests. Integer arithmetic only, so that results are exact on every device.

kernel void noop(void) {}
kernel void store(global int* p, int i, int v) { p[i] = v; }
// One argument that no other launch has: tests look for it in the driver's memory.
kernel void mark(global int* p, long v) { p[0] = (int)v; }
kernel void add(global int* p, int i, int v) { p[i] += v; }
// Does not commute with itself, so a wrong order of two steps shows.
kernel void step(global int* p, int a, int b) { p[0] = (int)((uint)p[0] * (uint)a + (uint)b); }
kernel void copy_one(global int* dst, int di, global const int* src, int si) { dst[di] = src[si]; }
kernel void fill_range(global int* p, int n, int v) {
  int i = (int)get_global_id(0);
  if (i < n) p[i] = v;
}
kernel void axpb(global int* p, int n, int a, int b) {
  int i = (int)get_global_id(0);
  if (i < n) p[i] = (int)((uint)p[i] * (uint)a + (uint)b);
}
kernel void vector_add(global int* out, global const int* a, global const int* b, int n) {
  int i = (int)get_global_id(0);
  if (i < n) out[i] = a[i] + b[i];
}
kernel void sum(global int* out, global const int* p, int n) {
  uint s = 0;
  for (int i = 0; i < n; i++) s += (uint)p[i];
  out[0] = (int)s;
}
// Busy first, so that a missing dependency shows.
kernel void slow_step(global int* p, int a, int b, int turns) {
  uint x = (uint)p[0] | 1u;
  for (int i = 0; i < turns; i++) x = x * 1664525u + 1013904223u;
  p[0] = (int)((uint)p[0] * (uint)a + (uint)b + (x == 0xdeadbeefu ? 1u : 0u));
}
// log[0] counts the entries behind it. Not atomic: entries are lost unless the calls are ordered.
kernel void note(global int* log, int id) {
  int n = log[0];
  log[1 + n] = id;
  log[0] = n + 1;
}
// Fills memory with a number that comes from other memory.
kernel void derive(global int* p, int n, global const int* from, int id) {
  int v = (int)((uint)from[0] * 31u + (uint)id);
  for (int i = 0; i < n; i++) p[i] = v;
}
// Counts what is not as it should be, from 1, and makes it so.
kernel void verify(global int* p, int n, int expected, global int* wrong) {
  int found = 1;
  for (int i = 0; i < n; i++) {
    found += p[i] != expected;
    p[i] = expected;
  }
  wrong[0] += found;
}
kernel void dims(global int* out) {
  if (get_global_id(0) | get_global_id(1) | get_global_id(2)) return;
  for (uint d = 0; d < 3; d++) {
    out[d] = (int)get_num_groups(d);
    out[3 + d] = (int)get_local_size(d);
  }
}
kernel void place(global int* p) {
  int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
  int w = (int)get_global_size(0), h = (int)get_global_size(1);
  p[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}

kernel void mixed(global long* out, char a, short b, int c, long d, float e) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = (long)(e * 4.0f);
}
typedef struct Record {
  short a;
  int b;
  long c;
  int d[3];
} Record;
kernel void take_record(global long* out, Record r, uchar last) {
  out[0] = r.a;
  out[1] = r.b;
  out[2] = r.c;
  out[3] = r.d[0] + 10 * r.d[1] + 100 * r.d[2];
  out[4] = last;
}
kernel void take_vector(global int* out, char2 a, int4 b) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = b.x + 2 * b.y + 3 * b.z + 4 * b.w;
}

// Turns each group's part of p round, through local memory.
kernel void reverse(global int* p, local int* room) {
  int i = (int)get_local_id(0), n = (int)get_local_size(0), first = (int)get_group_id(0) * n;
  room[i] = p[first + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[first + i] = room[n - 1 - i];
}
kernel void two_rooms(global int* out, local int* a, local short* b, int v) {
  int i = (int)get_local_id(0), n = (int)get_local_size(0);
  a[i] = v + i;
  b[i] = (short)(2 * i);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[n - 1 - i] * 1000 + b[n - 1 - i];
}
kernel void own_room(global int* p) {
  local int room[64];
  int i = (int)get_local_id(0);
  room[i] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[i] = room[63 - i];
}
__attribute__((reqd_work_group_size(8, 4, 2))) kernel void only_8_4_2(global int* p) {
  if (get_global_linear_id() == 0) p[0] = 842;
}

// A conditional handle is the address of its value.
#define xpuGraphSetConditional(handle, value) (*(global uint*)(handle) = (uint)(value))
kernel void decide(ulong handle, uint value) { xpuGraphSetConditional(handle, value); }
kernel void decide_by(ulong handle, global const int* p, int i) {
  xpuGraphSetConditional(handle, p[i]);
}
kernel void count_down(ulong handle, global int* p, int i) {
  p[i]--;
  xpuGraphSetConditional(handle, p[i] > 0);
}
