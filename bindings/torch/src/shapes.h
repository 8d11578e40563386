// SPDX-License-Identifier: Apache-2.0
// What an operator returns, inferred from what it is given without running it.
#pragma once

#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/util/SmallVector.h>

#include "operator_facts.h"

namespace xpugraph_torch {

/// One tensor of the results.
struct TensorShape {
  enum class Kind { undefined, argument, fresh };
  Kind kind = Kind::undefined;
  size_t argument =
      0;  ///< which of the tensors among the arguments, counted in order without repeats
  c10::ScalarType dtype = c10::ScalarType::Float;
  c10::SmallVector<int64_t, 5> sizes;
  c10::SmallVector<int64_t, 5> strides;
  int64_t offset = 0;  ///< of a view, in its own elements, from its base
};

/// One result: a tensor or a list of them.
struct ResultShape {
  bool is_list = false;
  std::vector<TensorShape> tensors;
};

struct Shapes {
  std::vector<ResultShape> results;
  /// `out` arguments that the operator resizes, with their new shape.
  std::vector<TensorShape> resized;
};

/// Runs the Meta kernel, or finds what it said for equal arguments before: Meta kernels of
/// element-wise operators are Python, and cost 50 us.
/// @param tensors  the tensors among the arguments, in order and without repeats.
/// @throws c10::NotImplementedError if only values would tell.
std::shared_ptr<const Shapes> infer_shapes(const c10::OperatorHandle& op,
                                           const OperatorFacts& facts,
                                           c10::ArrayRef<c10::IValue> arguments,
                                           const std::vector<at::Tensor>& tensors);

}  // namespace xpugraph_torch
