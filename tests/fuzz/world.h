// SPDX-License-Identifier: Apache-2.0
// What a random program has made so far, and how it chooses from it: mostly what lives, now and
// then what was destroyed, what is of another kind, NULL, or no handle at all.
#pragma once

#include <xpugraph/xpugraph.h>

#include <vector>

#include "fuzz/bytes.h"

namespace fuzz {

inline void* const kUntouched = reinterpret_cast<void*>(uintptr_t{0x5a5a5a5a5a5a5a50});

template <class Handle>
struct Shelf {
  std::vector<Handle> live, dead;

  Handle choose(Bytes& in, void* stranger) {
    const uint8_t how = in.byte();
    if (how >= 254) return nullptr;
    if (how == 253) return static_cast<Handle>(stranger);
    if (how == 252) return reinterpret_cast<Handle>(uintptr_t{0x1230} + in.byte());
    if (how >= 244 && !dead.empty()) return dead[in.pick(dead.size())];
    return live.empty() ? nullptr : live[how % live.size()];
  }
  void add(Handle handle) { live.push_back(handle); }
  void remove(Handle handle) {
    for (size_t i = 0; i < live.size(); i++)
      if (live[i] == handle) {
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
        if (dead.size() < 8) dead.push_back(handle);
        return;
      }
  }
};

struct Memory {
  void* address;
  size_t size;
  bool host;
};

struct World {
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Any handle of another kind than a graph.
  void* stranger() const;
  xpuGraph_t graph(Bytes& in) {
    if (!bodies.empty() && in.pick(4) == 0) return bodies[in.pick(bodies.size())];
    return graphs.choose(in, stranger());
  }
  xpuGraphNode_t node(Bytes& in) { return nodes.choose(in, stranger()); }
  xpuGraphExec_t exec(Bytes& in) { return execs.choose(in, stranger()); }
  xpuStream_t stream(Bytes& in) { return streams.choose(in, stranger()); }
  xpuEvent_t event(Bytes& in) { return events.choose(in, stranger()); }
  xpuUserObject_t object(Bytes& in) { return objects.choose(in, stranger()); }
  xpuExternalSemaphore_t semaphore(Bytes& in) { return semaphores.choose(in, stranger()); }
  xpuKernel_t kernel(Bytes& in) { return kernels.choose(in, stranger()); }
  // Up to four nodes, some of them twice.
  std::vector<xpuGraphNode_t> some_nodes(Bytes& in);
  // Memory that lives; never what was freed, which the library cannot tell from a program's own.
  const Memory& memory(Bytes& in) const { return memories[in.pick(memories.size())]; }
  void forget(void* address);
  // Takes up the nodes that a graph has got since.
  void look_at(xpuGraph_t graph);

  Shelf<xpuGraph_t> graphs;
  Shelf<xpuGraphNode_t> nodes;
  Shelf<xpuGraphExec_t> execs;
  Shelf<xpuStream_t> streams;
  Shelf<xpuEvent_t> events;
  Shelf<xpuUserObject_t> objects;
  Shelf<xpuKernel_t> kernels;
  Shelf<xpuExternalSemaphore_t> semaphores;  // timelines
  std::vector<Memory> memories;
  // Graphs inside nodes; they may be gone with those.
  std::vector<xpuGraph_t> bodies;
  struct Condition {
    xpuGraphConditionalHandle handle;
    bool never;  // its value is 0 at every launch
  };
  std::vector<Condition> conditions;
};

}  // namespace fuzz
