// SPDX-License-Identifier: Apache-2.0
// Blocks of rows and slices, and how plain loops copy and fill them: the reference for what the
// device does.
#pragma once

#include "ground.h"

namespace xpu::test {

inline constexpr size_t kBytes = 1 << 16;  // of every buffer

struct Side {
  size_t offset;  // of the buffer's first byte that is the block's
  size_t pitch;
  size_t rows;  // of a slice
  size_t x, y, z;
  size_t at(size_t column, size_t row, size_t slice) const {
    return offset + x + column + pitch * (y + row + rows * (z + slice));
  }
};

struct Block {
  size_t width, height, depth;
  Side dst, src;
};

inline void reference_copy(unsigned char* dst, const unsigned char* src, const Block& b) {
  for (size_t s = 0; s < b.depth; s++)
    for (size_t r = 0; r < b.height; r++)
      for (size_t c = 0; c < b.width; c++) dst[b.dst.at(c, r, s)] = src[b.src.at(c, r, s)];
}

inline xpuMemcpy3DParms to_params(const Block& b, unsigned char* dst, unsigned char* src,
                                  xpuMemcpyKind kind = xpuMemcpyDefault) {
  xpuMemcpy3DParms p = {};
  p.struct_size = sizeof p;
  p.kind = kind;
  p.dstPtr = {dst + b.dst.offset, b.dst.pitch, b.width, b.dst.rows};
  p.srcPtr = {src + b.src.offset, b.src.pitch, b.width, b.src.rows};
  p.dstPos = {b.dst.x, b.dst.y, b.dst.z};
  p.srcPos = {b.src.x, b.src.y, b.src.z};
  p.extent = {b.width, b.height, b.depth};
  return p;
}

// Bytes that repeat nowhere near.
inline void scramble(unsigned char* bytes, uint32_t seed) {
  for (size_t i = 0; i < kBytes; i++) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = static_cast<unsigned char>(seed >> 24);
  }
}

// One buffer of each type of memory.
struct Buffers {
  unsigned char* of[4];  // by xpuMemoryType
};

inline Buffers make_buffers() {
  Buffers made = {};
  void* memory = nullptr;
  made.of[xpuMemoryTypeUnregistered] = static_cast<unsigned char*>(malloc(kBytes));
  assert_ok(xpuMallocHost(&memory, kBytes));
  made.of[xpuMemoryTypeHost] = static_cast<unsigned char*>(memory);
  assert_ok(xpuMalloc(&memory, kBytes));
  made.of[xpuMemoryTypeDevice] = static_cast<unsigned char*>(memory);
  assert_ok(xpuMallocManaged(&memory, kBytes, xpuMemAttachGlobal));
  made.of[xpuMemoryTypeManaged] = static_cast<unsigned char*>(memory);
  return made;
}
inline void free_buffers(const Buffers& b) {
  free(b.of[xpuMemoryTypeUnregistered]);
  assert_ok(xpuFreeHost(b.of[xpuMemoryTypeHost]));
  assert_ok(xpuFree(b.of[xpuMemoryTypeDevice]));
  assert_ok(xpuFree(b.of[xpuMemoryTypeManaged]));
}

}  // namespace xpu::test
