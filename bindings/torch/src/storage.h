// SPDX-License-Identifier: Apache-2.0
// Storages that change their size, and the host's view of tensors on the device.
#pragma once

#include <ATen/core/TensorBody.h>

namespace xpugraph_torch {

/// Gives a storage memory of another size; what fits of the content is copied in the current
/// stream.
void resize_storage(const c10::Storage& storage, size_t bytes);

inline bool on_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == c10::DeviceType::PrivateUse1;
}

/// A CPU tensor over the same memory, which it does not keep. For work in the order of the current
/// stream; throws if the tensor's memory may not be used there, or not by the host.
at::Tensor host_view(const at::Tensor& tensor);

/// Throws if work in the current stream may not use the tensor's memory.
void check_usable(const at::Tensor& tensor);

}  // namespace xpugraph_torch
