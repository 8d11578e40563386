// SPDX-License-Identifier: Apache-2.0
// A piece of device memory behind one storage: where it came from and which streams use it.
#pragma once

#include <memory>
#include <vector>

#include <c10/core/Allocator.h>
#include <c10/core/Stream.h>

namespace xpugraph_torch {

class Recording;

struct Block {
  void* address;
  size_t size;
  c10::Stream stream;                    ///< in whose order it was allocated
  std::shared_ptr<Recording> recording;  ///< the capture it was allocated in, or none
  std::vector<c10::Stream> users;        ///< other streams, as record_stream() told
};

/// The block behind a storage of this backend; NULL for memory that came from elsewhere or of no
/// bytes.
Block* block_of(const c10::DataPtr& data);

/// Throws if work in `stream` may not use the block: the capture it was allocated in failed, which
/// took its memory back, or has not ended, and the stream has no part in it.
void check_usable(const Block& block, c10::Stream stream);

}  // namespace xpugraph_torch
