// SPDX-License-Identifier: Apache-2.0
// Copies as calls make them, for other calls that come to a copy.
#pragma once

#include "graph/params.h"

namespace xpu::capi {

// Waits for it, as xpuMemcpy() does.
Status copy_now(const char* call, const graph::CopyShape& shape);
// In a stream, or as a node of its capture.
Status copy_later(const char* call, const graph::CopyShape& shape, xpuStream_t stream);

}  // namespace xpu::capi
