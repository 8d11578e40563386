// SPDX-License-Identifier: Apache-2.0
// Products of matrices; attention, linear layers and convolutions come here, too.
#include "matrix.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/empty.h>

#include "../fallback.h"
#include "../kernel.h"
#include "../operators.h"

namespace xpugraph_torch {
namespace {

using at::Scalar;
using at::Tensor;

/// As kernels/matrix.cl has them.
struct Matrix {
  int row = 0, column = 0, part = 0, pair0 = 0, pair1 = 0;
};
struct Product {
  uint32_t rows, columns, depth, parts, pairs1;
  float alpha, beta;
  Matrix a, b, c, d;
};

/// Of a tensor of two to four dimensions.
Matrix matrix_of(const Tensor& tensor) {
  auto step = [&](int64_t from_end) {
    int64_t d = tensor.dim() - from_end;
    return d < 0 || tensor.size(d) == 1 ? 0 : static_cast<int>(tensor.stride(d));
  };
  return {step(2), step(1), 0, step(4), step(3)};
}

void turn(Matrix& matrix) { std::swap(matrix.row, matrix.column); }

void start(Product& product, void* c, void* a, void* b, void* d, uint32_t pairs) {
  static const Kernel wide("matrix", "product_wide"), deep("matrix", "product_deep"),
      any("matrix", "product_any");
  // b a with both transposed is the same, and has its columns side by side.
  if (product.b.column != 1 && product.a.row == 1) {
    std::swap(a, b);
    std::swap(product.a, product.b);
    std::swap(product.rows, product.columns);
    for (Matrix* matrix : {&product.a, &product.b, &product.c, &product.d}) turn(*matrix);
  }
  auto begin = [&](const Kernel& kernel, xpuDim3 group, uint32_t high, uint32_t broad) {
    xpuDim3 groups = {groups_for(product.columns, group.x * broad),
                      groups_for(product.rows, group.y * high), pairs};
    launch(kernel.get(), groups, group, c, a, b, d, product);
  };
  if (product.a.column == 1 && product.b.row == 1)
    begin(deep, {8, 8, 1}, 2, 4);
  else if (product.b.column == 1 && product.columns >= 16)
    begin(wide, {4, 8, 1}, 4, 16);
  else
    begin(any, {16, 4, 1}, 1, 1);
}

/// Has `c` the size of the product? A program may give any tensor as `out`.
bool fits(const Tensor& c, const Tensor& a, const Tensor& b) {
  return c.dim() >= 2 && c.size(-2) == a.size(-2) && c.size(-1) == b.size(-1) &&
         a.size(-1) == b.size(-2);
}

bool steps_fit(const Tensor& tensor) {
  for (int64_t step : tensor.strides())
    if (step > most_elements) return false;
  return true;
}

/// Of which `a` and `b` are the first, and the steps to the next ones.
struct Parts {
  int64_t count = 1, a = 0, b = 0;
};

bool queue(const Tensor& c, const Tensor& a, const Tensor& b, const Tensor& d, float alpha,
           float beta, Parts parts) {
  if (!fits(c, a, b) || !all_float(a, b, c, d) || a.device() != c.device() ||
      b.device() != c.device() || d.device() != c.device())
    return false;
  for (const Tensor& tensor : {a, b, c, d})
    if (!steps_fit(tensor)) return false;
  if (std::max({parts.count, parts.a, parts.b}) > most_elements) return false;
  if (c.numel() == 0) return true;
  if (a.numel() == 0) return false;
  OnDevice there(c.device().index());
  int64_t pairs1 = c.dim() > 2 ? c.size(-3) : 1, pairs0 = c.dim() > 3 ? c.size(-4) : 1;
  Product product = {static_cast<uint32_t>(c.size(-2)),
                     static_cast<uint32_t>(c.size(-1)),
                     static_cast<uint32_t>(a.size(-1)),
                     static_cast<uint32_t>(parts.count),
                     static_cast<uint32_t>(pairs1),
                     alpha,
                     beta,
                     matrix_of(a),
                     matrix_of(b),
                     matrix_of(c),
                     matrix_of(d)};
  product.a.part = static_cast<int>(parts.a);
  product.b.part = static_cast<int>(parts.b);
  start(product, address(c), address(a), address(b), address(d),
        static_cast<uint32_t>(pairs0 * pairs1));
  return true;
}

}  // namespace

bool multiply(const Tensor& c, const Tensor& a, const Tensor& b, const Tensor& d, float alpha,
              float beta) {
  return queue(c, a, b, d, alpha, beta, {});
}

bool multiply_and_sum(const Tensor& c, const Tensor& a, const Tensor& b) {
  return queue(c, a.select(0, 0), b.select(0, 0), c, 1, 0, {a.size(0), a.stride(0), b.stride(0)});
}

namespace {

/// `self` as what is added to the product; `out` where it cannot be that.
Tensor added(const Tensor& self, const Tensor& out) {
  return at::is_expandable_to(self.sizes(), out.sizes()) ? self.expand(out.sizes()) : out;
}

Tensor& mm(const Tensor& a, const Tensor& b, Tensor& out) {
  if (!multiply(out, a, b, out, 1, 0)) run_on_host("aten::mm", "out", {a, b, out});
  return out;
}

Tensor& bmm(const Tensor& a, const Tensor& b, Tensor& out) {
  if (!multiply(out, a, b, out, 1, 0)) run_on_host("aten::bmm", "out", {a, b, out});
  return out;
}

Tensor& addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
              const Scalar& alpha, Tensor& out) {
  if (!multiply(out, a, b, added(self, out), alpha.to<float>(), beta.to<float>()))
    run_on_host("aten::addmm", "out", {self, a, b, beta, alpha, out});
  return out;
}

Tensor& baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                const Scalar& alpha, Tensor& out) {
  if (!multiply(out, a, b, added(self, out), alpha.to<float>(), beta.to<float>()))
    run_on_host("aten::baddbmm", "out", {self, a, b, beta, alpha, out});
  return out;
}

Tensor& addmv(const Tensor& self, const Tensor& matrix, const Tensor& vector, const Scalar& beta,
              const Scalar& alpha, Tensor& out) {
  if (out.dim() != 1 ||
      !multiply(out.unsqueeze(1), matrix, vector.unsqueeze(1), added(self, out).unsqueeze(1),
                alpha.to<float>(), beta.to<float>()))
    run_on_host("aten::addmv", "out", {self, matrix, vector, beta, alpha, out});
  return out;
}

Tensor dot(const Tensor& a, const Tensor& b) {
  if (a.dim() == 1 && b.dim() == 1 && a.sizes() == b.sizes() && all_float(a, b)) {
    Tensor out = at::empty({1, 1}, a.options());
    if (multiply(out, a.unsqueeze(0), b.unsqueeze(1), out, 1, 0))
      return out.view(c10::IntArrayRef());
  }
  return run_on_host("aten::dot", "", {a, b}).back().toTensor();
}

XPUGRAPH_OPERATORS(m) {
  m.impl("mm.out", mm);
  m.impl("bmm.out", bmm);
  m.impl("addmm.out", addmm);
  m.impl("baddbmm.out", baddbmm);
  m.impl("addmv.out", addmv);
  m.impl("dot", dot);
}

}  // namespace
}  // namespace xpugraph_torch
