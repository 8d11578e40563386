// SPDX-License-Identifier: Apache-2.0
// Layouts by PyTorch's own iterator, which broadcasts, orders and joins dimensions.
#include "elements.h"

#include <algorithm>

namespace xpugraph_torch {

std::optional<Places> places_of(const at::TensorIteratorBase& iter) {
  if (iter.ndim() > MOST_DIMENSIONS || iter.ntensors() > MOST_OPERANDS) return std::nullopt;
  Places layout = {};
  layout.dimensions = static_cast<unsigned>(std::max(iter.ndim(), 1));
  layout.size[0] = 1;
  for (int d = 0; d < iter.ndim(); ++d) {
    layout.size[d] = static_cast<unsigned>(iter.shape()[d]);
    for (int operand = 0; operand < iter.ntensors(); ++operand) {
      int64_t step = iter.strides(operand)[d] / static_cast<int64_t>(iter.element_size(operand));
      if (step > most_elements) return std::nullopt;
      layout.step[operand][d] = static_cast<int>(step);
    }
  }
  return layout;
}

Elements::Elements(const std::string& name, std::optional<at::ScalarType> result, bool masked)
    : result_(result),
      masked_(masked),
      float_{{"elements_float", name + "_dense"}, {"elements_float", name + "_any"}},
      long_{{"elements_long", name + "_dense"}, {"elements_long", name + "_any"}} {}

template <typename Number>
bool Elements::run_as(const Pair& kernels, at::TensorIteratorBase& iter, Number s, Number t) const {
  void* a = iter.data_ptr(0);
  void* b = iter.data_ptr(1);
  auto n = static_cast<uint32_t>(iter.numel());
  auto start = [&](xpuKernel_t kernel, auto... layout) {
    switch (iter.ntensors()) {
      case 2:
        return launch_items(kernel, n, a, b, s, t, n, layout...);
      case 3:
        return launch_items(kernel, n, a, b, iter.data_ptr(2), s, t, n, layout...);
      default:
        return launch_items(kernel, n, a, b, iter.data_ptr(2), iter.data_ptr(3), s, t, n,
                            layout...);
    }
  };
  if (iter.is_contiguous()) {
    start(kernels.dense.get());
    return true;
  }
  std::optional<Places> layout = places_of(iter);
  if (layout) start(kernels.any.get(), *layout);
  return layout.has_value();
}

bool Elements::run(const at::Tensor& out, std::initializer_list<at::Tensor> inputs,
                   const at::Scalar& s, const at::Scalar& t) const {
  const at::Tensor& last = *(inputs.end() - 1);
  at::ScalarType type = last.scalar_type();
  if (type != at::kFloat && type != at::kLong) return false;
  if (!is_plain(out, result_.value_or(type))) return false;
  for (const at::Tensor& input : inputs) {
    bool is_mask = masked_ && &input == inputs.begin();
    if (!is_plain(input, is_mask ? at::kBool : type) || input.device() != out.device())
      return false;
  }
  OnDevice there(out.device().index());
  const Pair& kernels = type == at::kFloat ? float_ : long_;
  if (!kernels.dense.find()) return false;
  at::TensorIteratorConfig config;
  config.set_check_mem_overlap(true).check_all_same_dtype(false).add_output(out);
  for (const at::Tensor& input : inputs) config.add_const_input(input);
  at::TensorIterator iter = config.build();
  if (iter.numel() == 0) return true;
  if (iter.numel() > most_elements) return false;
  use(out);
  for (const at::Tensor& input : inputs) use(input);
  return type == at::kFloat ? run_as(kernels, iter, s.to<float>(), t.to<float>())
                            : run_as(kernels, iter, s.to<int64_t>(), t.to<int64_t>());
}

}  // namespace xpugraph_torch
