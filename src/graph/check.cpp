// SPDX-License-Identifier: Apache-2.0
// Checks of node parameters that need no driver.
#include "graph/check.h"

#include <string>

namespace xpu::graph {
namespace {

std::string text(const xpuDim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

Status overflow(const char* argument) {
  return invalid_value("the sizes describe more bytes than an address can hold", argument);
}

// Bytes from `base` to the end of the last row touched, or false if that is no address.
bool reach(const CopySide& side, const CopyShape& shape, size_t* bytes) noexcept {
  size_t rows = 0, last_slice = 0, row_bytes = 0, end = 0;
  if (__builtin_add_overflow(side.z, shape.depth - 1, &last_slice)) return false;
  if (__builtin_mul_overflow(last_slice, side.ysize, &rows)) return false;
  if (__builtin_add_overflow(rows, side.y, &rows)) return false;
  if (__builtin_add_overflow(rows, shape.height - 1, &rows)) return false;
  if (__builtin_mul_overflow(rows, side.pitch, &row_bytes)) return false;
  if (__builtin_add_overflow(row_bytes, side.x, &end)) return false;
  if (__builtin_add_overflow(end, shape.width, &end)) return false;
  *bytes = end;
  size_t address = 0;
  return !__builtin_add_overflow(reinterpret_cast<size_t>(side.base), end, &address);
}

Status check_side(const CopySide& side, const CopyShape& shape, const std::string& name) {
  if (!side.base) return invalid_value("a copy needs an address to begin at, not NULL", name);
  const bool rows = shape.height > 1 || shape.depth > 1 || side.y > 0 || side.z > 0;
  if ((rows || side.pitch) && side.pitch < shape.width) {
    return Status::error(xpuErrorInvalidPitchValue,
                         "the pitch is " + std::to_string(side.pitch) +
                             " bytes, but a row of the "
                             "copy has " +
                             std::to_string(shape.width),
                         name + ".pitch");
  }
  if (rows && side.x > side.pitch - shape.width) {
    return invalid_value("the copy begins at byte " + std::to_string(side.x) +
                             " of a row and takes " + std::to_string(shape.width) +
                             ", past the pitch of " + std::to_string(side.pitch),
                         name);
  }
  const bool slices = shape.depth > 1 || side.z > 0;
  if (slices && (shape.height > side.ysize || side.y > side.ysize - shape.height)) {
    return invalid_value("the copy takes rows " + std::to_string(side.y) + " and the " +
                             std::to_string(shape.height) + " from there, but a slice has " +
                             std::to_string(side.ysize),
                         name + ".ysize");
  }
  size_t bytes = 0;
  return reach(side, shape, &bytes) ? Status() : overflow(name.c_str());
}

}  // namespace

Status refuse_launch_shape(const xpuDim3& grid, const xpuDim3& block) {
  if (!is_launch_size(grid))
    return invalid_value("the grid is " + text(grid) + "; each dimension must be at least 1",
                         "gridDim");
  return invalid_value("the block is " + text(block) + "; each dimension must be at least 1",
                       "blockDim");
}

Status check_copy(const CopyShape& shape) {
  const int kind = static_cast<int>(shape.kind);
  if (kind < static_cast<int>(xpuMemcpyHostToHost) || kind > static_cast<int>(xpuMemcpyDefault)) {
    return Status::error(
        xpuErrorInvalidMemcpyDirection,
        "the kind of a copy is 0 (host to host) to 4 (default), not " + std::to_string(kind),
        "kind");
  }
  if (!shape.width || !shape.height || !shape.depth) {
    return invalid_value("a copy node must copy at least one byte",
                         shape.linear ? "count" : "extent");
  }
  size_t total = 0;
  if (__builtin_mul_overflow(shape.width, shape.height, &total) ||
      __builtin_mul_overflow(total, shape.depth, &total)) {
    return overflow(shape.linear ? "count" : "extent");
  }
  XPU_TRY(check_side(shape.dst, shape, shape.linear ? "dst" : "dstPtr"));
  return check_side(shape.src, shape, shape.linear ? "src" : "srcPtr");
}

Status check_fill(const FillShape& shape) {
  if (!shape.dst) return invalid_value("a fill needs an address to begin at, not NULL", "dst");
  if (shape.element_size != 1 && shape.element_size != 2 && shape.element_size != 4) {
    return invalid_value(
        "an element of a fill has 1, 2 or 4 bytes, not " + std::to_string(shape.element_size),
        "elementSize");
  }
  if (!shape.width) return invalid_value("a fill writes at least one element in a row", "width");
  if (!shape.height) return invalid_value("a fill writes at least one row", "height");
  if (reinterpret_cast<uintptr_t>(shape.dst) % shape.element_size) {
    return invalid_value("the address of a fill must be a multiple of its element size, " +
                             std::to_string(shape.element_size),
                         "dst");
  }
  size_t row = 0, rows = 0, end = 0;
  if (__builtin_mul_overflow(shape.width, size_t{shape.element_size}, &row)) {
    return overflow("width");
  }
  if (shape.height > 1 && shape.pitch < row) {
    return invalid_value("the pitch is " + std::to_string(shape.pitch) + " bytes, but a row has " +
                             std::to_string(row),
                         "pitch");
  }
  if (shape.height > 1 && shape.pitch % shape.element_size) {
    return invalid_value(
        "the pitch must be a multiple of the element size, " + std::to_string(shape.element_size),
        "pitch");
  }
  if (__builtin_mul_overflow(shape.height - 1, shape.pitch, &rows) && shape.height > 1) {
    return overflow("height");
  }
  if (shape.height == 1) rows = 0;
  if (__builtin_add_overflow(rows, row, &end) ||
      __builtin_add_overflow(end, reinterpret_cast<size_t>(shape.dst), &end)) {
    return overflow("height");
  }
  return {};
}

}  // namespace xpu::graph
