// SPDX-License-Identifier: Apache-2.0
// Automatic mixed precision: PyTorch's own lists of what runs in which type.
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace xpugraph_torch {
namespace {

#define LOWER_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define FLOAT32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define SET_TYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  AT_FORALL_LOWER_PRECISION_FP(LOWER_PRECISION)
  AT_FORALL_FP32(FLOAT32)
  AT_FORALL_FP32_SET_OPT_DTYPE(SET_TYPE)
  AT_FORALL_PROMOTE(PROMOTE)
}

}  // namespace
}  // namespace xpugraph_torch
