// SPDX-License-Identifier: Apache-2.0
// Activations and the gradients of element-wise functions.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "../elements.h"
#include "../fallback.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Scalar;
using at::Tensor;

Tensor& relu_(Tensor& self) {
  static const Elements kernels("relu");
  if (!kernels.run(self, {self})) run_on_host("aten::relu_", "", {self});
  return self;
}

Tensor relu(const Tensor& self) {
  static const Elements kernels("relu");
  Tensor out = at::empty_like(self);
  if (kernels.run(out, {self})) return out;
  return run_on_host("aten::relu", "", {self}).back().toTensor();
}

Tensor& leaky_relu(const Tensor& self, const Scalar& slope, Tensor& out) {
  static const Elements kernels("leaky_relu");
  if (!kernels.run(out, {self}, slope)) run_on_host("aten::leaky_relu", "out", {self, slope, out});
  return out;
}

Tensor& leaky_relu_backward(const Tensor& grad, const Tensor& self, const Scalar& slope,
                            bool of_result, Tensor& out) {
  static const Elements kernels("leaky_relu_backward");
  if (!kernels.run(out, {grad, self}, slope))
    run_on_host("aten::leaky_relu_backward", "grad_input", {grad, self, slope, of_result, out});
  return out;
}

Tensor& gelu(const Tensor& self, c10::string_view approximate, Tensor& out) {
  static const Elements exact("gelu"), by_tanh("gelu_tanh");
  if (!(approximate == "tanh" ? by_tanh : exact).run(out, {self}))
    run_on_host("aten::gelu", "out", {self, std::string(approximate), out});
  return out;
}

Tensor& gelu_backward(const Tensor& grad, const Tensor& self, c10::string_view approximate,
                      Tensor& out) {
  static const Elements exact("gelu_backward"), by_tanh("gelu_tanh_backward");
  if (!(approximate == "tanh" ? by_tanh : exact).run(out, {grad, self}))
    run_on_host("aten::gelu_backward", "grad_input", {grad, self, std::string(approximate), out});
  return out;
}

Tensor& threshold_backward(const Tensor& grad, const Tensor& self, const Scalar& threshold,
                           Tensor& out) {
  static const Elements kernels("threshold_backward");
  if (!kernels.run(out, {grad, self}, threshold))
    run_on_host("aten::threshold_backward", "grad_input", {grad, self, threshold, out});
  return out;
}

std::tuple<Tensor, Tensor> log_sigmoid(const Tensor& self) {
  static const Elements kernels("log_sigmoid");
  Tensor out = at::empty_like(self);
  if (kernels.run(out, {self})) return {out, at::empty({0}, self.options())};
  torch::jit::Stack results = run_on_host("aten::log_sigmoid_forward", "", {self});
  return {results[0].toTensor(), results[1].toTensor()};
}

Tensor log_sigmoid_backward(const Tensor& grad, const Tensor& self, const Tensor& buffer) {
  static const Elements kernels("log_sigmoid_backward");
  Tensor out = at::empty_like(self);
  if (kernels.run(out, {grad, self})) return out;
  return run_on_host("aten::log_sigmoid_backward", "", {grad, self, buffer}).back().toTensor();
}

template <Name name, Name argument>
Tensor& backward(const Tensor& grad, const Tensor& other, Tensor& out) {
  static const Elements kernels(name.text);
  if (!kernels.run(out, {grad, other}))
    run_on_host(qualified(name.text).c_str(), argument.text, {grad, other, out});
  return out;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("relu", relu);
  m.impl("relu_", relu_);
  m.impl("leaky_relu.out", leaky_relu);
  m.impl("gelu.out", gelu);
  m.impl("log_sigmoid_forward", log_sigmoid);
  m.impl("gelu_backward.grad_input", gelu_backward);
  m.impl("silu_backward.grad_input", backward<"silu_backward", "grad_input">);
  m.impl("sigmoid_backward.grad_input", backward<"sigmoid_backward", "grad_input">);
  m.impl("tanh_backward.grad_input", backward<"tanh_backward", "grad_input">);
  m.impl("threshold_backward.grad_input", threshold_backward);
  m.impl("leaky_relu_backward.grad_input", leaky_relu_backward);
  m.impl("log_sigmoid_backward", log_sigmoid_backward);
}

}  // namespace
}  // namespace xpugraph_torch
