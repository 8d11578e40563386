// SPDX-License-Identifier: Apache-2.0
// Copies and fills between their public form and the graph's.
#include "capi/shapes.h"

namespace xpu::capi {
namespace {

graph::CopySide to_side(const xpuPitchedPtr& pointer, const xpuPos& at) noexcept {
  graph::CopySide side;
  side.base = pointer.ptr;
  side.pitch = pointer.pitch;
  side.xsize = pointer.xsize;
  side.ysize = pointer.ysize;
  side.x = at.x;
  side.y = at.y;
  side.z = at.z;
  return side;
}

void to_public(const graph::CopySide& side, xpuPitchedPtr* pointer, xpuPos* at) noexcept {
  pointer->ptr = side.base;
  pointer->pitch = side.pitch;
  pointer->xsize = side.xsize;
  pointer->ysize = side.ysize;
  at->x = side.x;
  at->y = side.y;
  at->z = side.z;
}

graph::CopySide rows(const void* base, size_t pitch, size_t width, size_t height) noexcept {
  graph::CopySide side;
  side.base = const_cast<void*>(base);
  side.pitch = pitch;
  side.xsize = width;
  side.ysize = height;
  return side;
}

}  // namespace

graph::CopyShape to_shape(const xpuMemcpy3DParms& params) noexcept {
  graph::CopyShape shape;
  shape.dst = to_side(params.dstPtr, params.dstPos);
  shape.src = to_side(params.srcPtr, params.srcPos);
  shape.width = params.extent.width;
  shape.height = params.extent.height;
  shape.depth = params.extent.depth;
  shape.kind = params.kind;
  shape.linear = false;
  return shape;
}

graph::CopyShape to_shape_2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                             size_t height, xpuMemcpyKind kind) noexcept {
  graph::CopyShape shape;
  shape.dst = rows(dst, dpitch, width, height);
  shape.src = rows(src, spitch, width, height);
  shape.width = width;
  shape.height = height;
  shape.kind = kind;
  shape.linear = false;
  return shape;
}

graph::CopyShape to_shape_1d(void* dst, const void* src, size_t count,
                             xpuMemcpyKind kind) noexcept {
  graph::CopyShape shape = to_shape_2d(dst, count, src, count, count, 1, kind);
  shape.linear = true;
  return shape;
}

xpuMemcpy3DParms to_public(const graph::CopyShape& shape) noexcept {
  xpuMemcpy3DParms params = {};
  params.struct_size = sizeof params;
  params.kind = shape.kind;
  to_public(shape.dst, &params.dstPtr, &params.dstPos);
  to_public(shape.src, &params.srcPtr, &params.srcPos);
  params.extent.width = shape.width;
  params.extent.height = shape.height;
  params.extent.depth = shape.depth;
  return params;
}

graph::FillShape to_shape(const xpuMemsetParams& params) noexcept {
  graph::FillShape shape;
  shape.dst = params.dst;
  shape.pitch = params.pitch;
  shape.value = params.value;
  shape.element_size = params.elementSize;
  shape.width = params.width;
  shape.height = params.height;
  return shape;
}

graph::FillShape to_byte_fill(void* dst, size_t pitch, int value, size_t width,
                              size_t height) noexcept {
  graph::FillShape shape;
  shape.dst = dst;
  shape.pitch = pitch;
  shape.value = static_cast<uint8_t>(value);
  shape.element_size = 1;
  shape.width = width;
  shape.height = height;
  return shape;
}

xpuMemsetParams to_public(const graph::FillShape& shape) noexcept {
  xpuMemsetParams params = {};
  params.struct_size = sizeof params;
  params.dst = shape.dst;
  params.pitch = shape.pitch;
  params.value = shape.value;
  params.elementSize = shape.element_size;
  params.width = shape.width;
  params.height = shape.height;
  return params;
}

}  // namespace xpu::capi
