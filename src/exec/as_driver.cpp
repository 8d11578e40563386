// SPDX-License-Identifier: Apache-2.0
// Takes shapes apart.
#include "exec/as_driver.h"

namespace xpu::exec {

ze::Copy as_driver(const graph::CopyShape& shape) noexcept {
  ze::Copy copy;
  copy.dst = shape.dst.first();
  copy.src = shape.src.first();
  copy.width = shape.width;
  copy.height = shape.height;
  copy.depth = shape.depth;
  copy.dst_pitch = shape.dst.pitch;
  copy.src_pitch = shape.src.pitch;
  copy.dst_slice = shape.dst.pitch * shape.dst.ysize;
  copy.src_slice = shape.src.pitch * shape.src.ysize;
  return copy;
}

ze::Fill as_driver(const graph::FillShape& shape) noexcept {
  return {shape.dst, shape.value, shape.element_size, shape.width, shape.height, shape.pitch};
}

}  // namespace xpu::exec
