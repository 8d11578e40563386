// SPDX-License-Identifier: Apache-2.0
// Element-wise kernels. Built once for each element type T; each function twice: for operands that
// lie alike and without gaps, and for any layout with broadcasting.
#include "element.h"
#include "places.h"

#if defined(T_FLOAT)
typedef float T;
#elif defined(T_LONG)
typedef long T;
#endif
typedef uchar Bool;

/// `s` and `t` are numbers of the operation, such as alpha.
#define WITH_1(name, R, expression)                                                       \
  kernel void name##_dense(global R* out, global const T* pa, T s, T t, uint n) {         \
    ELEMENT(i, n)                                                                         \
    T a = pa[i];                                                                          \
    out[i] = expression;                                                                  \
  }                                                                                       \
  kernel void name##_any(global R* out, global const T* pa, T s, T t, uint n, Places l) { \
    ELEMENT(i, n)                                                                         \
    T a = pa[place(&l, 1, i)];                                                            \
    out[place(&l, 0, i)] = expression;                                                    \
  }

#define WITH_2(name, R, expression)                                                               \
  kernel void name##_dense(global R* out, global const T* pa, global const T* pb, T s, T t,       \
                           uint n) {                                                              \
    ELEMENT(i, n)                                                                                 \
    T a = pa[i], b = pb[i];                                                                       \
    out[i] = expression;                                                                          \
  }                                                                                               \
  kernel void name##_any(global R* out, global const T* pa, global const T* pb, T s, T t, uint n, \
                         Places l) {                                                              \
    ELEMENT(i, n)                                                                                 \
    T a = pa[place(&l, 1, i)], b = pb[place(&l, 2, i)];                                           \
    out[place(&l, 0, i)] = expression;                                                            \
  }

#define WITH_3(name, A, R, expression)                                            \
  kernel void name##_dense(global R* out, global const A* pa, global const T* pb, \
                           global const T* pc, T s, T t, uint n) {                \
    ELEMENT(i, n)                                                                 \
    A a = pa[i];                                                                  \
    T b = pb[i], c = pc[i];                                                       \
    out[i] = expression;                                                          \
  }                                                                               \
  kernel void name##_any(global R* out, global const A* pa, global const T* pb,   \
                         global const T* pc, T s, T t, uint n, Places l) {        \
    ELEMENT(i, n)                                                                 \
    A a = pa[place(&l, 1, i)];                                                    \
    T b = pb[place(&l, 2, i)], c = pc[place(&l, 3, i)];                           \
    out[place(&l, 0, i)] = expression;                                            \
  }

