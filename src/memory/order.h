// SPDX-License-Identifier: Apache-2.0
// What is known to come before what, in a graph that grows: answers "does this free come before
// that allocation" without a walk over the graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace xpu::memory {

// A moment: what a node is to the order. They count from 0 in the order in which they were added.
using Moment = uint32_t;

// Moments are dealt out to chains, each moment after the one before it on its chain. What is before
// a moment is then its own chain up to it, every moment below its `base`, and for each other chain
// one number: how far up it is known. A chain and a fork that joins again need no numbers at all,
// so adding costs as much as there are branches open at once.
//
// Answers are exact until more than kMostBranches branches are open behind one moment; from there
// on the oldest are forgotten, which makes an answer "not known to be before": memory is then
// shared less than it might be, and never wrongly.
class Order {
 public:
  static constexpr size_t kMostBranches = 256;

  // A moment after each of `before`, which may repeat.
  Moment add(std::span<const Moment> before);
  // A moment after all there are.
  Moment add_after_all();
  // A point between moments: behind `after`, which are moments of the calls above and at least one,
  // and before what is added behind all of these. Nothing can be added behind a point itself.
  Moment add_point(std::span<const Moment> after);

  uint32_t size() const noexcept { return static_cast<uint32_t>(moments_.size()); }
  // Whether `first` is known to be over when `then` begins. A moment is not before itself, but one
  // point is before another behind the same moments.
  bool before(Moment first, Moment then) const noexcept;
  // Every moment below this one is before `then`.
  Moment all_before(Moment then) const noexcept { return moments_[then].base; }

 private:
  struct Reach {
    uint32_t chain;
    Moment last;  // it and what is before it on its chain
  };
  using Reaches = std::vector<Reach>;  // by chain

  static constexpr uint32_t kPoint = UINT32_MAX;
  struct Entry {
    uint32_t chain = 0;     // kPoint: a point
    uint32_t position = 0;  // on the chain, from 0
    Moment base = 0;
    uint32_t points = 0;  // among the moments before this one
    // Shared along a chain; null if there are none. Of a point: what it is behind, in any order.
    std::shared_ptr<const Reaches> others;
    bool is_point() const noexcept { return chain == kPoint; }
  };

  Entry follow(std::span<const Moment> before);
  Reaches merge(std::span<const Moment> before, Moment base) const;
  static void forget_oldest(Reaches& reaches);
  bool is_everything(const Reaches& reaches, Moment base) const noexcept;
  Moment append(Entry entry);

  bool is_behind(Moment first, const Entry& point) const noexcept;
  uint32_t real_from(Moment base) const noexcept;

  std::vector<Entry> moments_;
  uint32_t points_ = 0;
  std::vector<std::vector<Moment>> chains_;
};

}  // namespace xpu::memory
