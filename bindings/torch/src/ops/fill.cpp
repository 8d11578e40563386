// SPDX-License-Identifier: Apache-2.0
// Filling tensors with a number.

#include "../elements.h"
#include "../fallback.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

/// Masks and bytes, without gaps.
bool fill_bytes(const at::Tensor& self, const at::Scalar& value) {
  static const Kernel kernel("convert", "fill_bytes");
  bool is_covered = (is_plain(self, at::kBool) || is_plain(self, at::kByte)) && self.numel() > 0 &&
                    self.is_non_overlapping_and_dense();
  if (!is_covered) return false;
  OnDevice there(self.device().index());
  uint8_t byte = self.scalar_type() == at::kBool ? value.toBool() : value.to<uint8_t>();
  launch_items(kernel.get(), self.numel(), address(self), byte,
               static_cast<uint32_t>(self.numel()));
  return true;
}

at::Tensor& fill(at::Tensor& self, const at::Scalar& value) {
  static const Elements kernels("fill");
  if (!kernels.run(self, {self}, value) && !fill_bytes(self, value))
    run_on_host("aten::fill_", "Scalar", {self, value});
  return self;
}

at::Tensor& fill_from(at::Tensor& self, const at::Tensor& value) {
  TORCH_CHECK(value.dim() == 0,
              "fill_ takes a tensor without dimensions as its value, and was given one of ",
              value.dim(), " dimensions");
  return value.is_cpu() ? fill(self, value.item()) : self.copy_(value);
}

at::Tensor& zero(at::Tensor& self) { return fill(self, 0); }

XPUGRAPH_OPERATORS(m) {
  m.impl("fill_.Scalar", fill);
  m.impl("fill_.Tensor", fill_from);
  m.impl("zero_", zero);
}

}  // namespace
}  // namespace xpugraph_torch
