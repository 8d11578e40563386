// SPDX-License-Identifier: Apache-2.0
// What a stream, or an event recorded in it, is known to come after in other streams, because it
// waits for their events.
#pragma once

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
    for (Reach& known : reaches_) {
      if (known.stream != stream) continue;
      if (known.submission < submission) known.submission = submission;
      return;
    }
    reaches_[next_++ % kMostStreams] = {stream, submission};
  }
  void learn(const Past& other) noexcept {
    for (const Reach& known : other.reaches_) {
      if (known.stream) learn(known.stream, known.submission);
    }
  }
  bool holds(uint64_t stream, uint64_t submission) const noexcept {
    for (const Reach& known : reaches_) {
      if (known.stream == stream) return known.submission >= submission;
    }
    return false;
  }

 private:
  struct Reach {
    uint64_t stream = 0;  // its id, which is never 0
    uint64_t submission = 0;
  };
  std::array<Reach, kMostStreams> reaches_;
  size_t next_ = 0;
};

}  // namespace xpu::runtime
