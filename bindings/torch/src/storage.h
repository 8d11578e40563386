// SPDX-License-Identifier: Apache-2.0
// Storages of the device: their size, and who may use them.
#pragma once

#include <ATen/core/TensorBody.h>

#include "device.h"

namespace xpugraph_torch {

/// Gives a storage memory of another size; what fits of the content is copied in the current
/// stream.
void resize_storage(const c10::Storage& storage, size_t bytes);

inline bool on_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == device_type;
}

/// To be called for every tensor that work in the current stream uses: throws if it may not, and
/// has a capture keep the memory.
void use(const at::Tensor& tensor);

}  // namespace xpugraph_torch
