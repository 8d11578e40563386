// SPDX-License-Identifier: Apache-2.0
// Element-wise operators. PyTorch makes the functional and in-place forms of most from their `out`
// form.
#include "../elements.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/result_type.h>

#include "../fallback.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Scalar;
using at::Tensor;

template <Name name>
Tensor& unary(const Tensor& self, Tensor& out) {
  static const Elements kernels(name.text);
  if (!kernels.run(out, {self})) run_on_host(qualified(name.text).c_str(), "out", {self, out});
  return out;
}

template <Name name>
Tensor& test(const Tensor& self, Tensor& out) {
  static const Elements kernels(name.text, at::kBool);
  if (!kernels.run(out, {self})) run_on_host(qualified(name.text).c_str(), "out", {self, out});
  return out;
}

/// False if there is no kernel. A number as the first operand is put on the device.
bool run_binary(const Elements& tensors, const Elements& numbers, const Tensor& a, const Tensor& b,
                const Tensor& out, const Scalar& s = 1) {
  if (is_number(b)) {
    bool loses = b.is_floating_point() && !a.is_floating_point();
    return !loses && numbers.run(out, {a}, s, b.item());
  }
  if (!is_number(a) || !on_device(b)) return tensors.run(out, {a, b}, s);
  if (b.scalar_type() != out.scalar_type()) return false;
  return tensors.run(out, {at::full({}, a.item(), b.options()), b}, s);
}

template <Name name>
struct Binary {
  static inline const Elements tensors{name.text}, numbers{std::string(name.text) + "_number"};

  static Tensor& run(const Tensor& a, const Tensor& b, Tensor& out) {
    if (!run_binary(tensors, numbers, a, b, out))
      run_on_host(qualified(name.text).c_str(), name_of_out(), {a, b, out});
    return out;
  }
  static Tensor& run_scaled(const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
    if (!run_binary(tensors, numbers, a, b, out, alpha))
      run_on_host(qualified(name.text).c_str(), "out", {a, b, alpha, out});
    return out;
  }
  static const char* name_of_out() {
    return std::string_view(name.text) == "pow" ? "Tensor_Tensor_out" : "out";
  }
};

template <Name name>
struct Compare {
  static inline const Elements tensors{name.text, at::kBool},
      numbers{std::string(name.text) + "_number", at::kBool};

  static Tensor& with_tensor(const Tensor& a, const Tensor& b, Tensor& out) {
    if (!run_binary(tensors, numbers, a, b, out))
      run_on_host(qualified(name.text).c_str(), "Tensor_out", {a, b, out});
    return out;
  }
  static Tensor& with_number(const Tensor& a, const Scalar& b, Tensor& out) {
    bool is_whole = !b.isFloatingPoint() || a.is_floating_point();
    if (!is_whole || !numbers.run(out, {a}, 1, b))
      run_on_host(qualified(name.text).c_str(), "Scalar_out", {a, b, out});
    return out;
  }
};

Tensor& pow_number(const Tensor& self, const Scalar& exponent, Tensor& out) {
  static const Elements square("square"), cube("cube"), root("sqrt"), any("pow_number");
  double power = exponent.isComplex() ? 0 : exponent.to<double>();
  const Elements& kernels = power == 2 ? square : power == 3 ? cube : power == 0.5 ? root : any;
  if (exponent.isComplex() || !kernels.run(out, {self}, 1, exponent))
    run_on_host("aten::pow", "Tensor_Scalar_out", {self, exponent, out});
  return out;
}

Tensor& clamp(const Tensor& self, const std::optional<Scalar>& least,
              const std::optional<Scalar>& most, Tensor& out) {
  static const Elements kernels("clamp");
  constexpr double end = std::numeric_limits<double>::infinity();
  if (!self.is_floating_point() ||
      !kernels.run(out, {self}, least.value_or(-end), most.value_or(end)))
    run_on_host("aten::clamp", "out", {self, least, most, out});
  return out;
}

Tensor& clamp_min(const Tensor& self, const Scalar& least, Tensor& out) {
  return clamp(self, least, std::nullopt, out);
}

Tensor& clamp_max(const Tensor& self, const Scalar& most, Tensor& out) {
  return clamp(self, std::nullopt, most, out);
}

template <Name name>
Tensor& with_product(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value,
                     Tensor& out) {
  static const Elements kernels(name.text);
  if (!kernels.run(out, {self, a, b}, value))
    run_on_host(qualified(name.text).c_str(), "out", {self, a, b, value, out});
  return out;
}

Tensor& lerp_number(const Tensor& self, const Tensor& end, const Scalar& weight, Tensor& out) {
  static const Elements kernels("lerp_number");
  if (!kernels.run(out, {self, end}, weight))
    run_on_host("aten::lerp", "Scalar_out", {self, end, weight, out});
  return out;
}

