// SPDX-License-Identifier: Apache-2.0
// Batch norm of [batch, channel, place], forward and backward. A work-group takes a channel.
#include "element.h"
#define GROUP 64
#define CHANNEL_KERNEL kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void

#define SUM_OF(parts, me)                                     \
  for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) { \
    barrier(CLK_LOCAL_MEM_FENCE);                             \
    if (me < half_of) parts[me] += parts[me + half_of];       \
  }                                                           \
  barrier(CLK_LOCAL_MEM_FENCE);

#define EACH(i) (uint i = me; i < batch * places; i += GROUP)
#define AT(i) (((ulong)((i) / places) * channels + channel) * places + (i) % places)

/// Mean and 1 / deviation of the batch; the running ones, if there are any, follow by `momentum`.
CHANNEL_KERNEL batch_statistics(global float* mean, global float* rstd, global float* running_mean,
                                global float* running_var, global const float* in, uint batch,
                                uint channels, uint places, float momentum, float eps) {
  local float sums[GROUP], squares[GROUP];
  uint me = get_local_id(0), channel = get_group_id(0), n = batch * places;
  float sum = 0, square = 0;
  for
    EACH(i) sum += in[AT(i)];
  sums[me] = sum;
  SUM_OF(sums, me)
  float m = sums[0] / n;
  for
    EACH(i) square += (in[AT(i)] - m) * (in[AT(i)] - m);
  squares[me] = square;
  SUM_OF(squares, me)
  if (me != 0) return;
  mean[channel] = m;
  rstd[channel] = 1 / sqrt(squares[0] / n + eps);
  if (running_mean) running_mean[channel] = momentum * m + (1 - momentum) * running_mean[channel];
  if (running_var)
    running_var[channel] = momentum * squares[0] / (n - 1) + (1 - momentum) * running_var[channel];
}

/// `deviation` holds 1 / deviation, or variances if `is_variance`.
kernel void batch_norm(global float* out, global const float* in, global const float* mean,
                       global const float* deviation, global const float* weight,
                       global const float* bias, uint n, uint channels, uint places, float eps,
                       uint is_variance) {
  ELEMENT(i, n)
  uint channel = i / places % channels;
  float r = deviation[channel];
  if (is_variance) r = 1 / sqrt(r + eps);
  float y = (in[i] - mean[channel]) * r;
  if (weight) y *= weight[channel];
  if (bias) y += bias[channel];
  out[i] = y;
}

/// Any of the three gradients may be missing. In evaluation mean and deviation are constants.
CHANNEL_KERNEL batch_norm_backward(global float* out, global float* weight_grad,
                                   global float* bias_grad, global const float* grad,
                                   global const float* in, global const float* mean,
                                   global const float* deviation, global const float* weight,
                                   uint batch, uint channels, uint places, float eps,
                                   uint is_training) {
  local float sums[GROUP], products[GROUP];
  uint me = get_local_id(0), channel = get_group_id(0), n = batch * places;
  float m = mean[channel], sum = 0, product = 0;
  float r = is_training ? deviation[channel] : 1 / sqrt(deviation[channel] + eps);
  for
    EACH(i) {
      sum += grad[AT(i)];
      product += grad[AT(i)] * (in[AT(i)] - m) * r;
    }
  sums[me] = sum;
  products[me] = product;
  SUM_OF(sums, me)
  SUM_OF(products, me)
  if (out) {
    float scale = weight ? weight[channel] * r : r;
    for
      EACH(i) {
        float g = grad[AT(i)];
        if (is_training) g -= (sums[0] + (in[AT(i)] - m) * r * products[0]) / n;
        out[AT(i)] = g * scale;
      }
  }
  if (me != 0) return;
  if (weight_grad) weight_grad[channel] = products[0];
  if (bias_grad) bias_grad[channel] = sums[0];
}
