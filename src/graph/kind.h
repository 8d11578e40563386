// SPDX-License-Identifier: Apache-2.0
// What a node does. Values are those of the public xpuGraphNodeType.
#pragma once

#include <cstdint>
#include <string>

namespace xpu::graph {

enum class NodeKind : uint8_t {
  kernel = 0,
  copy = 1,
  fill = 2,
  host = 3,
  child = 4,
  empty = 5,
  event_wait = 6,
  event_record = 7,
  semaphore_signal = 8,
  semaphore_wait = 9,
  mem_alloc = 10,
  mem_free = 11,
  batch = 12,
  conditional = 13,
};

// "kernel", "memcpy", "memset", "host", "child graph", "empty", "event wait", "event record",
// "external semaphore signal", "external semaphore wait", "memory allocation", "memory free",
// "batch of memory operations", "conditional": the words of the public header, for error sentences
// and pictures.
const char* kind_name(NodeKind kind) noexcept;
// "a kernel node", "an empty node": for error sentences.
std::string a_node(NodeKind kind);

inline bool holds_graphs(NodeKind kind) noexcept {
  return kind == NodeKind::child || kind == NodeKind::conditional;
}

}  // namespace xpu::graph
