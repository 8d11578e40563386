// SPDX-License-Identifier: Apache-2.0
// Element-wise work on lists of tensors, some 16 tensors with each launch.
#pragma once

#include <vector>

#include <ATen/core/TensorBody.h>

#include "kernel.h"

namespace xpugraph_torch {

/// A list of tensors with up to three lists that go with it, tensor by tensor; those that are not
/// needed are empty.
struct Lists {
  at::TensorList out, a = {}, b = {}, c = {};

  /// Are they lists of one length, of float tensors that lie alike and without gaps on one device?
  bool are_covered() const;
};

/// Launches a kernel of kernels/many.cl, whose slots are followed by `numbers`, and these by what
/// `behind` holds for each tensor, if anything. The lists must be covered.
void launch_many(const Kernel& kernel, const Lists& lists, std::vector<void*> numbers,
                 at::TensorList behind = {});

}  // namespace xpugraph_torch
