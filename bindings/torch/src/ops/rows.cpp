// SPDX-License-Identifier: Apache-2.0
// Softmax and layer norm.
#include <numeric>

#include <ATen/WrapDimUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "../fallback.h"
#include "../kernel.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Tensor;
constexpr xpuDim3 group = {32, 1, 1};

/// What kernels write where results may have any layout: `out` itself, or memory that `into()`
/// copies from.
Tensor dense(const Tensor& out) {
  return out.is_contiguous() ? out : at::empty(out.sizes(), out.options());
}
void into(const Tensor& out, const Tensor& made) {
  if (!made.is_same(out)) out.copy_(made);
}

/// A row for each work-group, along `dim`.
template <typename... Inputs>
bool run_rows(const Kernel& kernel, const Tensor& out, int64_t dim, const Inputs&... inputs) {
  if (!all_float(out, inputs...) || !((inputs.sizes() == out.sizes()) && ...)) return false;
  if (out.numel() == 0) return true;
  OnDevice there(out.device().index());
  dim = at::maybe_wrap_dim(dim, out.dim());
  int64_t n = out.dim() ? out.size(dim) : 1, inner = 1;
  for (int64_t d = dim + 1; d < out.dim(); ++d) inner *= out.size(d);
  Tensor made = dense(out);
  std::array<Tensor, sizeof...(inputs)> from = {inputs.contiguous()...};
  auto begin = [&](auto... addresses) {
    launch(kernel.get(), {static_cast<uint32_t>(out.numel() / n), 1, 1}, group, address(made),
           addresses..., static_cast<uint32_t>(n), static_cast<uint32_t>(inner));
  };
  std::apply([&](const auto&... tensors) { begin(address(tensors)...); }, from);
  into(out, made);
  return true;
}

template <Name name>
Tensor& softmax(const Tensor& self, int64_t dim, bool to_float, Tensor& out) {
  static const Kernel kernel("rows", name.text);
  if (!run_rows(kernel, out, dim, self))
    run_on_host((std::string("aten::_") + name.text).c_str(), "out", {self, dim, to_float, out});
  return out;
}

template <Name name, Name kernel_name, Name argument>
Tensor& softmax_backward(const Tensor& grad, const Tensor& output, int64_t dim, at::ScalarType type,
                         Tensor& out) {
  static const Kernel kernel("rows", kernel_name.text);
  if (!run_rows(kernel, out, dim, grad, output))
    run_on_host(qualified(name.text).c_str(), argument.text, {grad, output, dim, type, out});
  return out;
}

/// How many rows of how many elements; the statistics' sizes.
struct Rows {
  int64_t count, length;
  std::vector<int64_t> statistics;

  Rows(const Tensor& input, c10::IntArrayRef shape) : count(1), length(1) {
    int64_t before = input.dim() - static_cast<int64_t>(shape.size());
    for (int64_t d = 0; d < input.dim(); ++d) {
      (d < before ? count : length) *= input.size(d);
      statistics.push_back(d < before ? input.size(d) : 1);
    }
  }
};

bool ends_with(c10::IntArrayRef sizes, c10::IntArrayRef shape) {
  return sizes.size() >= shape.size() && !shape.empty() &&
         sizes.slice(sizes.size() - shape.size()) == shape;
}

std::optional<Tensor> contiguous(const std::optional<Tensor>& tensor) {
  return tensor && tensor->defined() ? std::optional(tensor->contiguous()) : std::nullopt;
}

std::tuple<Tensor, Tensor, Tensor> layer_norm(const Tensor& input, c10::IntArrayRef shape,
                                              const std::optional<Tensor>& weight,
                                              const std::optional<Tensor>& bias, double eps) {
  static const Kernel kernel("rows", "layer_norm");
  if (!all_float(input, weight, bias) || input.numel() == 0 || !ends_with(input.sizes(), shape)) {
    torch::jit::Stack results =
        run_on_host("aten::native_layer_norm", "", {input, shape, weight, bias, eps});
    return {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()};
  }
  OnDevice there(input.device().index());
  Rows rows(input, shape);
  Tensor from = input.contiguous(), out = at::empty(input.sizes(), input.options());
  Tensor mean = at::empty(rows.statistics, input.options()), rstd = at::empty_like(mean);
  auto scale = contiguous(weight), shift = contiguous(bias);
  launch(kernel.get(), {static_cast<uint32_t>(rows.count), 1, 1}, group, address(out),
         address(mean), address(rstd), address(from), address(scale), address(shift),
         static_cast<uint32_t>(rows.length), static_cast<float>(eps));
  return {out, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward(const Tensor& grad, const Tensor& input,
                                                       c10::IntArrayRef shape, const Tensor& mean,
                                                       const Tensor& rstd,
                                                       const std::optional<Tensor>& weight,
                                                       const std::optional<Tensor>& bias,
                                                       std::array<bool, 3> wanted) {
  static const Kernel kernel("rows", "layer_norm_backward"),
      parameters("rows", "layer_norm_parameters");
  if (!all_float(grad, input, mean, rstd, weight, bias) || input.numel() == 0) {
    torch::jit::Stack results = run_on_host("aten::native_layer_norm_backward", "",
                                            {grad, input, shape, mean, rstd, weight, bias,
                                             c10::List<bool>({wanted[0], wanted[1], wanted[2]})});
    return {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()};
  }
  OnDevice there(input.device().index());
  Rows rows(input, shape);
  Tensor from = input.contiguous(), to = grad.contiguous();
  Tensor means = mean.contiguous(), deviations = rstd.contiguous();
  auto scale = contiguous(weight);
  Tensor input_grad, weight_grad, bias_grad;
  if (wanted[0]) {
    input_grad = at::empty(input.sizes(), input.options());
    launch(kernel.get(), {static_cast<uint32_t>(rows.count), 1, 1}, group, address(input_grad),
           address(to), address(from), address(means), address(deviations), address(scale),
           static_cast<uint32_t>(rows.length));
  }
  if (wanted[1]) weight_grad = at::empty(shape, input.options());
  if (wanted[2]) bias_grad = at::empty(shape, input.options());
  if (wanted[1] || wanted[2])
    launch_items(parameters.get(), rows.length, address(weight_grad), address(bias_grad),
                 address(to), address(from), address(means), address(deviations),
                 static_cast<uint32_t>(rows.count), static_cast<uint32_t>(rows.length));
  return {input_grad, weight_grad, bias_grad};
}

XPUGRAPH_OPERATORS(m) {
  m.impl("_softmax.out", softmax<"softmax">);
  m.impl("_log_softmax.out", softmax<"log_softmax">);
  m.impl("_softmax_backward_data.out",
         softmax_backward<"_softmax_backward_data", "softmax_backward", "out">);
  m.impl("_log_softmax_backward_data.out",
         softmax_backward<"_log_softmax_backward_data", "log_softmax_backward", "out">);
  m.impl("native_layer_norm", layer_norm);
  m.impl("native_layer_norm_backward", layer_norm_backward);
}

}  // namespace
}  // namespace xpugraph_torch
