// SPDX-License-Identifier: Apache-2.0
// What the fallback needs to know of an operator, read once from its schema.
#pragma once

#include <optional>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>

namespace xpugraph_torch {

struct OperatorFacts {
  std::vector<size_t> outs;         ///< `out` arguments, which kernels may resize
  std::vector<size_t> written;      ///< arguments that are written, `out` among them
  bool is_view = false;             ///< returns a view of an argument and does nothing else
  bool reads_values = false;        ///< what it returns depends on values, not only on shapes
  bool draws = false;               ///< draws random numbers
  std::optional<size_t> generator;  ///< the argument with the generator
};

/// Throws if there is no CPU kernel.
const OperatorFacts& facts_of(const c10::OperatorHandle& op);

}  // namespace xpugraph_torch
