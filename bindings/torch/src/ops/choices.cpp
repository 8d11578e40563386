// SPDX-License-Identifier: Apache-2.0
// What PyTorch asks a device to decide.
#include "../operators.h"

namespace xpugraph_torch {
namespace {

/// The composed form: fused kernels keep state for the backward pass that only they
/// read.
int64_t choose_attention(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                         const std::optional<at::Tensor>&, double, bool, std::optional<double>,
                         bool) {
  constexpr int64_t composed = 0;
  return composed;
}

XPUGRAPH_OPERATORS(m) { m.impl("_fused_sdp_choice", choose_attention); }

}  // namespace
}  // namespace xpugraph_torch
