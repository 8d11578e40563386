// SPDX-License-Identifier: Apache-2.0
// A system of linear equations on which Jacobi's iteration converges, and memory for it.
#pragma once

#include <cmath>
#include <vector>

#include "workload.h"

constexpr unsigned kSize = 256, kGroup = 64;

// The diagonal outweighs its row, so the iteration converges.
struct System {
  std::vector<float> a, b;
  explicit System(unsigned seed) : a(kSize * kSize), b(kSize) {
    auto random = [&seed] {
      return static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
    };
    for (unsigned row = 0; row < kSize; row++) {
      float sum = 0;
      for (unsigned i = 0; i < kSize; i++) sum += a[row * kSize + i] = random() - 0.5f;
      a[row * kSize + row] = kSize / 2.0f + std::fabs(sum);
      b[row] = random();
    }
  }
  // The largest part of b - A x, in double.
  double residual(const std::vector<float>& x) const {
    double worst = 0;
    for (unsigned row = 0; row < kSize; row++) {
      double rest = b[row];
      for (unsigned i = 0; i < kSize; i++) rest -= double{a[row * kSize + i]} * x[i];
      worst = std::fmax(worst, std::fabs(rest));
    }
    return worst;
  }
};

template <class T>
T* on_device(size_t count) {
  void* memory = nullptr;
  CALL(xpuMalloc(&memory, count * sizeof(T)));
  return static_cast<T*>(memory);
}
