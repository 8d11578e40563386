// SPDX-License-Identifier: Apache-2.0
// Whether two nodes, or two graphs, do the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graph/params.h"

namespace xpu::graph {

// Blocks of arguments are mostly a few words: a call of memcmp would be a third of the comparison.
inline bool same_bytes(const std::byte* a, const std::byte* b, size_t size) noexcept {
  size_t at = 0;
  const auto next_differs = [&]<class Word>(Word) {
    Word one, other;
    std::memcpy(&one, a + at, sizeof one);
    std::memcpy(&other, b + at, sizeof other);
    at += sizeof(Word);
    return one != other;
  };
  while (size - at >= sizeof(uint64_t))
    if (next_differs(uint64_t{})) return false;
  while (size - at >= sizeof(uint32_t))
    if (next_differs(uint32_t{})) return false;
  while (at < size)
    if (next_differs(uint8_t{})) return false;
  return true;
}

// Of one kernel. Inline: an update asks it of every node.
inline bool same_launch(const KernelParams& a, const KernelParams& b) noexcept {
  return a.same_sizes(b) && a.shared_mem() == b.shared_mem() &&
         same_bytes(a.arguments().data(), b.arguments().data(), a.arguments().size());
}

// By value; of child graphs only whether they are one and the same.
bool same(const NodeParams& a, const NodeParams& b);
// Whether two graphs have the same form and their nodes, child graphs looked into, do the same.
bool same(const Graph& a, const Graph& b);

}  // namespace xpu::graph
