// SPDX-License-Identifier: Apache-2.0
// Batch norm in training and evaluation.
#include <ATen/ops/empty.h>

#include "../fallback.h"
#include "../kernel.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Tensor;
using Three = std::tuple<Tensor, Tensor, Tensor>;
constexpr xpuDim3 group = {64, 1, 1};

Three three(const torch::jit::Stack& results) {
  return {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()};
}

struct Sizes {
  uint32_t batch, channels, places;
  explicit Sizes(const Tensor& input)
      : batch(static_cast<uint32_t>(input.size(0))),
        channels(static_cast<uint32_t>(input.size(1))),
        places(static_cast<uint32_t>(input.numel() / input.size(0) / input.size(1))) {}
};

/// Kernels read and write them in place.
bool is_dense(const std::optional<Tensor>& tensor) {
  return !tensor || !tensor->defined() || tensor->is_contiguous();
}

Three batch_norm(const Tensor& input, const std::optional<Tensor>& weight,
                 const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                 const std::optional<Tensor>& running_var, bool training, double momentum,
                 double eps) {
  static const Kernel statistics("batch_norm", "batch_statistics"),
      norm("batch_norm", "batch_norm");
  bool is_covered = all_float(input, weight, bias, running_mean, running_var) &&
                    input.numel() > 0 && input.dim() >= 2 && is_dense(weight) && is_dense(bias) &&
                    is_dense(running_mean) && is_dense(running_var);
  if (!is_covered)
    return three(
        run_on_host("aten::native_batch_norm", "",
                    {input, weight, bias, running_mean, running_var, training, momentum, eps}));
  OnDevice there(input.device().index());
  Sizes sizes(input);
  Tensor from = input.contiguous(), out = at::empty(input.sizes(), input.options());
  int64_t kept = training ? input.size(1) : 0;
  Tensor mean = at::empty({kept}, input.options()), rstd = at::empty({kept}, input.options());
  if (training)
    launch(statistics.get(), {sizes.channels, 1, 1}, group, address(mean), address(rstd),
           address(running_mean), address(running_var), address(from), sizes.batch, sizes.channels,
           sizes.places, static_cast<float>(momentum), static_cast<float>(eps));
  launch_items(norm.get(), input.numel(), address(out), address(from),
               training ? address(mean) : address(running_mean),
               training ? address(rstd) : address(running_var), address(weight), address(bias),
               static_cast<uint32_t>(input.numel()), sizes.channels, sizes.places,
               static_cast<float>(eps), static_cast<uint32_t>(!training));
  return {out, mean, rstd};
}

Three batch_norm_backward(const Tensor& grad, const Tensor& input,
                          const std::optional<Tensor>& weight,
                          const std::optional<Tensor>& running_mean,
                          const std::optional<Tensor>& running_var,
                          const std::optional<Tensor>& saved_mean,
                          const std::optional<Tensor>& saved_rstd, bool training, double eps,
                          std::array<bool, 3> wanted) {
  static const Kernel kernel("batch_norm", "batch_norm_backward");
  const std::optional<Tensor>& mean = training ? saved_mean : running_mean;
  const std::optional<Tensor>& deviation = training ? saved_rstd : running_var;
  bool is_covered = all_float(grad, input, weight, mean, deviation) && input.numel() > 0 &&
                    input.dim() >= 2 && mean && deviation && is_dense(weight) && is_dense(mean) &&
                    is_dense(deviation);
  if (!is_covered)
    return three(
        run_on_host("aten::native_batch_norm_backward", "",
                    {grad, input, weight, running_mean, running_var, saved_mean, saved_rstd,
                     training, eps, c10::List<bool>({wanted[0], wanted[1], wanted[2]})}));
  OnDevice there(input.device().index());
  Sizes sizes(input);
  Tensor from = input.contiguous(), to = grad.contiguous(), input_grad, weight_grad, bias_grad;
  if (wanted[0]) input_grad = at::empty(input.sizes(), input.options());
  if (wanted[1]) weight_grad = at::empty({input.size(1)}, input.options());
  if (wanted[2]) bias_grad = at::empty({input.size(1)}, input.options());
  launch(kernel.get(), {sizes.channels, 1, 1}, group, address(input_grad), address(weight_grad),
         address(bias_grad), address(to), address(from), address(mean), address(deviation),
         address(weight), sizes.batch, sizes.channels, sizes.places, static_cast<float>(eps),
         static_cast<uint32_t>(training));
  return {input_grad, weight_grad, bias_grad};
}

XPUGRAPH_OPERATORS(m) {
  m.impl("native_batch_norm", batch_norm);
  m.impl("native_batch_norm_backward", batch_norm_backward);
}

}  // namespace
}  // namespace xpugraph_torch
