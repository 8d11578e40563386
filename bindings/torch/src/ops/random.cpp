// SPDX-License-Identifier: Apache-2.0
// Random numbers and dropout, drawn on the device; what else draws comes through the fallback.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>

#include "../fallback.h"
#include "../generator.h"
#include "../kernel.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Tensor;
using MaybeGenerator = std::optional<at::Generator>;

/// Numbers of an element follow from its place, so what has gaps is drawn aside.
bool draw(const Kernel& kernel, const Tensor& self, const MaybeGenerator& generator, double first,
          double second) {
  if (self.numel() == 0) return true;
  OnDevice there(self.device().index());
  Tensor out = self.is_non_overlapping_and_dense() ? self : at::empty(self.sizes(), self.options());
  PhiloxDraw draw = draw_from(generator, 4);
  launch_items(kernel.get(), out.numel(), address(out), draw.cell, draw.seed, draw.offset,
               static_cast<uint32_t>(out.numel()), static_cast<float>(first),
               static_cast<float>(second));
  if (!out.is_same(self)) self.copy_(out);
  return true;
}

Tensor& uniform(Tensor& self, double from, double to, MaybeGenerator generator) {
  static const Kernel kernel("random", "draw_uniform");
  if (!all_float(self) || from > to || !draw(kernel, self, generator, from, to))
    run_on_host("aten::uniform_", "", {self, from, to, generator});
  return self;
}

Tensor& normal(Tensor& self, double mean, double deviation, MaybeGenerator generator) {
  static const Kernel kernel("random", "draw_normal");
  if (!all_float(self) || deviation < 0 || !draw(kernel, self, generator, mean, deviation))
    run_on_host("aten::normal_", "", {self, mean, deviation, generator});
  return self;
}

Tensor& bernoulli(Tensor& self, double p, MaybeGenerator generator) {
  static const Kernel floats("random", "draw_bernoulli_float"),
      masks("random", "draw_bernoulli_bool");
  bool is_covered = (all_float(self) || is_plain(self, at::kBool)) && p >= 0 && p <= 1;
  const Kernel& kernel = self.scalar_type() == at::kBool ? masks : floats;
  if (!is_covered || !draw(kernel, self, generator, p, 0))
    run_on_host("aten::bernoulli_", "float", {self, p, generator});
  return self;
}

/// Where there is no kernel the composed form: the CPU's would draw from PyTorch's own generator.
std::tuple<Tensor, Tensor> dropout(const Tensor& input, double p, std::optional<bool> train) {
  static const Kernel kernel("random", "dropout");
  auto mask_options = input.options().dtype(at::kBool);
  if (train && !*train) return {input.clone(), at::ones_like(input, mask_options)};
  double kept = 1 - p;
  if (!all_float(input) || input.numel() == 0 || kept <= 0 || kept > 1) {
    Tensor mask = at::empty_like(input, mask_options).bernoulli_(kept);
    return {input.mul(mask).mul_(kept > 0 ? 1 / kept : 0), mask};
  }
  OnDevice there(input.device().index());
  Tensor from = input.contiguous(), out = at::empty(input.sizes(), input.options());
  Tensor mask = at::empty(input.sizes(), mask_options);
  PhiloxDraw draw = draw_from(std::nullopt, 4);
  launch_items(kernel.get(), input.numel(), address(out), address(mask), address(from), draw.cell,
               draw.seed, draw.offset, static_cast<uint32_t>(input.numel()),
               static_cast<float>(kept));
  return {out, mask};
}

Tensor dropout_backward(const Tensor& grad, const Tensor& mask, double scale) {
  static const Kernel kernel("random", "dropout_backward");
  if (!all_float(grad) || !is_plain(mask, at::kBool) || grad.numel() == 0 ||
      grad.sizes() != mask.sizes())
    return grad.mul(mask).mul_(scale);
  OnDevice there(grad.device().index());
  Tensor from = grad.contiguous(), kept = mask.contiguous(),
         out = at::empty(grad.sizes(), grad.options());
  launch_items(kernel.get(), grad.numel(), address(out), address(from), address(kept),
               static_cast<uint32_t>(grad.numel()), static_cast<float>(scale));
  return out;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("uniform_", uniform);
  m.impl("normal_", normal);
  m.impl("bernoulli_.float", bernoulli);
  m.impl("native_dropout", dropout);
  m.impl("native_dropout_backward", dropout_backward);
}

}  // namespace
}  // namespace xpugraph_torch
