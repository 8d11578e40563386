// SPDX-License-Identifier: Apache-2.0
// Pinned host memory for tensors.
#pragma once

#include <ATen/core/CachingHostAllocator.h>

namespace xpugraph_torch {

/// PyTorch's own cache of pinned blocks, over the library's pinned memory.
at::HostAllocator& host_memory();

/// Is it memory that copies in a capture may name?
bool is_pinned(const void* address);

}  // namespace xpugraph_torch
