// SPDX-License-Identifier: Apache-2.0
// Looks for free memory in a pool that one stream may have.
#pragma once

#include "memory/block.h"
#include "memory/stream_pool.h"

namespace xpu::memory {

// For one allocation, under the pool's lock.
class Search {
 public:
  Search(const StreamPool::Policy& policy, runtime::Stream& stream)
      : policy_(policy), stream_(stream), past_(stream.past()) {}

  // The smallest piece of the shelf that has `size` bytes and that the stream may have now.
  Run best(const Shelf& shelf, size_t size);
  // Neighbours in a block that have as much together.
  Run joined(Block& block, size_t size);
  // The smallest piece that is large enough, whoever may have it.
  static Run any(const Shelf& shelf, size_t size);

 private:
  bool may_have(const Piece& piece);

  const StreamPool::Policy& policy_;
  const runtime::Stream& stream_;
  const runtime::Past past_;
  Asking asking_;
};

}  // namespace xpu::memory
