// SPDX-License-Identifier: Apache-2.0
// Extents against allocations. The shapes have passed graph/check.h, so that no sum here overflows.
#include "capi/range.h"

#include "memory/extents.h"

namespace xpu::capi {
namespace {

// From `first` to the end of its allocation, if it is known; 0 if it is in none.
std::optional<size_t> bytes_from(const runtime::Memory& memory, const void* first) {
  const runtime::Allocation at = memory.find(first);
  if (!at.base) return std::nullopt;
  if (!at.ours) {
    if (const std::optional<size_t> left = memory::Extents::get().left_at(first)) return left;
  }
  return at.size -
         static_cast<size_t>(static_cast<const char*>(first) - static_cast<const char*>(at.base));
}

Status check(const runtime::Memory& memory, const void* first, size_t bytes, const char* argument) {
  if (bytes == 0) return {};
  const std::optional<size_t> there = bytes_from(memory, first);
  if (!there || bytes <= *there) return {};
  std::string why =
      std::string(argument) + " is used for " + std::to_string(bytes) + " bytes, but ";
  why += *there
             ? "its allocation ends after " + std::to_string(*there)
             : "no allocation of its graph or pool has a byte there (0 bytes): it has been freed "
               "or never was allocated";
  return invalid_value(std::move(why), argument);
}

// From the block's own address, because a copy may begin so far behind it that it is in no
// allocation at all, or in another one.
Status check(const runtime::Memory& memory, const graph::CopySide& side,
             const graph::CopyShape& shape, const char* argument) {
  // From the first byte to the last, gaps included.
  const size_t rows = shape.height - 1 + side.ysize * (shape.depth - 1);
  const size_t bytes = rows * side.pitch + shape.width;
  const auto* base = static_cast<const std::byte*>(side.base);
  if (memory.find(base).base)
    return check(memory, base, static_cast<size_t>(side.first() - base) + bytes, argument);
  return check(memory, side.first(), bytes, argument);
}

}  // namespace

Status check_range(const runtime::Memory& memory, const graph::CopyShape& shape) {
  XPU_TRY(check(memory, shape.dst, shape, "dst"));
  return check(memory, shape.src, shape, "src");
}

Status check_range(const runtime::Memory& memory, const graph::FillShape& shape) {
  if (!memory.find(shape.dst).base)
    return invalid_value(
        "no device can fill that memory; it must come from this library or from the driver", "dst");
  const size_t rows = (shape.height - 1) * (shape.height > 1 ? shape.pitch : 0);
  return check(memory, shape.dst, rows + shape.width * shape.element_size, "dst");
}

}  // namespace xpu::capi
