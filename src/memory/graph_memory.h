// SPDX-License-Identifier: Apache-2.0
// The memory of one graph: its allocation and free nodes, where they are placed, and whether there
// is memory behind the addresses.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/arena.h"
#include "memory/ledger.h"
#include "memory/node_order.h"
#include "memory/order.h"
#include "runtime/stream.h"

namespace xpu::memory {

class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
 public:
  // The graph's, made at the first call.
  static std::shared_ptr<GraphMemory> of(graph::Graph& graph);
  // Null if the graph has no memory nodes.
  static std::shared_ptr<GraphMemory> find(const graph::Graph& graph) noexcept;
  ~GraphMemory();

  // The calls below that are not about the Ledger's state follow the graph's rule: no two at once.

  // Decides the address of a node that was just added with AllocParams, and tells it to the node.
  Status place(graph::Node& node, runtime::Device& device);
  // The node could not be placed and goes again.
  void forget(const graph::Node& node) noexcept { nodes_.forget(node); }
  // `node` is a free node of this graph; what it frees may be used again by what comes after it.
  void release(const graph::Node& node, Allocation& allocation);

  const std::deque<Allocation>& allocations() const noexcept { return allocations_; }
  const std::vector<std::unique_ptr<Arena>>& arenas() const noexcept { return arenas_; }
  const Order& order() const noexcept { return order_; }

  // ---- under Ledger::mutex

  // An executable has the memory from claim() to unclaim(); there can be one at a time.
  bool claimed() const noexcept { return claimed_; }
  // Gives memory to all addresses.
  Status claim();
  void unclaim() noexcept;
  // Gives it back what trim() took. The answer changes when memory was replaced.
  Result<uint64_t> back();
  uint64_t generation() const noexcept { return generation_; }
  // A launch in `stream` is about to use the memory: runs of an executable that had it before may
  // still be under way in another stream.
  Status order_behind_uses(runtime::Stream& stream);
  // What was submitted to `stream` so far uses the memory: launches of its graph, and what came
  // before a free by a call or another graph. make_room_for_use() comes before it.
  void make_room_for_use();
  void used_in(const runtime::Stream& stream) noexcept;
  // Live from here on, and so is this object. The result of ended() is let go without the lock.
  void began(Allocation& allocation) noexcept;
  std::shared_ptr<GraphMemory> ended(Allocation& allocation) noexcept;
  // Gives the memory on `device` back if nothing uses it.
  void trim(const runtime::Device& device) noexcept;
  // Tells the ledger how much is used and reserved now.
  void recount() noexcept;

 private:
  struct Counted {
    size_t used = 0, reserved = 0;
  };
  struct Use {
    std::weak_ptr<runtime::Stream> stream;
    std::shared_ptr<runtime::Clock> clock;
    uint64_t submission;
    bool is_over() const noexcept {
      return clock->completed.load(std::memory_order_acquire) >= submission;
    }
  };
  Arena& arena_on(runtime::Device& device);
  bool is_idle() const noexcept;

  Order order_;
  NodeOrder nodes_{order_};
  std::deque<Allocation> allocations_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // one for each device
  std::vector<Counted> counted_;                // as told to the ledger, one for each arena
  bool claimed_ = false;
  bool backed_ = false;
  uint32_t live_ = 0;
  uint64_t generation_ = 1;
  std::vector<Use> uses_;  // the last in each queue; those that are over go by and by
};

// Those of a graph and of the child graphs in it, the graph's own first; empty if it has no memory
// nodes anywhere.
std::vector<std::shared_ptr<GraphMemory>> memories_of(const graph::Graph& graph);

// Moves a graph into a new node of another one. If it has memory nodes, the graphs around it have,
// too, from then on: what is forbidden for one of them is forbidden for all.
Result<graph::Node*> add_moved(graph::Graph& graph, const std::shared_ptr<graph::Graph>& inner,
                               std::span<graph::Node* const> dependencies,
                               const xpuGraphEdgeData* data = nullptr);

// Adds an allocation node: `params` are AllocParams without an address.
Result<graph::Node*> add_alloc(graph::Graph& graph, graph::ParamsRef params,
                               runtime::Device& device, std::span<graph::Node* const> dependencies,
                               const xpuGraphEdgeData* data = nullptr);
// Adds a node that frees the allocation at `address`, of this graph or of another one. Refuses an
// address that is none, and one that is freed already.
Result<graph::Node*> add_free(graph::Graph& graph, void* address,
                              std::span<graph::Node* const> dependencies,
                              const xpuGraphEdgeData* data = nullptr);

}  // namespace xpu::memory
