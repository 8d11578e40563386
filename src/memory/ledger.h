// SPDX-License-Identifier: Apache-2.0
// All allocations of graphs in the process: which are in use, and which address is whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/status.h"
#include "memory/order.h"
#include "runtime/device.h"

namespace xpu::memory {

class Arena;
class GraphMemory;

// The memory of one allocation node. It lives as long as its GraphMemory.
struct Allocation {
  GraphMemory* of = nullptr;
  Arena* arena = nullptr;
  void* address = nullptr;
  size_t size = 0;
  uint32_t node = 0;  // local id of the allocation node, for sentences
  Moment begin = 0;
  Moment end = 0;     // of its free node, if freed_here
  uint64_t made = 0;  // when, if there are serial numbers

  // Guarded by Ledger::mutex.
  bool freed_here = false;             // by a node of its own graph, at every launch
  bool freed_elsewhere = false;        // by a node of another graph, or once by a call
  bool live = false;                   // a launch has allocated it and nothing has freed it since
  std::shared_ptr<GraphMemory> keeps;  // `of` while it is live, whatever becomes of the graph
};

// Bytes on one device.
struct Usage {
  size_t used = 0, used_high = 0;
  size_t reserved = 0, reserved_high = 0;
};

class Ledger {
 public:
  static Ledger& get() noexcept;

  std::mutex mutex;  // guards all below and what Allocation says it does

  // The allocation that begins at an address and that its own graph does not free: there is at most
  // one, because an address is given out again only behind a free.
  Allocation* find(const void* address) const noexcept;
  // The same for any address inside.
  Allocation* find_around(const void* address) const noexcept;
  void open(Allocation& allocation) { open_[allocation.address] = &allocation; }
  void shut(const Allocation& allocation) noexcept;

  void enter(GraphMemory& memory) { all_.insert(&memory); }
  void leave(GraphMemory& memory) noexcept { all_.erase(&memory); }
  const std::set<GraphMemory*>& all() const noexcept { return all_; }

  Usage& usage(int device) { return usage_[device]; }
  // After used or reserved bytes have changed by this much.
  void count(int device, ptrdiff_t used, ptrdiff_t reserved) noexcept;

 private:
  std::map<const void*, Allocation*> open_;
  std::set<GraphMemory*> all_;
  std::map<int, Usage> usage_;
};

// xpuFree and xpuFreeAsync of an allocation of a graph. False: the address is no such allocation.
// xpuErrorInvalidValue for one that is not in use. Without `stream` nothing uses it any more; with
// it, what was given to that stream so far may.
Result<bool> free_from_outside(void* address, const runtime::Stream* stream = nullptr);
// Whether free_from_outside() would find something.
bool is_graph_allocation(const void* address);

// Gives back what no launch under way and no live allocation uses.
void trim(const runtime::Device& device);

}  // namespace xpu::memory
