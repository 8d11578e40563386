// SPDX-License-Identifier: Apache-2.0
// Reductions, and losses that end in one.
#include <ATen/WrapDimUtilsMulti.h>
#include <ATen/ops/empty.h>

#include "../elements.h"
#include "../fallback.h"
#include "../operators.h"
#include "../places_builder.h"

namespace xpugraph_torch {
namespace {

using at::Scalar;
using at::Tensor;

struct Reduction {
  explicit Reduction(const std::string& name, at::ScalarType type = at::kFloat)
      : type(type),
        item("reduce", name + "_item"),
        group("reduce", name + "_group"),
        wide("reduce", name + "_wide") {}
  at::ScalarType type;
  Kernel item, group, wide;  // the last one for floats alone
};

/// Queues `out = scale * reduction(self)`; false, and nothing is done, if kernels do not cover it.
/// For a mean `scale` is divided by the number of elements.
bool run(const Reduction& kernels, const Tensor& self, at::OptionalIntArrayRef dims, bool keep,
         const Tensor& out, bool is_mean = false) {
  at::ScalarType type = kernels.type;
  if (!is_plain(self, type) || !is_plain(out, type) || self.device() != out.device() ||
      self.numel() == 0)
    return false;
  // No dimensions are all of them.
  if (dims && dims->empty()) dims = std::nullopt;
  auto reduced = at::dim_list_to_bitset(dims, self.dim());
  int64_t lost = keep ? 0 : static_cast<int64_t>(reduced.count());
  if (self.dim() == 0) lost = 0;
  int64_t out_dim = out.dim();
  if (out_dim != self.dim() - lost) return false;
  PlacesBuilder outer, inner;
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    bool is_reduced = reduced[static_cast<size_t>(d)];
    if (is_reduced) inner.add(self.size(d), 0, self.stride(d));
    if (is_reduced && !keep) continue;
    if (out.size(--out_dim) != (is_reduced ? 1 : self.size(d))) return false;
    if (!is_reduced) outer.add(self.size(d), out.stride(out_dim), self.stride(d));
  }
  std::optional<Places> outside = outer.layout(), inside = inner.layout();
  if (!outside || !inside) return false;
  OnDevice there(self.device().index());
  auto outputs = static_cast<uint32_t>(outer.count()),
       inputs = static_cast<uint32_t>(inner.count());
  float scale = is_mean ? 1.0f / static_cast<float>(inputs) : 1.0f;
  void* to = address(out);
  void* from = address(self);
  auto is_line = [](const Places& places, int operand) {
    return places.dimensions == 1 && places.step[operand][0] == 1;
  };
  bool side_by_side = type == at::kFloat && is_line(*outside, 0) && is_line(*outside, 1) &&
                      inside->dimensions == 1 && outputs % 8 == 0;
  // Few long sums keep more of the device busy as groups; else a group would mostly wait.
  bool in_groups = inputs >= 32 && (outputs < 64 || inside->step[1][0] == 1);
  if (side_by_side)
    launch(kernels.wide.get(), {groups_for(outputs, 64), 1, 1}, {8, 1, 1}, to, from, scale, outputs,
           inputs, *outside, *inside);
  else if (in_groups)
    launch(kernels.group.get(), {outputs, 1, 1}, {64, 1, 1}, to, from, scale, outputs, inputs,
           *outside, *inside);
  else
    launch_items(kernels.item.get(), outputs, to, from, scale, outputs, inputs, *outside, *inside);
  return true;
}

const Reduction& sums() {
  static const Reduction kernels("sum");
  return kernels;
}

Tensor& sum(const Tensor& self, at::OptionalIntArrayRef dims, bool keep,
            std::optional<at::ScalarType> type, Tensor& out) {
  if (!run(sums(), self, dims, keep, out))
    run_on_host("aten::sum", "IntList_out", {self, dims, keep, type, out});
  return out;
}

Tensor& mean(const Tensor& self, at::OptionalIntArrayRef dims, bool keep,
             std::optional<at::ScalarType> type, Tensor& out) {
  if (!run(sums(), self, dims, keep, out, true))
    run_on_host("aten::mean", "out", {self, dims, keep, type, out});
  return out;
}

template <Name name>
Tensor& extreme(const Tensor& self, c10::IntArrayRef dims, bool keep, Tensor& out) {
  static const Reduction kernels(name.text);
  if (!run(kernels, self, dims, keep, out))
    run_on_host(qualified(name.text).c_str(), "out", {self, dims, keep, out});
  return out;
}

template <Name name>
Tensor& test(const Tensor& self, int64_t dim, bool keep, Tensor& out) {
  static const Reduction kernels(name.text, at::kBool);
  if (!run(kernels, self, c10::IntArrayRef(dim), keep, out))
    run_on_host(qualified(name.text).c_str(), "out", {self, dim, keep, out});
  return out;
}

Tensor& vector_norm(const Tensor& self, const Scalar& order, at::OptionalIntArrayRef dims,
                    bool keep, std::optional<at::ScalarType> type, Tensor& out) {
  static const Reduction absolute("norm1"), square("norm2");
  double power = order.to<double>();
  bool is_known = power == 1 || power == 2;
  if (!is_known || !run(power == 1 ? absolute : square, self, dims, keep, out))
    run_on_host("aten::linalg_vector_norm", "out", {self, order, dims, keep, type, out});
  return out;
}

/// `kernels` for each element, then none, the mean or the sum of them, as PyTorch counts
/// reductions.
bool run_loss(const Elements& kernels, const Tensor& self, const Tensor& target, int64_t reduction,
              const Tensor& out, const Scalar& number = 0) {
  if (reduction == at::Reduction::None) return kernels.run(out, {self, target}, number);
  if (!all_float(self, target, out) || self.numel() == 0) return false;
  Tensor each = at::empty({0}, self.options());
  return kernels.run(each, {self, target}, number) &&
         run(sums(), each, std::nullopt, false, out, reduction == at::Reduction::Mean);
}

Scalar share(const Tensor& self, int64_t reduction, double factor = 1) {
  return reduction == at::Reduction::Mean ? factor / static_cast<double>(self.numel()) : factor;
}

Tensor& mse_loss(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  static const Elements kernels("mse");
  if (!run_loss(kernels, self, target, reduction, out))
    run_on_host("aten::mse_loss", "out", {self, target, reduction, out});
  return out;
}

Tensor& mse_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                          int64_t reduction, Tensor& out) {
  static const Elements kernels("mse_backward");
  if (!kernels.run(out, {grad, self, target}, share(self, reduction, 2)))
    run_on_host("aten::mse_loss_backward", "grad_input", {grad, self, target, reduction, out});
  return out;
}

