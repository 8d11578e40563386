// SPDX-License-Identifier: Apache-2.0
// One launch for many tensors: element-wise work of lists, and the steps of optimizers. Tensors are
// kernel arguments of their own, because a device is told by its arguments which memory a kernel
// uses.
#include "element.h"

#define EACH_SLOT(DO) \
  DO(0)               \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

/// A slot is a tensor of the list with up to three more that go with it; a group's is its number in
/// the second dimension. It is chosen without branches, so that a compiler for CPUs does it once
/// for a group and makes vectors of the rest.
#define SLOT(i) \
  global float *out##i, global float *a##i, global float *b##i, global float *c##i, uint n##i,
#define TAKE(i)                   \
  out = slot == i ? out##i : out; \
  pa = slot == i ? a##i : pa;     \
  pb = slot == i ? b##i : pb;     \
  pc = slot == i ? c##i : pc;     \
  n = slot == i ? n##i : n;
// Groups behind the end of a short tensor are over at once; they are many beside a long one.
#define FIND                                            \
  global float *out = 0, *pa = 0, *pb = 0, *pc = 0;     \
  uint slot = get_group_id(1), n = 0;                   \
  EACH_SLOT(TAKE)                                       \
  if (get_group_id(0) * get_local_size(0) >= n) return; \
  ELEMENT(i, n)

/// What is not read is the same memory as `out`, so that no argument is missing.
#define MANY(name, expression)                       \
  kernel void many_##name(EACH_SLOT(SLOT) float s) { \
    FIND float a = pa[i], b = pb[i], c = pc[i];      \
    out[i] = expression;                             \
  }
MANY(add, a + s * b)
MANY(add_number, a + s)
MANY(sub, a - s * b)
MANY(mul, a* b)
MANY(mul_number, a* s)
MANY(div, a / b)
MANY(div_number, a / s)
MANY(number_pow, pow(s, a))
MANY(neg, -a)
MANY(reciprocal, 1 / a)
MANY(sqrt, sqrt(a))
MANY(lerp, s < 0.5f ? a + s * (b - a) : b - (b - a) * (1 - s))
MANY(addcmul, a + s * b * c)
MANY(addcdiv, a + s * b / c)
MANY(copy, b)
MANY(fill, s)

/// The gradient, which is `scale` times too large, if there is one, and is then put right for all
/// who look at it later, as PyTorch does. If `found_inf`, the step is left out.
#define TAKE_GRADIENT                       \
  if (found_inf && *found_inf != 0) return; \
  FIND float g = pa[i];                     \
  if (scale) pa[i] = g = g / *scale;        \
  if (maximize) g = -g;

/// out: parameter; pa: gradient; pb: momentum.
kernel void sgd(EACH_SLOT(SLOT) float decay, float momentum, float rate, float dampening,
                uint nesterov, uint maximize, uint first, global const float* scale,
                global const float* found_inf) {
  TAKE_GRADIENT
  float parameter = out[i];
  g += decay * parameter;
  if (momentum != 0) {
    float moved = first ? g : momentum * pb[i] + (1 - dampening) * g;
    pb[i] = moved;
    g = nesterov ? g + momentum * moved : moved;
  }
  out[i] = parameter - rate * g;
}

/// out: parameter; pa: gradient; pb, pc: its running mean and that of its square. `step` counts
/// this step, too.
#define STEP(i) , global const float* step##i
#define TAKE_STEP(i) steps = slot == i ? step##i : steps;
kernel void adam(EACH_SLOT(SLOT) float rate, float beta1, float beta2, float decay, float eps,
                 uint decoupled, uint maximize, global const float* scale,
                 global const float* found_inf EACH_SLOT(STEP)) {
  TAKE_GRADIENT
  global const float* steps = 0;
  EACH_SLOT(TAKE_STEP)
  float step = *steps;
  float parameter = out[i];
  if (decoupled)
    parameter -= rate * decay * parameter;
  else
    g += decay * parameter;
  float mean = pb[i] + (1 - beta1) * (g - pb[i]);
  float square = beta2 * pc[i] + (1 - beta2) * g * g;
  pb[i] = mean;
  pc[i] = square;
  float size = rate / (1 - pow(beta1, step));
  out[i] = parameter - size * mean / (sqrt(square) / sqrt(1 - pow(beta2, step)) + eps);
}
