// SPDX-License-Identifier: Apache-2.0
// All that the shapes of an operator's results can depend on, as words to compare.
#pragma once

#include <optional>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace xpugraph_torch {

using Signature = std::vector<uint64_t>;

struct SignatureHash {
  size_t operator()(const Signature& signature) const noexcept;
};

/// None if an argument is of a kind that is not known here.
std::optional<Signature> signature_of(const c10::OperatorHandle& op,
                                      c10::ArrayRef<c10::IValue> arguments,
                                      const std::vector<at::Tensor>& tensors);

}  // namespace xpugraph_torch
