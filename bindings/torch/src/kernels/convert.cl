// SPDX-License-Identifier: Apache-2.0
// Copies between layouts and element types; the bits of a bfloat16 are the upper half of a float's.
#include "element.h"
#include "places.h"

static float from_bfloat(ushort bits) { return as_float((uint)bits << 16); }
static ushort to_bfloat(float x) {
  uint bits = as_uint(x);
  return isnan(x) ? 0x7fc0 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

#define CONVERT(name, From, To, expression)                                         \
  kernel void name##_any(global To* out, global const From* in, uint n, Places l) { \
    ELEMENT(i, n)                                                                   \
    From a = in[place(&l, 1, i)];                                                   \
    out[place(&l, 0, i)] = expression;                                              \
  }                                                                                 \
  kernel void name##_dense(global To* out, global const From* in, uint n) {         \
    ELEMENT(i, n)                                                                   \
    From a = in[i];                                                                 \
    out[i] = expression;                                                            \
  }

CONVERT(bytes1, uchar, uchar, a)
CONVERT(bytes2, ushort, ushort, a)
CONVERT(bytes4, uint, uint, a)
CONVERT(bytes8, ulong, ulong, a)
CONVERT(float_long, float, long, convert_long(a))
CONVERT(float_int, float, int, convert_int(a))
CONVERT(float_bool, float, uchar, a != 0)
CONVERT(float_bfloat, float, ushort, to_bfloat(a))
CONVERT(long_float, long, float, a)
CONVERT(long_int, long, int, a)
CONVERT(long_bool, long, uchar, a != 0)
CONVERT(int_float, int, float, a)
CONVERT(int_long, int, long, a)
CONVERT(bool_float, uchar, float, a)
CONVERT(bool_long, uchar, long, a)
CONVERT(bool_int, uchar, int, a)
CONVERT(bfloat_float, ushort, float, from_bfloat(a))

// half is a type of storage here: vload_half and vstore_half need no support for its arithmetic.
kernel void float_half_any(global half* out, global const float* in, uint n, Places l) {
  ELEMENT(i, n)
  vstore_half_rte(in[place(&l, 1, i)], place(&l, 0, i), out);
}
kernel void float_half_dense(global half* out, global const float* in, uint n) {
  ELEMENT(i, n)
  vstore_half_rte(in[i], i, out);
}
kernel void half_float_any(global float* out, global const half* in, uint n, Places l) {
  ELEMENT(i, n)
  out[place(&l, 0, i)] = vload_half(place(&l, 1, i), in);
}
kernel void half_float_dense(global float* out, global const half* in, uint n) {
  ELEMENT(i, n)
  out[i] = vload_half(i, in);
}

kernel void fill_bytes(global uchar* out, uchar value, uint n) {
  ELEMENT(i, n)
  out[i] = value;
}
