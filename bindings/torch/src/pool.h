// SPDX-License-Identifier: Apache-2.0
// A hold on a private pool of graph memory, and pools by the pair of numbers that PyTorch passes
// around.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <c10/core/Allocator.h>
#include <c10/core/Stream.h>

#include <xpugraph/capture.h>

namespace xpugraph_torch {

/// Graphs, tensors and handles hold a pool; its memory goes with the last of them. PyTorch's own
/// pool handles hold nothing, and using one whose graphs are gone is an internal error there.
class PoolHold {
 public:
  static std::shared_ptr<PoolHold> create();
  /// Throws if nobody holds such a pool any more.
  static std::shared_ptr<PoolHold> find(c10::MempoolId_t id);

  explicit PoolHold(xpuGraphPool pool) : pool_(pool) {}
  ~PoolHold();
  PoolHold(const PoolHold&) = delete;
  PoolHold& operator=(const PoolHold&) = delete;

  /// Pinned memory that is allocated in the streams of a capture belongs to the pool, too.
  void begin_pinned(std::function<bool(c10::Stream)> is_of_capture);
  void end_pinned();

  xpuGraphPool pool() const { return pool_; }
  c10::MempoolId_t id() const { return {pool_.first, pool_.second}; }

 private:
  xpuGraphPool pool_;
  /// PyTorch's cache counts a hold for each capture, and cannot take up a pool again after the last
  /// one.
  bool holds_pinned_ = false;
};

/// What a pool holds.
xpuGraphPoolUsage usage_of(xpuGraphPool pool);

/// All pools that are held.
std::vector<std::shared_ptr<PoolHold>> held_pools();

}  // namespace xpugraph_torch