/// With a tensor, and with a number `t`, as the second operand.
#define BINARY(name, R, function)    \
  WITH_2(name, R, function(a, b, s)) \
  WITH_1(name##_number, R, function(a, t, s))

#define ADD(a, b, s) ((a) + (s) * (b))
#define SUB(a, b, s) ((a) - (s) * (b))
#define MUL(a, b, s) ((a) * (b))
#define EQ(a, b, s) ((a) == (b))
#define NE(a, b, s) ((a) != (b))
#define LT(a, b, s) ((a) < (b))
#define LE(a, b, s) ((a) <= (b))
#define GT(a, b, s) ((a) > (b))
#define GE(a, b, s) ((a) >= (b))
BINARY(add, T, ADD)
BINARY(sub, T, SUB)
BINARY(mul, T, MUL)
BINARY(eq, Bool, EQ)
BINARY(ne, Bool, NE)
BINARY(lt, Bool, LT)
BINARY(le, Bool, LE)
BINARY(gt, Bool, GT)
BINARY(ge, Bool, GE)
WITH_3(where, Bool, T, a ? b : c)
WITH_1(fill, T, s)
WITH_1(neg, T, -a)

#ifdef T_FLOAT
#define DIV(a, b, s) ((a) / (b))
#define POW(a, b, s) pow(a, b)
// As PyTorch: what is not a number stays so.
#define MAXIMUM(a, b, s) (isnan(a) ? (a) : isnan(b) ? (b) : max(a, b))
#define MINIMUM(a, b, s) (isnan(a) ? (a) : isnan(b) ? (b) : min(a, b))
BINARY(div, T, DIV)
BINARY(pow, T, POW)
BINARY(maximum, T, MAXIMUM)
BINARY(minimum, T, MINIMUM)

WITH_1(abs, T, fabs(a))
WITH_1(exp, T, exp(a))
WITH_1(log, T, log(a))
WITH_1(sqrt, T, sqrt(a))
WITH_1(rsqrt, T, 1 / sqrt(a))
WITH_1(reciprocal, T, 1 / a)
WITH_1(square, T, a* a)
WITH_1(cube, T, a* a* a)
WITH_1(sin, T, sin(a))
WITH_1(cos, T, cos(a))
WITH_1(tanh, T, tanh(a))
WITH_1(erf, T, erf(a))
WITH_1(isneginf, Bool, a == -INFINITY)
WITH_1(isposinf, Bool, a == INFINITY)
WITH_1(floor, T, floor(a))
WITH_1(ceil, T, ceil(a))
WITH_1(sgn, T, isnan(a) ? a : (T)((a > 0) - (a < 0)))
WITH_1(sigmoid, T, 1 / (1 + exp(-a)))
WITH_1(relu, T, a <= 0 ? 0 : a)
WITH_1(leaky_relu, T, a > 0 ? a : a * s)
WITH_1(silu, T, a / (1 + exp(-a)))
// min() and max() would lose what is not a number.
WITH_1(clamp, T, a<s ? s : a> t ? t : a)

static float cumulative(float x) { return 0.5f * (1 + erf(x * M_SQRT1_2_F)); }
static float gelu_slope(float x) {
  return cumulative(x) + x * 0.5f * M_2_SQRTPI_F * M_SQRT1_2_F * exp(-0.5f * x * x);
}
static float gelu_tanh_inner(float x) {
  return tanh(M_SQRT1_2_F * M_2_SQRTPI_F * (x + 0.044715f * x * x * x));
}
static float gelu_tanh_slope(float x) {
  float inner = gelu_tanh_inner(x);
  return 0.5f * (1 + inner) +
         0.5f * x * (1 - inner * inner) * M_SQRT1_2_F * M_2_SQRTPI_F * (1 + 3 * 0.044715f * x * x);
}
static float silu_slope(float x) {
  float sigmoid = 1 / (1 + exp(-x));
  return sigmoid * (1 + x * (1 - sigmoid));
}
WITH_1(gelu, T, a* cumulative(a))
WITH_1(gelu_tanh, T, 0.5f * a * (1 + gelu_tanh_inner(a)))
WITH_2(gelu_backward, T, a* gelu_slope(b))
WITH_2(gelu_tanh_backward, T, a* gelu_tanh_slope(b))
WITH_2(silu_backward, T, a* silu_slope(b))
WITH_2(sigmoid_backward, T, a* b*(1 - b))
WITH_2(tanh_backward, T, a*(1 - b * b))
WITH_2(threshold_backward, T, b <= s ? 0 : a)
WITH_2(leaky_relu_backward, T, b > 0 ? a : a * s)
WITH_2(mse, T, (a - b) * (a - b))
static float smooth_l1(float d, float beta) {
  return d < beta ? 0.5f * d * d / beta : d - 0.5f * beta;
}
WITH_2(smooth_l1, T, smooth_l1(fabs(a - b), s))
static float smooth_l1_slope(float d, float beta) {
  return d <= -beta ? -1 : d >= beta ? 1 : d / beta;
}
WITH_3(mse_backward, T, T, s* a*(b - c))
WITH_3(smooth_l1_backward, T, T, s* a* smooth_l1_slope(b - c, t))
WITH_3(addcmul, T, T, a + s * b * c)
WITH_3(addcdiv, T, T, a + s * b / c)
// As PyTorch, from the nearer end.
static float lerp(float a, float b, float w) {
  return w < 0.5f ? a + w * (b - a) : b - (b - a) * (1 - w);
}
WITH_2(lerp_number, T, lerp(a, b, s))
WITH_3(lerp, T, T, lerp(a, b, c))
WITH_1(log_sigmoid, T, min(a, 0.0f) - log1p(exp(-fabs(a))))
WITH_2(log_sigmoid_backward, T, a / (1 + exp(b)))
#endif
