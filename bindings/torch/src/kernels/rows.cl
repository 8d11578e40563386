// SPDX-License-Identifier: Apache-2.0
// What is computed row by row: softmax and layer norm, forward and backward. A work-group takes a
// row.
#include "element.h"
#define GROUP 32
#define ROW_KERNEL kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void

#define SUM_OF(parts, me)                                     \
  for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE);                             \
    if (me < half_of) parts[me] += parts[me + half_of];       \
  }                                                           \
  barrier(CLK_LOCAL_MEM_FENCE);

#define LARGEST_OF(parts, me)                                          \
  for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) {          \
    barrier(CLK_LOCAL_MEM_FENCE);                                      \
    if (me < half_of) parts[me] = max(parts[me], parts[me + half_of]); \
  }                                                                    \
  barrier(CLK_LOCAL_MEM_FENCE);

/// Where the row of this work-group begins, if its elements are `inner` apart.
#define ROW_BEGIN(n, inner) \
  ((ulong)(get_group_id(0) / (inner)) * (n) * (inner) + get_group_id(0) % (inner))

#define SOFTMAX(name, result)                                                           \
  ROW_KERNEL name(global float* out, global const float* in, uint n, uint inner) {      \
    local float parts[GROUP], sums[GROUP];                                              \
    uint me = get_local_id(0);                                                          \
    ulong begin = ROW_BEGIN(n, inner);                                                  \
    float largest = -INFINITY, sum = 0;                                                 \
    for (uint i = me; i < n; i += GROUP) largest = max(largest, in[begin + i * inner]); \
    parts[me] = largest;                                                                \
    LARGEST_OF(parts, me)                                                               \
    for (uint i = me; i < n; i += GROUP) sum += exp(in[begin + i * inner] - parts[0]);  \
    sums[me] = sum;                                                                     \
    SUM_OF(sums, me)                                                                    \
    for (uint i = me; i < n; i += GROUP) {                                              \
      float x = in[begin + i * inner] - parts[0];                                       \
      out[begin + i * inner] = result;                                                  \
    }                                                                                   \
  }
SOFTMAX(softmax, exp(x) / sums[0])
SOFTMAX(log_softmax, x - log(sums[0]))

#define SOFTMAX_BACKWARD(name, weight, result)                                                     \
  ROW_KERNEL name(global float* out, global const float* grad, global const float* output, uint n, \
                  uint inner) {                                                                    \
    local float sums[GROUP];                                                                       \
    uint me = get_local_id(0);                                                                     \
    ulong begin = ROW_BEGIN(n, inner);                                                             \
    float sum = 0;                                                                                 \
    for (uint i = me; i < n; i += GROUP) {                                                         \
      float g = grad[begin + i * inner], y = output[begin + i * inner];                            \
      sum += weight;                                                                               \
    }                                                                                              \
    sums[me] = sum;                                                                                \
    SUM_OF(sums, me)                                                                               \
    for (uint i = me; i < n; i += GROUP) {                                                         \
      float g = grad[begin + i * inner], y = output[begin + i * inner];                            \
      out[begin + i * inner] = result;                                                             \
    }                                                                                              \
  }
SOFTMAX_BACKWARD(softmax_backward, g* y, y*(g - sums[0]))
SOFTMAX_BACKWARD(log_softmax_backward, g, g - exp(y) * sums[0])

ROW_KERNEL layer_norm(global float* out, global float* mean, global float* rstd,
                      global const float* in, global const float* weight, global const float* bias,
                      uint n, float eps) {
  local float sums[GROUP], squares[GROUP];
  uint me = get_local_id(0), row = get_group_id(0);
  in += (ulong)row * n;
  out += (ulong)row * n;
  float sum = 0, square = 0;
  for (uint i = me; i < n; i += GROUP) sum += in[i];
  sums[me] = sum;
  SUM_OF(sums, me)
  float m = sums[0] / n;
  // Not the mean of squares less the square of the mean, which loses digits.
  for (uint i = me; i < n; i += GROUP) square += (in[i] - m) * (in[i] - m);
  squares[me] = square;
  SUM_OF(squares, me)
  float r = 1 / sqrt(squares[0] / n + eps);
  for (uint i = me; i < n; i += GROUP) {
    float y = (in[i] - m) * r;
    if (weight) y *= weight[i];
    if (bias) y += bias[i];
    out[i] = y;
  }
  if (me == 0) {
    mean[row] = m;
    rstd[row] = r;
  }
}

ROW_KERNEL layer_norm_backward(global float* out, global const float* grad, global const float* in,
                               global const float* mean, global const float* rstd,
                               global const float* weight, uint n) {
  local float sums[GROUP], products[GROUP];
  uint me = get_local_id(0), row = get_group_id(0);
  in += (ulong)row * n;
  grad += (ulong)row * n;
  out += (ulong)row * n;
  float m = mean[row], r = rstd[row], sum = 0, product = 0;
  for (uint i = me; i < n; i += GROUP) {
    float g = weight ? grad[i] * weight[i] : grad[i];
    sum += g;
    product += g * (in[i] - m) * r;
  }
  sums[me] = sum;
  products[me] = product;
  SUM_OF(sums, me)
  SUM_OF(products, me)
  for (uint i = me; i < n; i += GROUP) {
    float g = weight ? grad[i] * weight[i] : grad[i];
    out[i] = r * (g - (sums[0] + (in[i] - m) * r * products[0]) / n);
  }
}

/// A work-item for each column: the gradients of weight and bias, either of which may be missing.
kernel void layer_norm_parameters(global float* weight_grad, global float* bias_grad,
                                  global const float* grad, global const float* in,
                                  global const float* mean, global const float* rstd, uint rows,
                                  uint n) {
  ELEMENT(i, n)
  float weight = 0, bias = 0;
  for (uint row = 0; row < rows; ++row) {
    float g = grad[(ulong)row * n + i];
    weight += g * (in[(ulong)row * n + i] - mean[row]) * rstd[row];
    bias += g;
  }
  if (weight_grad) weight_grad[i] = weight;
  if (bias_grad) bias_grad[i] = bias;
}
