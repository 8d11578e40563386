// SPDX-License-Identifier: Apache-2.0
// Rows by their index, negative log likelihood, triangles, and putting tensors side by side.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/empty.h>

#include "../fallback.h"
#include "../kernel.h"
#include "../operators.h"
#include "../work.h"

namespace xpugraph_torch {
namespace {

using at::Tensor;

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  static const Kernel kernel("index", "select_rows");
  bool is_covered = all_float(self) && is_plain(index, at::kLong) && index.dim() == 1 &&
                    self.dim() > 0 && self.numel() > 0 && index.numel() > 0 &&
                    self.device() == index.device();
  if (!is_covered)
    return run_on_host("aten::index_select", "", {self, dim, index}).back().toTensor();
  OnDevice there(self.device().index());
  dim = at::maybe_wrap_dim(dim, self.dim());
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes[static_cast<size_t>(dim)] = index.numel();
  Tensor from = self.contiguous(), indices = index.contiguous(),
         out = at::empty(sizes, self.options());
  int64_t after = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) after *= self.size(d);
  launch_items(kernel.get(), out.numel(), address(out), address(from), address(indices),
               static_cast<uint32_t>(out.numel()), static_cast<uint32_t>(index.numel()),
               static_cast<uint32_t>(self.size(dim)), static_cast<uint32_t>(after), index_fault());
  return out;
}

Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t rows, int64_t left_out,
                          bool by_frequency) {
  static const Kernel kernel("index", "add_rows");
  bool is_covered =
      all_float(grad) && is_plain(indices, at::kLong) && !by_frequency && grad.numel() > 0;
  if (!is_covered)
    return run_on_host("aten::embedding_dense_backward", "",
                       {grad, indices, rows, left_out, by_frequency})
        .back()
        .toTensor();
  OnDevice there(grad.device().index());
  int64_t columns = grad.size(-1);
  Tensor from = grad.contiguous(), at_rows = indices.contiguous();
  Tensor out = at::empty({rows, columns}, grad.options());
  launch_items(kernel.get(), columns, address(out), address(from), address(at_rows),
               static_cast<uint32_t>(indices.numel()), static_cast<uint32_t>(rows),
               static_cast<uint32_t>(columns), left_out);
  return out;
}

bool is_likelihood_covered(const Tensor& self, const Tensor& target,
                           const std::optional<Tensor>& weight) {
  return all_float(self, weight) && self.dim() == 2 && self.numel() > 0 &&
         is_plain(target, at::kLong) && target.dim() == 1 && target.size(0) == self.size(0) &&
         target.device() == self.device() &&
         (!weight || !weight->defined() || weight->is_contiguous());
}

std::tuple<Tensor&, Tensor&> likelihood(const Tensor& self, const Tensor& target,
                                        const std::optional<Tensor>& weight, int64_t reduction,
                                        int64_t left_out, Tensor& out, Tensor& total_weight) {
  static const Kernel kernel("index", "likelihood");
  bool has_place =
      all_float(out, total_weight) && total_weight.dim() == 0 && out.is_contiguous() &&
      (reduction == at::Reduction::None ? out.sizes() == target.sizes() : out.dim() == 0);
  if (!has_place || !is_likelihood_covered(self, target, weight)) {
    run_on_host("aten::nll_loss_forward", "output",
                {self, target, weight, reduction, left_out, out, total_weight});
    return {out, total_weight};
  }
  OnDevice there(self.device().index());
  Tensor from = self.contiguous(), classes = target.contiguous();
  launch(kernel.get(), {1, 1, 1}, {64, 1, 1}, address(out), address(total_weight), address(from),
         address(classes), address(weight), static_cast<uint32_t>(self.size(0)),
         static_cast<uint32_t>(self.size(1)), left_out, static_cast<int>(reduction), index_fault());
  return {out, total_weight};
}

Tensor& likelihood_backward(const Tensor& grad, const Tensor& self, const Tensor& target,
                            const std::optional<Tensor>& weight, int64_t reduction,
                            int64_t left_out, const Tensor& total_weight, Tensor& out) {
  static const Kernel kernel("index", "likelihood_backward");
  bool has_place =
      all_float(out, grad, total_weight) && out.sizes() == self.sizes() && out.is_contiguous();
  if (!has_place || !is_likelihood_covered(self, target, weight)) {
    run_on_host("aten::nll_loss_backward", "grad_input",
                {grad, self, target, weight, reduction, left_out, total_weight, out});
    return out;
  }
  OnDevice there(self.device().index());
  Tensor from = grad.contiguous(), classes = target.contiguous();
  launch_items(kernel.get(), out.numel(), address(out), address(from), address(classes),
               address(weight), address(total_weight), static_cast<uint32_t>(out.numel()),
               static_cast<uint32_t>(self.size(1)), left_out, static_cast<int>(reduction));
  return out;
}

template <Name name>
Tensor& triangle(const Tensor& self, int64_t diagonal, Tensor& out) {
  static const Kernel floats("index", std::string(name.text) + "_float"),
      masks("index", std::string(name.text) + "_bool");
  bool is_mask = is_plain(self, at::kBool) && is_plain(out, at::kBool);
  bool is_covered = (is_mask || all_float(self, out)) && self.dim() >= 2 && self.numel() > 0 &&
                    out.sizes() == self.sizes() && out.is_contiguous() && self.is_contiguous() &&
                    diagonal == static_cast<int>(diagonal);
  if (!is_covered) {
    run_on_host(qualified(name.text).c_str(), "out", {self, diagonal, out});
    return out;
  }
  OnDevice there(self.device().index());
  launch_items((is_mask ? masks : floats).get(), self.numel(), address(out), address(self),
               static_cast<uint32_t>(self.numel()), static_cast<uint32_t>(self.size(-2)),
               static_cast<uint32_t>(self.size(-1)), static_cast<int>(diagonal));
  return out;
}

/// By copies, which have kernels.
Tensor& cat(const at::ITensorListRef& tensors, int64_t dim, Tensor& out) {
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors)
    if (tensor.dim() != 1 || tensor.numel() > 0) parts.push_back(tensor);
  int64_t total = 0;
  bool is_covered = on_device(out) && out.dim() > 0;
  if (is_covered) dim = at::maybe_wrap_dim(dim, out.dim());
  for (const Tensor& part : parts) {
    is_covered = is_covered && on_device(part) && part.device() == out.device() &&
                 part.dim() == out.dim() && !part.is_alias_of(out);
    if (is_covered) total += part.size(dim);
  }
  for (const Tensor& part : parts)
    for (int64_t d = 0; is_covered && d < out.dim(); ++d)
      is_covered = out.size(d) == (d == dim ? total : part.size(d));
  if (!is_covered) {
    c10::List<Tensor> all;
    for (const Tensor& tensor : tensors) all.push_back(tensor);
    run_on_host("aten::cat", "out", {all, dim, out});
    return out;
  }
  int64_t at = 0;
  for (const Tensor& part : parts) {
    out.narrow(dim, at, part.size(dim)).copy_(part);
    at += part.size(dim);
  }
  return out;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("index_select", index_select);
  m.impl("embedding_dense_backward", embedding_backward);
  m.impl("nll_loss_forward.output", likelihood);
  m.impl("nll_loss_backward.grad_input", likelihood_backward);
  m.impl("tril.out", triangle<"tril">);
  m.impl("triu.out", triangle<"triu">);
  m.impl("cat.out", cat);
}

}  // namespace
}  // namespace xpugraph_torch
