// SPDX-License-Identifier: Apache-2.0
// What a stream, or an event recorded in it, is known to come after in other streams, because it
// waits for their events.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xpu::runtime {

// Of the streams it learned about last, how many of their submissions come before. Forgetting is
// safe: an answer of "no" means "not known". Not safe from several threads.
class Past {
 public:
  // A program whose streams wait for more streams than that in a round is not known today.
  static constexpr size_t kMostStreams = 8;

  void learn(uint64_t stream, uint64_t submission) noexcept {
    for (size_t i = 0; i < count_; i++) {
      if (reaches_[i].stream != stream) continue;
      reaches_[i].submission = std::max(reaches_[i].submission, submission);
      return;
    }
    reaches_[next_] = {stream, submission};
    next_ = (next_ + 1) % kMostStreams;
    count_ = std::max(count_, next_ ? next_ : kMostStreams);
  }
  void learn(const Past& other) noexcept {
    for (size_t i = 0; i < other.count_; i++)
      learn(other.reaches_[i].stream, other.reaches_[i].submission);
  }
  bool holds(uint64_t stream, uint64_t submission) const noexcept {
    for (size_t i = 0; i < count_; i++) {
      if (reaches_[i].stream == stream) return reaches_[i].submission >= submission;
    }
    return false;
  }

 private:
  struct Reach {
    uint64_t stream;  // its id
    uint64_t submission;
  };
  std::array<Reach, kMostStreams> reaches_ = {};
  size_t count_ = 0, next_ = 0;
};

}  // namespace xpu::runtime
