// SPDX-License-Identifier: Apache-2.0
// The product of matrices that other operators are made of.
#pragma once

#include <ATen/core/TensorBody.h>

namespace xpugraph_torch {

/// Queues c = alpha * a b + beta * d for the last two dimensions, and for each pair that up to two
/// dimensions before them count; those of `a` and `b` have the sizes of c's, or are 1 or left out.
/// `d` has c's sizes, may be c, and is not read if `beta` is 0. False, and nothing is done, if
/// there is no kernel for it.
bool multiply(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b, const at::Tensor& d,
              float alpha, float beta);

/// Queues c = the sum of all a[n] b[n], where each of these is as above.
bool multiply_and_sum(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b);

}  // namespace xpugraph_torch
