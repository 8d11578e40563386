// SPDX-License-Identifier: Apache-2.0
// Element-wise work on tensors of any layout, with broadcasting.
#pragma once

#include <initializer_list>
#include <string>

#include <ATen/TensorIterator.h>

#include "kernel.h"
#include "kernels/places.h"

namespace xpugraph_torch {

/// How the operands of `iter` lie, the output first; none if that is beyond what kernels take.
std::optional<Places> places_of(const at::TensorIteratorBase& iter);

/// The kernels of one function in kernels/elements.cl.
class Elements {
 public:
  /// @param result  of a function whose results are not of the type of its operands.
  /// @param masked  the first of its operands is a mask.
  explicit Elements(const std::string& name, std::optional<at::ScalarType> result = {},
                    bool masked = false);

  /// Queues `out = function(inputs, s, t)`, and gives `out` the size of the broadcast inputs.
  /// False, and nothing is done, if there is no kernel for these types or layouts.
  bool run(const at::Tensor& out, std::initializer_list<at::Tensor> inputs, const at::Scalar& s = 0,
           const at::Scalar& t = 0) const;

 private:
  struct Pair {
    Kernel dense, any;
  };
  template <typename Number>
  bool run_as(const Pair& kernels, at::TensorIteratorBase& iter, Number s, Number t) const;

  std::optional<at::ScalarType> result_;
  bool masked_;
  Pair float_, long_;
};

/// A tensor that counts as a number.
inline bool is_number(const at::Tensor& tensor) { return tensor.dim() == 0 && tensor.is_cpu(); }

}  // namespace xpugraph_torch