Tensor& lerp_tensor(const Tensor& self, const Tensor& end, const Tensor& weight, Tensor& out) {
  static const Elements kernels("lerp");
  if (!kernels.run(out, {self, end, weight}))
    run_on_host("aten::lerp", "Tensor_out", {self, end, weight, out});
  return out;
}

/// On the device, since kernels take no number in this place.
Tensor placed(const Tensor& tensor, const Tensor& like, at::ScalarType type) {
  return is_number(tensor) ? at::full({}, tensor.item(), like.options().dtype(type)) : tensor;
}

Tensor& where_out(const Tensor& mask, const Tensor& a, const Tensor& b, Tensor& out) {
  static const Elements kernels("where", {}, true);
  at::ScalarType type = out.scalar_type();
  if (!on_device(mask) || !kernels.run(out, {mask, placed(a, out, type), placed(b, out, type)}))
    run_on_host("aten::where", "self_out", {mask, a, b, out});
  return out;
}

Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b) {
  if (on_device(mask) && (on_device(a) || on_device(b))) {
    const Tensor& like = on_device(a) ? a : b;
    at::ScalarType type = at::result_type(a, b);
    Tensor out = at::empty({0}, like.options().dtype(type));
    static const Elements kernels("where", {}, true);
    if (kernels.run(out, {mask, placed(a, out, type), placed(b, out, type)})) return out;
  }
  return run_on_host("aten::where", "self", {mask, a, b}).back().toTensor();
}

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  static const Elements kernels("where", {}, true);
  if (!on_device(self) || !on_device(mask) || mask.dim() > self.dim() ||
      !kernels.run(self, {mask, at::full({}, value, self.options()), self}))
    run_on_host("aten::masked_fill_", "Scalar", {self, mask, value});
  return self;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("abs.out", unary<"abs">);
  m.impl("neg.out", unary<"neg">);
  m.impl("exp.out", unary<"exp">);
  m.impl("log.out", unary<"log">);
  m.impl("sqrt.out", unary<"sqrt">);
  m.impl("rsqrt.out", unary<"rsqrt">);
  m.impl("reciprocal.out", unary<"reciprocal">);
  m.impl("sin.out", unary<"sin">);
  m.impl("cos.out", unary<"cos">);
  m.impl("tanh.out", unary<"tanh">);
  m.impl("erf.out", unary<"erf">);
  m.impl("floor.out", unary<"floor">);
  m.impl("ceil.out", unary<"ceil">);
  m.impl("sgn.out", unary<"sgn">);
  m.impl("sigmoid.out", unary<"sigmoid">);
  m.impl("silu.out", unary<"silu">);
  m.impl("isneginf.out", test<"isneginf">);
  m.impl("isposinf.out", test<"isposinf">);
  m.impl("clamp.out", clamp);
  m.impl("clamp_min.out", clamp_min);
  m.impl("clamp_max.out", clamp_max);

  m.impl("add.out", Binary<"add">::run_scaled);
  m.impl("sub.out", Binary<"sub">::run_scaled);
  m.impl("mul.out", Binary<"mul">::run);
  m.impl("div.out", Binary<"div">::run);
  m.impl("maximum.out", Binary<"maximum">::run);
  m.impl("minimum.out", Binary<"minimum">::run);
  m.impl("pow.Tensor_Tensor_out", Binary<"pow">::run);
  m.impl("pow.Tensor_Scalar_out", pow_number);
  m.impl("eq.Tensor_out", Compare<"eq">::with_tensor);
  m.impl("ne.Tensor_out", Compare<"ne">::with_tensor);
  m.impl("lt.Tensor_out", Compare<"lt">::with_tensor);
  m.impl("le.Tensor_out", Compare<"le">::with_tensor);
  m.impl("gt.Tensor_out", Compare<"gt">::with_tensor);
  m.impl("ge.Tensor_out", Compare<"ge">::with_tensor);
  m.impl("eq.Scalar_out", Compare<"eq">::with_number);
  m.impl("ne.Scalar_out", Compare<"ne">::with_number);
  m.impl("lt.Scalar_out", Compare<"lt">::with_number);
  m.impl("le.Scalar_out", Compare<"le">::with_number);
  m.impl("gt.Scalar_out", Compare<"gt">::with_number);
  m.impl("ge.Scalar_out", Compare<"ge">::with_number);

  m.impl("addcmul.out", with_product<"addcmul">);
  m.impl("addcdiv.out", with_product<"addcdiv">);
  m.impl("lerp.Scalar_out", lerp_number);
  m.impl("lerp.Tensor_out", lerp_tensor);
  m.impl("where.self", where);
  m.impl("where.self_out", where_out);
  m.impl("masked_fill_.Scalar", masked_fill_);
}

}  // namespace
}  // namespace xpugraph_torch
