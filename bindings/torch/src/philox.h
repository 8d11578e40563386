// SPDX-License-Identifier: Apache-2.0
// Random numbers that are counted, so that a graph draws fresh ones at each replay.
//
// A draw is named by a seed and an offset. Outside of captures both are known when the work is
// queued. In a capture the work reads them from a cell, which each replay fills before the graph
// runs, and adds its own offset within the graph. So the numbers of graphs and of eager work follow
// one sequence.
#pragma once

#include <cstdint>

#include <c10/util/intrusive_ptr.h>

namespace xpugraph_torch {

/// The state of a generator; several generators may share one.
struct PhiloxState final : c10::intrusive_ptr_target {
  uint64_t seed = 0;
  uint64_t offset = 0;
};

/// Pinned host memory: kernels and host work read it at the same address.
struct PhiloxCell {
  uint64_t seed;
  uint64_t offset;
};

/// What one operation draws from: `cell` in a capture, else `seed`.
struct PhiloxDraw {
  const PhiloxCell* cell = nullptr;
  uint64_t seed = 0;
  uint64_t offset = 0;  ///< behind the cell's

  PhiloxCell read() const {
    return cell ? PhiloxCell{cell->seed, cell->offset + offset} : PhiloxCell{seed, offset};
  }
};

/// Draws advance by whole blocks of four, as many numbers as Philox makes at once.
inline uint64_t philox_round(uint64_t increment) { return (increment + 3) / 4 * 4; }

/// How a captured graph uses one state.
class PhiloxUse {
 public:
  explicit PhiloxUse(c10::intrusive_ptr<PhiloxState> state);
  ~PhiloxUse();
  PhiloxUse(PhiloxUse&& other) noexcept;
  PhiloxUse& operator=(PhiloxUse&&) = delete;

  PhiloxDraw draw(uint64_t increment);
  /// For a replay: what the cell is to hold, and the state moves on by all draws of the graph.
  PhiloxCell advance();
  PhiloxCell* cell() const { return cell_; }

  const c10::intrusive_ptr<PhiloxState> state;

 private:
  PhiloxCell* cell_;
  uint64_t drawn_ = 0;
};

}  // namespace xpugraph_torch
