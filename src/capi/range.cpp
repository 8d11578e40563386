// SPDX-License-Identifier: Apache-2.0
// Extents against allocations. The shapes have passed graph/check.h, so that no sum here overflows.
#include "capi/range.h"

namespace xpu::capi {
namespace {

Status check(const runtime::Allocation& at, const void* from, size_t bytes, const char* argument) {
  const size_t offset =
      static_cast<size_t>(static_cast<const char*>(from) - static_cast<const char*>(at.base));
  if (bytes <= at.size - offset) return {};
  return invalid_value(std::string(argument) + " is used for " + std::to_string(bytes) +
                           " bytes, but its allocation ends after " +
                           std::to_string(at.size - offset),
                       argument);
}

// From the block's own address, because a copy may begin so far behind it that it is in no
// allocation at all, or in another one.
Status check(const runtime::Memory& memory, const graph::CopySide& side,
             const graph::CopyShape& shape, const char* argument) {
  // From the first byte to the last, gaps included.
  const size_t rows = shape.height - 1 + side.ysize * (shape.depth - 1);
  const size_t bytes = rows * side.pitch + shape.width;
  const auto* base = static_cast<const std::byte*>(side.base);
  const runtime::Allocation whole = memory.find(base);
  if (whole.base)
    return check(whole, base, static_cast<size_t>(side.first() - base) + bytes, argument);
  if (side.first() == base) return {};
  const runtime::Allocation part = memory.find(side.first());
  return part.base ? check(part, side.first(), bytes, argument) : Status();
}

}  // namespace

Status check_range(const runtime::Memory& memory, const graph::CopyShape& shape) {
  XPU_TRY(check(memory, shape.dst, shape, "dst"));
  return check(memory, shape.src, shape, "src");
}

Status check_range(const runtime::Memory& memory, const graph::FillShape& shape) {
  const runtime::Allocation at = memory.find(shape.dst);
  if (!at.base)
    return invalid_value(
        "no device can fill that memory; it must come from this library or from the driver", "dst");
  const size_t rows = (shape.height - 1) * (shape.height > 1 ? shape.pitch : 0);
  return check(at, shape.dst, rows + shape.width * shape.element_size, "dst");
}

}  // namespace xpu::capi
