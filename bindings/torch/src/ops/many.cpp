// SPDX-License-Identifier: Apache-2.0
// Operators on lists of tensors, as the optimizers of torch.optim use them. What kernels do not
// cover goes tensor by tensor, as PyTorch does without kernels for lists.
#include "../many.h"

#include <ATen/ops/_foreach_add_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_addcdiv_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_addcmul_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_clone_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_copy_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_div_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_lerp_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_mul_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_neg_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_pow_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_reciprocal_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_sqrt_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_sub_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/_foreach_zero_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/empty_like.h>

#include "../fallback.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Scalar;
using at::Tensor;
using at::TensorList;
namespace one_by_one = at::compositeexplicitautograd;

bool is_real(const Scalar& number) { return !number.isComplex(); }

template <Name name>
bool run(const Lists& lists, const Scalar& number = 0) {
  static const Kernel kernel("many", std::string("many_") + name.text);
  if (!is_real(number) || !lists.are_covered()) return false;
  float s = number.to<float>();
  launch_many(kernel, lists, {&s});
  return true;
}

std::vector<Tensor> like(TensorList tensors) {
  std::vector<Tensor> made;
  for (const Tensor& tensor : tensors) made.push_back(at::empty_like(tensor));
  return made;
}

/// The results of `work`, which is given the lists; none if it says that kernels do not cover it.
template <typename Work>
std::optional<std::vector<Tensor>> fresh(Lists lists, const Work& work) {
  lists.out = lists.a;
  if (!lists.are_covered()) return std::nullopt;
  std::vector<Tensor> made = like(lists.a);
  lists.out = made;
  if (!work(lists)) return std::nullopt;
  return made;
}

void add_list_(TensorList self, TensorList other, const Scalar& alpha) {
  if (!run<"add">({self, self, other}, alpha)) one_by_one::_foreach_add_(self, other, alpha);
}
void add_number_(TensorList self, const Scalar& number) {
  if (!run<"add_number">({self, self}, number)) one_by_one::_foreach_add_(self, number);
}
void sub_list_(TensorList self, TensorList other, const Scalar& alpha) {
  if (!run<"sub">({self, self, other}, alpha)) one_by_one::_foreach_sub_(self, other, alpha);
}
void sub_number_(TensorList self, const Scalar& number) {
  if (!is_real(number) || !run<"add_number">({self, self}, -number))
    one_by_one::_foreach_sub_(self, number);
}
void mul_list_(TensorList self, TensorList other) {
  if (!run<"mul">({self, self, other})) one_by_one::_foreach_mul_(self, other);
}
void mul_number_(TensorList self, const Scalar& number) {
  if (!run<"mul_number">({self, self}, number)) one_by_one::_foreach_mul_(self, number);
}
void div_list_(TensorList self, TensorList other) {
  if (!run<"div">({self, self, other})) one_by_one::_foreach_div_(self, other);
}
void div_number_(TensorList self, const Scalar& number) {
  if (!run<"div_number">({self, self}, number)) one_by_one::_foreach_div_(self, number);
}
void addcmul_(TensorList self, TensorList a, TensorList b, const Scalar& value) {
  if (!run<"addcmul">({self, self, a, b}, value)) one_by_one::_foreach_addcmul_(self, a, b, value);
}
void addcdiv_(TensorList self, TensorList a, TensorList b, const Scalar& value) {
  if (!run<"addcdiv">({self, self, a, b}, value)) one_by_one::_foreach_addcdiv_(self, a, b, value);
}
void lerp_(TensorList self, TensorList end, const Scalar& weight) {
  if (!run<"lerp">({self, self, end}, weight)) one_by_one::_foreach_lerp_(self, end, weight);
}
void neg_(TensorList self) {
  if (!run<"neg">({self, self})) one_by_one::_foreach_neg_(self);
}
void reciprocal_(TensorList self) {
  if (!run<"reciprocal">({self, self})) one_by_one::_foreach_reciprocal_(self);
}
void sqrt_(TensorList self) {
  if (!run<"sqrt">({self, self})) one_by_one::_foreach_sqrt_(self);
}
void zero_(TensorList self) {
  if (!run<"fill">({self})) one_by_one::_foreach_zero_(self);
}
void copy_(TensorList self, TensorList source, bool non_blocking) {
  if (!run<"copy">({self, self, source})) one_by_one::_foreach_copy_(self, source, non_blocking);
}

std::vector<Tensor> add_list(TensorList self, TensorList other, const Scalar& alpha) {
  auto made =
      fresh({{}, self, other}, [&](const Lists& lists) { return run<"add">(lists, alpha); });
  return made ? *made : one_by_one::_foreach_add(self, other, alpha);
}
std::vector<Tensor> clone(TensorList self, std::optional<at::MemoryFormat> format) {
  std::optional<std::vector<Tensor>> made;
  if (!format || *format == at::MemoryFormat::Preserve)
    made = fresh({{}, self, self}, [&](const Lists& lists) { return run<"copy">(lists); });
  return made ? *made : one_by_one::_foreach_clone(self, format);
}
std::vector<Tensor> mul_number(TensorList self, const Scalar& number) {
  auto made =
      fresh({{}, self}, [&](const Lists& lists) { return run<"mul_number">(lists, number); });
  return made ? *made : one_by_one::_foreach_mul(self, number);
}
std::vector<Tensor> sqrt(TensorList self) {
  auto made = fresh({{}, self}, [&](const Lists& lists) { return run<"sqrt">(lists); });
  return made ? *made : one_by_one::_foreach_sqrt(self);
}
std::vector<Tensor> neg(TensorList self) {
  auto made = fresh({{}, self}, [&](const Lists& lists) { return run<"neg">(lists); });
  return made ? *made : one_by_one::_foreach_neg(self);
}
std::vector<Tensor> number_pow(const Scalar& base, TensorList exponents) {
  auto made =
      fresh({{}, exponents}, [&](const Lists& lists) { return run<"number_pow">(lists, base); });
  return made ? *made : one_by_one::_foreach_pow(base, exponents);
}

