// SPDX-License-Identifier: Apache-2.0
// Operators that PyTorch names differently for devices from outside its tree, or asks them to
// decide.
#include <array>

#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <torch/library.h>

#include "../fallback.h"

namespace xpugraph_torch {
namespace {

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight,
                       const std::optional<at::Tensor>& bias, c10::IntArrayRef stride,
                       c10::IntArrayRef padding, c10::IntArrayRef dilation, bool transposed,
                       c10::IntArrayRef output_padding, int64_t groups) {
  return run_on_host(
             "aten::convolution", "",
             {input, weight, bias, stride, padding, dilation, transposed, output_padding, groups})
      .back()
      .toTensor();
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight,
    c10::IntArrayRef stride, c10::IntArrayRef padding, c10::IntArrayRef dilation, bool transposed,
    c10::IntArrayRef output_padding, int64_t groups, std::array<bool, 3> wanted) {
  c10::List<int64_t> bias_sizes({grad.size(1)});
  torch::jit::Stack results =
      run_on_host("aten::convolution_backward", "",
                  {grad, input, weight, bias_sizes, stride, padding, dilation, transposed,
                   output_padding, groups, c10::List<bool>({wanted[0], wanted[1], wanted[2]})});
  return {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()};
}

/// On the host the composed form: fused kernels keep state for the backward pass that only they
/// read.
int64_t choose_attention(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                         const std::optional<at::Tensor>&, double, bool, std::optional<double>,
                         bool) {
  constexpr int64_t composed = 0;
  return composed;
}

/// The CPU kernel draws from PyTorch's own generator; composed, the draw is one of the device's.
std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor& input, double p,
                                                  std::optional<bool> train) {
  if (train && !*train)
    return {input.clone(), at::empty_like(input, input.options().dtype(at::kBool)).fill_(true)};
  double kept = 1 - p;
  at::Tensor mask = at::empty_like(input, input.options().dtype(at::kBool)).bernoulli_(kept);
  return {input.mul(mask).mul_(kept > 0 ? 1 / kept : 0), mask};
}

at::Tensor native_dropout_backward(const at::Tensor& grad, const at::Tensor& mask, double scale) {
  return grad.mul(mask).mul_(scale);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("convolution_backward_overrideable", convolution_backward);
  m.impl("_fused_sdp_choice", choose_attention);
  m.impl("native_dropout", native_dropout);
  m.impl("native_dropout_backward", native_dropout_backward);
}

}  // namespace
}  // namespace xpugraph_torch
