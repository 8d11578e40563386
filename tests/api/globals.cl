// SPDX-License-Identifier: Apache-2.0
// Variables of program scope, and kernels that share them.

typedef struct Mixed {
  char a;
  short b;
  int c[2];
  long d;
  float3 e;
} Mixed;

global int counter = 7;
global int table[8];
global Mixed mixed = {1, -2, {3, 4}, 5, (float3)(0.5f, 1.5f, 2.5f)};
global int* global where = &counter;
global uchar bytes[3] = {9, 8, 7};
static global int hidden = 3;

kernel void bump(int by) {
  if (get_local_id(0) == 0) counter += by;
}
kernel void read_counter(global int* out) { out[0] = counter; }
kernel void fill_table(int first) {
  const int i = (int)get_global_id(0);
  table[i] = first + i;
}
kernel void look(global long* out) {
  out[0] = mixed.a;
  out[1] = mixed.b;
  out[2] = mixed.c[1];
  out[3] = mixed.d;
  out[4] = (long)(mixed.e.z * 2);
  out[5] = *where;
  out[6] = bytes[0] * 100 + bytes[1] * 10 + bytes[2];
  out[7] = ++hidden;
}
