// SPDX-License-Identifier: Apache-2.0
// Layouts from sizes and strides, with dimensions joined where that is possible.
#pragma once

#include <optional>

#include <c10/util/irange.h>

#include "kernel.h"
#include "kernels/places.h"

namespace xpugraph_torch {

class PlacesBuilder {
 public:
  /// Dimensions are to be given innermost first; `steps` are those of the first two operands.
  void add(int64_t size, int64_t step0, int64_t step1) {
    if (size == 1) return;
    count_ *= size;
    fits_ = fits_ && step0 <= most_elements && step1 <= most_elements;
    if (unsigned d = layout_.dimensions) {
      int64_t before = layout_.size[d - 1];
      if (layout_.step[0][d - 1] * before == step0 && layout_.step[1][d - 1] * before == step1) {
        layout_.size[d - 1] *= static_cast<unsigned>(size);
        return;
      }
    }
    if (layout_.dimensions == MOST_DIMENSIONS) {
      fits_ = false;
      return;
    }
    unsigned d = layout_.dimensions++;
    layout_.size[d] = static_cast<unsigned>(size);
    layout_.step[0][d] = static_cast<int>(step0);
    layout_.step[1][d] = static_cast<int>(step1);
  }

  int64_t count() const { return count_; }

  /// None if there are too many dimensions, or steps that are too long.
  std::optional<Places> layout() const {
    if (!fits_) return std::nullopt;
    Places whole = layout_;
    if (whole.dimensions == 0) whole.size[whole.dimensions++] = 1;
    return whole;
  }

 private:
  Places layout_ = {};
  int64_t count_ = 1;
  bool fits_ = true;
};

}  // namespace xpugraph_torch
