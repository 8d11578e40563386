// SPDX-License-Identifier: Apache-2.0
// Where elements lie: shared by the kernels and by the host code that launches them.
#pragma once

#define MOST_OPERANDS 4
#define MOST_DIMENSIONS 6

/// The sizes that an index runs over, innermost first, and each operand's step in elements.
/// Operands that are broadcast have a step of 0.
typedef struct Places {
  unsigned dimensions;
  unsigned size[MOST_DIMENSIONS];
  int step[MOST_OPERANDS][MOST_DIMENSIONS];
} Places;

#ifdef __OPENCL_C_VERSION__
/// Where the element number `index` of an operand is.
static long place(const Places* layout, int operand, uint index) {
  long at = 0;
  for (uint d = 0; d + 1 < layout->dimensions; ++d) {
    at += (long)(index % layout->size[d]) * layout->step[operand][d];
    index /= layout->size[d];
  }
  return at + (long)index * layout->step[operand][layout->dimensions - 1];
}
#endif
