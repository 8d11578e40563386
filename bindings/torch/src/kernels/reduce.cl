// SPDX-License-Identifier: Apache-2.0
// Reductions: one work-item for a result where there are many, else one work-group.
// Long sums are taken in parts of 256, because a running sum loses what is small beside it.
#include "element.h"
#include "places.h"

#define GROUP 64

/// `outer` places results (operand 0) and their inputs (1); `inner` the inputs of one result (1).
#define REDUCE(name, T, start, with, value, result)                                              \
  T name##_part(global const T* in, uint first, uint last, uint by, const Places* inner) {       \
    T total = start, part = start;                                                               \
    uint taken = 0;                                                                              \
    for (uint i = first; i < last; i += by) {                                                    \
      T x = in[place(inner, 1, i)];                                                              \
      part = with(part, value(x));                                                               \
      if (++taken % 256 == 0) {                                                                  \
        total = with(total, part);                                                               \
        part = start;                                                                            \
      }                                                                                          \
    }                                                                                            \
    return with(total, part);                                                                    \
  }                                                                                              \
  kernel void name##_item(global T* out, global const T* in, float s, uint outputs, uint inputs, \
                          Places outer, Places inner) {                                          \
    ELEMENT(o, outputs)                                                                          \
    T x = name##_part(in + place(&outer, 1, o), 0, inputs, 1, &inner);                           \
    out[place(&outer, 0, o)] = result(x) * s;                                                    \
  }                                                                                              \
  kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name##_group(                   \
      global T* out, global const T* in, float s, uint outputs, uint inputs, Places outer,       \
      Places inner) {                                                                            \
    local T parts[GROUP];                                                                        \
    uint o = get_group_id(0), me = get_local_id(0);                                              \
    parts[me] = name##_part(in + place(&outer, 1, o), me, inputs, GROUP, &inner);                \
    for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) {                                  \
      barrier(CLK_LOCAL_MEM_FENCE);                                                              \
      if (me < half_of) parts[me] = with(parts[me], parts[me + half_of]);                        \
    }                                                                                            \
    if (me == 0) out[place(&outer, 0, o)] = result(parts[0]) * s;                                \
  }

/// For results that lie side by side, and so do their inputs: eight with each work-item.
#define REDUCE_SIDE_BY_SIDE(name, start, with, value, result)                               \
  kernel void name##_wide(global float* out, global const float* in, float s, uint outputs, \
                          uint inputs, Places outer, Places inner) {                        \
    ELEMENT(o, outputs / 8)                                                                 \
    float8 total = start, part = start;                                                     \
    for (uint i = 0; i < inputs; ++i) {                                                     \
      float8 x = vload8(o, in + (long)i * inner.step[1][0]);                                \
      part = with(part, value(x));                                                          \
      if ((i + 1) % 256 == 0) {                                                             \
        total = with(total, part);                                                          \
        part = start;                                                                       \
      }                                                                                     \
    }                                                                                       \
    total = with(total, part);                                                              \
    vstore8(result(total) * s, o, out);                                                     \
  }

#define PLUS(a, b) ((a) + (b))
#define LARGER(a, b) (isnan(a) ? (a) : isnan(b) ? (b) : max(a, b))
#define SMALLER(a, b) (isnan(a) ? (a) : isnan(b) ? (b) : min(a, b))
#define SAME(x) (x)
#define SQUARE(x) ((x) * (x))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))
#define REDUCE_FLOATS(name, start, with, value, result) \
  REDUCE(name, float, start, with, value, result)       \
  REDUCE_SIDE_BY_SIDE(name, start, with, value, result)
REDUCE_FLOATS(sum, 0, PLUS, SAME, SAME)
REDUCE_FLOATS(norm1, 0, PLUS, fabs, SAME)
REDUCE_FLOATS(norm2, 0, PLUS, SQUARE, sqrt)
REDUCE_FLOATS(amax, -INFINITY, LARGER, SAME, SAME)
REDUCE_FLOATS(amin, INFINITY, SMALLER, SAME, SAME)
REDUCE(all, uchar, 1, BOTH, SAME, SAME)
REDUCE(any, uchar, 0, EITHER, SAME, SAME)
