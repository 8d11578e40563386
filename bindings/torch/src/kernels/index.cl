// SPDX-License-Identifier: Apache-2.0
// What goes by indices: rows of a table and their gradient, negative log likelihood, triangles.
// A wrong index gives what is not a number, and sets `fault`, which whoever waits looks at.
#include "element.h"

/// out[before, index, after] = in[before, indices[index], after].
kernel void select_rows(global float* out, global const float* in, global const long* indices,
                        uint n, uint count, uint rows, uint after, global int* fault) {
  ELEMENT(i, n)
  long row = indices[i / after % count];
  bool is_row = row >= 0 && row < rows;
  if (!is_row) *fault = 1;
  out[i] = is_row ? in[((ulong)(i / after / count) * rows + row) * after + i % after] : NAN;
}

/// A work-item for each column goes through all indices, so that sums have one order.
kernel void add_rows(global float* out, global const float* grad, global const long* indices,
                     uint count, uint rows, uint columns, long left_out) {
  ELEMENT(column, columns)
  for (uint row = 0; row < rows; ++row) out[(ulong)row * columns + column] = 0;
  for (uint i = 0; i < count; ++i) {
    long row = indices[i];
    if (row == left_out || row < 0 || row >= rows) continue;
    out[(ulong)row * columns + column] += grad[(ulong)i * columns + column];
  }
}

#define GROUP 64

/// `reduction`: 0 none, 1 mean, 2 sum, as PyTorch counts. One work-group, for a result is one
/// number.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void likelihood(
    global float* out, global float* total_weight, global const float* in,
    global const long* target, global const float* weight, uint rows, uint classes, long left_out,
    int reduction, global int* fault) {
  local float sums[GROUP], weights[GROUP];
  uint me = get_local_id(0);
  float sum = 0, counted = 0;
  for (uint i = me; i < rows; i += GROUP) {
    long t = target[i];
    bool is_class = t >= 0 && t < classes;
    if (!is_class && t != left_out) *fault = 1;
    float w = t == left_out ? 0 : !is_class ? NAN : weight ? weight[t] : 1;
    float loss = t == left_out || !is_class ? w : -w * in[(ulong)i * classes + t];
    if (reduction == 0) out[i] = loss;
    sum += loss;
    counted += w;
  }
  sums[me] = sum;
  weights[me] = counted;
  for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < half_of) {
      sums[me] += sums[me + half_of];
      weights[me] += weights[me + half_of];
    }
  }
  if (me != 0) return;
  *total_weight = reduction == 0 ? 0 : weights[0];
  if (reduction != 0) *out = reduction == 1 ? sums[0] / weights[0] : sums[0];
}

kernel void likelihood_backward(global float* out, global const float* grad,
                                global const long* target, global const float* weight,
                                global const float* total_weight, uint n, uint classes,
                                long left_out, int reduction) {
  ELEMENT(i, n)
  uint row = i / classes;
  long t = target[row];
  float result = 0;
  if (t == i % classes && t != left_out) {
    result = -(weight ? weight[t] : 1) * grad[reduction == 0 ? row : 0];
    if (reduction == 1) result /= *total_weight;
  }
  out[i] = result;
}

#define TRIANGLE(name, T, kept)                                                        \
  kernel void name(global T* out, global const T* in, uint n, uint rows, uint columns, \
                   int diagonal) {                                                     \
    ELEMENT(i, n)                                                                      \
    int beyond = (int)(i % columns) - (int)(i / columns % rows);                       \
    out[i] = kept ? in[i] : 0;                                                         \
  }
TRIANGLE(tril_float, float, beyond <= diagonal)
TRIANGLE(triu_float, float, beyond >= diagonal)
TRIANGLE(tril_bool, uchar, beyond <= diagonal)
TRIANGLE(triu_bool, uchar, beyond >= diagonal)
