// SPDX-License-Identifier: Apache-2.0
// How the encodings of an executable follow the changes of its nodes: a kernel's arguments and
// sizes are patched in the list, everything else encodes the segment that it is in anew.
//
// Lists are plain at first, because a patchable one costs twice as much to encode and ten times the
// memory. The first change that could have been patched makes the segment patchable for the kernels
// that have changed by then; if another one follows, for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/encode.h"
#include "exec/slot.h"
#include "ze/mutate.h"

namespace xpu::exec {

// Not synchronised: the executable's lock guards it.
class Patching {
 public:
  explicit Patching(const Snapshot& snapshot);

  // Brings the slot's lists to `now`. The slot is not in flight. After a failure no launch may have
  // the slot, and calling again goes on.
  Status catch_up(Slot& slot, const Versions& now);
  // Makes all lists of a slot.
  Status encode(Slot& slot);

 private:
  enum class Lists : uint8_t { plain, some, all, refused };
  // Of a segment while a slot catches up.
  enum class Need : uint8_t { nothing, patch, ids, whole };

  // What a node did, and what it is to do.
  struct Change {
    const graph::NodeParams &was, &is;
    bool enabled;
    bool switches;  // it was not, or it was and is not any more
  };

  void compare(Slot& slot, const Versions& now, uint32_t node, bool all_enabled);
  uint32_t patch(const Change& change, uint64_t id, ze::Patch& patch) const;
  static uint32_t patch_sizes(const graph::KernelParams& was, const graph::KernelParams& is,
                              bool enabled, uint64_t id, ze::Patch& patch);
  Status bring(Slot& slot, uint32_t segment);
  Status encode_segment(Slot& slot, uint32_t segment);

  const Snapshot& snapshot_;
  const uint32_t what_;  // that lists of this device can change: ZE_MUTABLE_COMMAND_EXP_FLAG_*
  std::vector<uint32_t> segment_of_;  // by node
  std::vector<Lists> lists_;          // by segment: how the next encoding is made
  IndexSet named_;                    // nodes whose kernels have changed
  std::vector<Need> needs_;           // by segment; nothing but inside of catch_up
  std::vector<ze::Patch> patches_;    // by segment; kept for their room
};

}  // namespace xpu::exec
