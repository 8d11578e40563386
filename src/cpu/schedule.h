// SPDX-License-Identifier: Apache-2.0
// Which of the commands that nothing orders runs next (ZE_CPU_SCHEDULE).
//
// A Window holds commands in the order they were appended. A command may say "after all earlier
// ones" or "before all later ones"; what neither says, the specification leaves open, and there the
// policy chooses among those that are ready. So a program that forgot a dependency computes
// something else under `reverse` or `shuffle`, and no choice can block: a command that is not ready
// is passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace xpu::cpu {

enum class Policy : uint8_t { program, reverse, shuffle };

// From ZE_CPU_SCHEDULE; a word that is none of them is a warning and means program.
Policy policy() noexcept;

// A stream of choices: equal seeds give equal choices. Each window has its own, seeded by the
// number of windows made before it, so that a rerun of one thread's program repeats.
class Choice {
 public:
  Choice() noexcept;
  // 0 <= result < n
  size_t below(size_t n) noexcept {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<size_t>(state_ % n);
  }

 private:
  uint64_t state_;
};

// How a command is ordered against others of its list.
enum Ordering : uint8_t {
  kUnordered = 0,
  kAfterEarlier = 1,
  kBeforeLater = 2,
  kFullyOrdered = kAfterEarlier | kBeforeLater,
};

class Window {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  // Commands are numbered from 0 in the order they are added.
  void add(Ordering ordering) { slots_.push_back({ordering, false}); }
  size_t added() const noexcept { return base_ + slots_.size(); }
  // How many of the first commands are done without a gap.
  size_t done_through() const noexcept { return base_; }
  bool all_done() const noexcept { return slots_.empty(); }

  // Takes a command out that may start now and for which ready(number) is true; kNone if none.
  template <class Ready>
  size_t pick(Ready&& ready) {
    load();
    const size_t n = open_.size();
    if (n == 0) return kNone;
    const Policy how = policy();
    const size_t first = how == Policy::shuffle ? choice_.below(n) : 0;
    for (size_t i = 0; i < n; ++i) {
      const size_t at = how == Policy::reverse ? n - 1 - i : (first + i) % n;
      const size_t number = open_[at];
      if (!allowed(number) || !ready(number)) continue;
      take(at);
      return number;
    }
    return kNone;
  }
  void done(size_t number) noexcept;

 private:
  struct Slot {
    Ordering ordering;
    bool is_done;
  };
  // Opens commands up to and including the next one that goes before all later ones.
  void load();
  bool allowed(size_t number) const noexcept {
    return !(slots_[number - base_].ordering & kAfterEarlier) || base_ == number;
  }
  void take(size_t at);

  std::deque<Slot> slots_;  // from number base_ on
  size_t base_ = 0;
  size_t loaded_ = 0;        // numbers below this have been opened
  size_t gate_ = kNone;      // an opened, unfinished command that goes before all later ones
  std::deque<size_t> open_;  // opened and not taken, in order of number
  Choice choice_;
};

}  // namespace xpu::cpu
