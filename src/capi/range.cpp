// SPDX-License-Identifier: Apache-2.0
// Extents against allocations. The shapes have passed graph/check.h, so that no sum here overflows.
#include "capi/range.h"

namespace xpu::capi {
namespace {

Status check(const runtime::Memory& memory, const void* first, size_t bytes, const char* argument) {
  const runtime::Allocation at = memory.find(first);
  if (!at.base || bytes == 0) return {};
  const size_t offset =
      static_cast<size_t>(static_cast<const char*>(first) - static_cast<const char*>(at.base));
  if (bytes <= at.size - offset) return {};
  return invalid_value(std::string(argument) + " is used for " + std::to_string(bytes) +
                           " bytes, but its allocation ends after " +
                           std::to_string(at.size - offset),
                       argument);
}

// From the first byte to the last, gaps included.
size_t extent(const graph::CopySide& side, const graph::CopyShape& shape) noexcept {
  const size_t rows = shape.height - 1 + side.ysize * (shape.depth - 1);
  return rows * side.pitch + shape.width;
}

}  // namespace

Status check_range(const runtime::Memory& memory, const graph::CopyShape& shape) {
  XPU_TRY(check(memory, shape.dst.first(), extent(shape.dst, shape), "dst"));
  return check(memory, shape.src.first(), extent(shape.src, shape), "src");
}

Status check_range(const runtime::Memory& memory, const graph::FillShape& shape) {
  const size_t rows = (shape.height - 1) * (shape.height > 1 ? shape.pitch : 0);
  return check(memory, shape.dst, rows + shape.width * shape.element_size, "dst");
}

}  // namespace xpu::capi
