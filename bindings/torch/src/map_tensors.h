// SPDX-License-Identifier: Apache-2.0
// Replaces the tensors in an operator's argument, wherever they sit in it.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/ivalue.h>

#include "device.h"

namespace xpugraph_torch {

/// `change` is called with every defined tensor of `value`. Device arguments that name this backend
/// become `place`.
template <typename Change>
c10::IValue map_tensors(const c10::IValue& value, c10::Device place, const Change& change) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    return tensor.defined() ? c10::IValue(change(tensor)) : value;
  }
  if (value.isTensorList()) {
    c10::List<at::Tensor> changed;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      changed.push_back(tensor.defined() ? change(tensor) : tensor);
    }
    return changed;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> changed;
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      changed.push_back(tensor && tensor->defined() ? std::make_optional(change(*tensor)) : tensor);
    }
    return changed;
  }
  if (value.isDevice() && value.toDevice().type() == device_type) return place;
  return value;
}

}  // namespace xpugraph_torch
