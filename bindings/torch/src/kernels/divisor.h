// SPDX-License-Identifier: Apache-2.0
// Division by a number that many work-items share: a multiplication, which CPUs do for a vector of
// them at once. For dividends below 2^31.
#pragma once

/// n / value = ((n * factor >> 32) + n) >> shift, by Granlund and Montgomery, "Division by
/// invariant integers using multiplication".
typedef struct Divisor {
  unsigned value, factor, shift;
} Divisor;

#ifdef __OPENCL_C_VERSION__
static uint quotient(uint n, Divisor by) {
  // Not mul_hi(), which is a call of a function on some CPUs.
  return ((uint)(((ulong)n * by.factor) >> 32) + n) >> by.shift;
}
#else
inline Divisor divisor(unsigned value) {
  unsigned shift = 0;
  while ((1ull << shift) < value) ++shift;
  unsigned long long power = 1ull << shift;
  return {value, static_cast<unsigned>(((power - value) << 32) / value + 1), shift};
}
#endif
