// SPDX-License-Identifier: Apache-2.0
// Copies from layout to layout and type to type by kernels.
#pragma once

#include <ATen/core/TensorBody.h>

namespace xpugraph_torch {

/// Queues a copy between tensors of one device; `source` is broadcast. False, and nothing is done,
/// if there is no kernel for these types and layouts.
bool convert(const at::Tensor& source, const at::Tensor& target);

}  // namespace xpugraph_torch