Tensor mse_loss_backward_made(const Tensor& grad, const Tensor& self, const Tensor& target,
                              int64_t reduction) {
  Tensor out = at::empty({0}, self.options());
  return mse_loss_backward(grad, self, target, reduction, out);
}

Tensor& smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta,
                       Tensor& out) {
  static const Elements kernels("smooth_l1");
  if (!run_loss(kernels, self, target, reduction, out, beta))
    run_on_host("aten::smooth_l1_loss", "out", {self, target, reduction, beta, out});
  return out;
}

Tensor& smooth_l1_loss_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                                int64_t reduction, double beta, Tensor& out) {
  static const Elements kernels("smooth_l1_backward");
  if (!kernels.run(out, {grad, self, target}, share(self, reduction), beta))
    run_on_host("aten::smooth_l1_loss_backward", "grad_input",
                {grad, self, target, reduction, beta, out});
  return out;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("sum.IntList_out", sum);
  m.impl("mean.out", mean);
  m.impl("amax.out", extreme<"amax">);
  m.impl("amin.out", extreme<"amin">);
  m.impl("all.out", test<"all">);
  m.impl("any.out", test<"any">);
  m.impl("linalg_vector_norm.out", vector_norm);
  m.impl("mse_loss.out", mse_loss);
  m.impl("mse_loss_backward", mse_loss_backward_made);
  m.impl("mse_loss_backward.grad_input", mse_loss_backward);
  m.impl("smooth_l1_loss.out", smooth_l1_loss);
  m.impl("smooth_l1_loss_backward.grad_input", smooth_l1_loss_backward);
}

}  // namespace
}  // namespace xpugraph_torch