/// Single numbers on the device that a step may be given: how many times too large the gradients
/// are, and whether one of them is infinite.
struct Scaling {
  void *scale, *found_inf;

  static bool is_covered(const std::optional<Tensor>& number, const Lists& lists) {
    return !number || !number->defined() ||
           (all_float(number) && number->numel() == 1 && number->device() == lists.out[0].device());
  }
};

void sgd(TensorList self, TensorList grads, TensorList momenta, double decay, double momentum,
         double rate, double dampening, bool nesterov, bool maximize, bool first,
         const std::optional<Tensor>& scale, const std::optional<Tensor>& found_inf) {
  static const Kernel kernel("many", "sgd");
  Lists lists = {self, grads, momenta};
  if (!lists.are_covered() || !Scaling::is_covered(scale, lists) ||
      !Scaling::is_covered(found_inf, lists)) {
    run_on_host("aten::_fused_sgd_", "",
                {self, grads, momenta, decay, momentum, rate, dampening, nesterov, maximize, first,
                 scale, found_inf});
    return;
  }
  float numbers[] = {static_cast<float>(decay), static_cast<float>(momentum),
                     static_cast<float>(rate), static_cast<float>(dampening)};
  uint32_t choices[] = {nesterov, maximize, first};
  Scaling scaling = {address(scale), address(found_inf)};
  launch_many(kernel, lists,
              {&numbers[0], &numbers[1], &numbers[2], &numbers[3], &choices[0], &choices[1],
               &choices[2], &scaling.scale, &scaling.found_inf});
}

template <Name name>
void adam(TensorList self, TensorList grads, TensorList means, TensorList squares,
          TensorList largest, TensorList steps, double rate, double beta1, double beta2,
          double decay, double eps, bool amsgrad, bool maximize, const std::optional<Tensor>& scale,
          const std::optional<Tensor>& found_inf) {
  static const Kernel kernel("many", "adam");
  Lists lists = {self, grads, means, squares};
  bool is_covered = !amsgrad && lists.are_covered() && Scaling::is_covered(scale, lists) &&
                    Scaling::is_covered(found_inf, lists) && steps.size() == self.size();
  for (const Tensor& step : steps) is_covered = is_covered && all_float(step) && step.numel() == 1;
  if (!is_covered) {
    run_on_host(qualified(name.text).c_str(), "",
                {self, grads, means, squares, largest, steps, rate, beta1, beta2, decay, eps,
                 amsgrad, maximize, scale, found_inf});
    return;
  }
  float numbers[] = {static_cast<float>(rate), static_cast<float>(beta1), static_cast<float>(beta2),
                     static_cast<float>(decay), static_cast<float>(eps)};
  uint32_t choices[] = {std::string_view(name.text) == "_fused_adamw_", maximize};
  Scaling scaling = {address(scale), address(found_inf)};
  launch_many(kernel, lists,
              {&numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &choices[0],
               &choices[1], &scaling.scale, &scaling.found_inf},
              steps);
}

XPUGRAPH_OPERATORS(m) {
  m.impl("_foreach_add_.List", add_list_);
  m.impl("_foreach_add_.Scalar", add_number_);
  m.impl("_foreach_sub_.List", sub_list_);
  m.impl("_foreach_sub_.Scalar", sub_number_);
  m.impl("_foreach_mul_.List", mul_list_);
  m.impl("_foreach_mul_.Scalar", mul_number_);
  m.impl("_foreach_div_.List", div_list_);
  m.impl("_foreach_div_.Scalar", div_number_);
  m.impl("_foreach_addcmul_.Scalar", addcmul_);
  m.impl("_foreach_addcdiv_.Scalar", addcdiv_);
  m.impl("_foreach_lerp_.Scalar", lerp_);
  m.impl("_foreach_neg_", neg_);
  m.impl("_foreach_reciprocal_", reciprocal_);
  m.impl("_foreach_sqrt_", sqrt_);
  m.impl("_foreach_zero_", zero_);
  m.impl("_foreach_copy_", copy_);
  m.impl("_foreach_add.List", add_list);
  m.impl("_foreach_clone", clone);
  m.impl("_foreach_mul.Scalar", mul_number);
  m.impl("_foreach_sqrt", sqrt);
  m.impl("_foreach_neg", neg);
  m.impl("_foreach_pow.ScalarAndTensor", number_pow);
  m.impl("_fused_sgd_", sgd);
  m.impl("_fused_adam_", adam<"_fused_adam_">);
  m.impl("_fused_adamw_", adam<"_fused_adamw_">);
}

}  // namespace
}  // namespace xpugraph_torch
