// SPDX-License-Identifier: Apache-2.0
// Private pools: memory that captures allocate from and that graphs share, in the order in which
// they were captured.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/arena.h"
#include "memory/node_order.h"
#include "memory/order.h"
#include "runtime/capture_memory.h"

namespace xpu::memory {

// Names a pool; both zero: none.
struct PoolId {
  uint64_t first = 0, second = 0;
  friend auto operator<=>(const PoolId&, const PoolId&) = default;
};

class PoolCapture;

// Its holders are whoever created or retained it, every graph that was captured into it, their
// executables and copies, and the capture under way. With the last of them it goes, and so does
// what is allocated in it. Safe from any thread.
class GraphPool : public std::enable_shared_from_this<GraphPool> {
 public:
  // Held once; ids are never used again.
  static PoolId create();
  static Status retain(PoolId id);
  static Status release(PoolId id);
  static Result<std::shared_ptr<GraphPool>> find(PoolId id);
  ~GraphPool();

  // One capture at a time.
  Result<std::shared_ptr<PoolCapture>> begin_capture();

  // What is held for all pools on a device, in bytes of memory.
  struct Footprint {
    size_t live = 0;  // allocated now, as rounded
    size_t peak = 0;  // the end of the highest address ever given out
    size_t reserved = 0;
  };
  Footprint footprint() const;

  // Frees what a capture allocated, after it: later captures may have it. False: no pool has that
  // address.
  static bool free_from_outside(void* address);
  static bool has(const void* address);

 private:
  friend class PoolCapture;
  struct Block {
    size_t size;
    Arena* arena;
  };
  // What a capture may change, all of it copied before and put back if it fails.
  struct State {
    std::map<void*, Block> live;
    std::vector<std::vector<Offsets>> offsets;
  };

  Arena& arena_on(runtime::Device& device);
  bool free(void* address, Moment freed);
  State save() const;
  // But what calls freed during the capture stays freed.
  void restore(State saved) noexcept;

  mutable std::mutex mutex_;  // guards all below
  Order order_;
  std::vector<std::unique_ptr<Arena>> arenas_;  // one for each device
  std::map<void*, Block> live_;
  bool capturing_ = false;
  std::vector<void*> freed_meanwhile_;  // by calls, during the capture
};

// A pool during one capture. The session's lock guards it.
class PoolCapture final : public runtime::CaptureMemory {
 public:
  PoolCapture(std::shared_ptr<GraphPool> pool, Moment begin);
  ~PoolCapture() override;

  // For work behind `frontier`, nodes of the captured graph.
  Result<void*> allocate(runtime::Device& device, size_t size,
                         std::span<graph::Node* const> frontier);
  // What comes behind `frontier` may have it. False: the address is none of this pool's.
  bool free(void* address, std::span<graph::Node* const> frontier);

  Result<std::shared_ptr<void>> commit() override;
  void abandon() noexcept override;

 private:
  std::shared_ptr<GraphPool> pool_;
  NodeOrder nodes_;
  GraphPool::State before_;
  bool over_ = false;
};

}  // namespace xpu::memory
