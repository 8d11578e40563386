// SPDX-License-Identifier: Apache-2.0
// The public parameter structs and scalars of copies and fills, as the graph's shapes and back.
#pragma once

#include <xpugraph/xpugraph.h>

#include "graph/params.h"

namespace xpu::capi {

// The caller's struct must have been copied in.
graph::CopyShape to_shape(const xpuMemcpy3DParms& params) noexcept;
graph::CopyShape to_shape_2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                             size_t height, xpuMemcpyKind kind) noexcept;
graph::CopyShape to_shape_1d(void* dst, const void* src, size_t count, xpuMemcpyKind kind) noexcept;
xpuMemcpy3DParms to_public(const graph::CopyShape& shape) noexcept;

graph::FillShape to_shape(const xpuMemsetParams& params) noexcept;
// The memset calls, whose width is in bytes and whose value is a byte.
graph::FillShape to_byte_fill(void* dst, size_t pitch, int value, size_t width,
                              size_t height) noexcept;
xpuMemsetParams to_public(const graph::FillShape& shape) noexcept;

}  // namespace xpu::capi
