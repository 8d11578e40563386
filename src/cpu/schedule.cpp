// SPDX-License-Identifier: Apache-2.0
// The policy from the environment, and the bookkeeping of a window.
#include "cpu/schedule.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cpu/settings.h"

namespace xpu::cpu {

namespace {

struct Chosen {
  Policy policy = Policy::program;
  uint64_t seed = 1;
};

Chosen read() {
  const std::string& text = settings().schedule;
  const size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  Chosen chosen;
  if (colon != std::string::npos) {
    chosen.seed = std::strtoull(text.c_str() + colon + 1, nullptr, 10);
  }
  if (word == "reverse") {
    chosen.policy = Policy::reverse;
  } else if (word == "shuffle") {
    chosen.policy = Policy::shuffle;
  } else if (word != "program" && !word.empty()) {
    std::fprintf(stderr, "ze_cpu: ZE_CPU_SCHEDULE=%s is not program, reverse or shuffle[:seed]\n",
                 text.c_str());
  }
  return chosen;
}

const Chosen& chosen() noexcept {
  static const Chosen c = read();
  return c;
}

// splitmix64: neighbouring seeds give unrelated streams, and never 0, where xorshift would stay.
uint64_t mix(uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (x ^ (x >> 31)) | 1;
}

}  // namespace

Policy policy() noexcept { return chosen().policy; }

Choice::Choice() noexcept {
  static std::atomic<uint64_t> made{0};
  state_ = mix(chosen().seed + (made.fetch_add(1, std::memory_order_relaxed) << 32));
}

void Window::load() {
  while (gate_ == kNone && loaded_ < added()) {
    if (slots_[loaded_ - base_].ordering & kBeforeLater) gate_ = loaded_;
    open_.push_back(loaded_++);
  }
}

void Window::take(size_t at) {
  if (at == 0) {
    open_.pop_front();
  } else if (at + 1 == open_.size()) {
    open_.pop_back();
  } else if (policy() == Policy::shuffle) {
    // Order inside open_ means nothing to a random choice.
    open_[at] = open_.back();
    open_.pop_back();
  } else {
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void Window::done(size_t number) noexcept {
  slots_[number - base_].is_done = true;
  if (gate_ == number) gate_ = kNone;
  while (!slots_.empty() && slots_.front().is_done) {
    slots_.pop_front();
    ++base_;
  }
}

}  // namespace xpu::cpu
