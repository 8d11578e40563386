// SPDX-License-Identifier: Apache-2.0
// Mutable lists: naming a command before it is appended, and changing closed lists in place.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ze/list.h"

namespace xpu::ze {

// The id of the next command appended, whose parts in `what` (ZE_MUTABLE_COMMAND_EXP_FLAG_*) may
// change later. Never for a copy or a fill without waits: Intel's driver ends the process.
Result<uint64_t> next_command(List& list, uint32_t what);

// Changes to commands of one closed list, applied in one call. The list must not be in flight. The
// driver applies them in order and is not atomic: after a failure the list must be encoded anew.
class Patch {
 public:
  Patch() = default;
  Patch(const Patch&) = delete;
  // `value` is read by apply; nullptr for local memory of `size` bytes, or for a NULL pointer.
  void argument(uint64_t command, uint32_t index, size_t size, const void* value) {
    if (next_ == end_) [[unlikely]]
      make_room();
    next_->commandId = command;
    next_->argIndex = index;
    next_->argSize = size;
    next_->pArgValue = value;
    next_++;
  }
  void group_count(uint64_t command, const ze_group_count_t& groups);
  void group_size(uint64_t command, uint32_t x, uint32_t y, uint32_t z);
  bool empty() const noexcept { return next_ == first_.get() && counts_.empty() && sizes_.empty(); }
  void clear() noexcept;  // keeps the room
  // Updates and closes the list, and is empty afterwards.
  Status apply(List& list);

 private:
  struct Count {
    ze_group_count_t groups;
    ze_mutable_group_count_exp_desc_t desc;
  };

  void make_room();

  // Arguments lie from `first_` to `next_`, and there is room up to `end_`. Each place is chained
  // to the one before it, once and for all.
  using Argument = ze_mutable_kernel_argument_exp_desc_t;
  std::unique_ptr<Argument[]> first_;
  Argument *next_ = nullptr, *end_ = nullptr;
  // Chained only when they are applied: until then they may move.
  std::vector<Count> counts_;
  std::vector<ze_mutable_group_size_exp_desc_t> sizes_;
};

}  // namespace xpu::ze
