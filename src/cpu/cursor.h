// SPDX-License-Identifier: Apache-2.0
// Where a run is in a list: which instruction may start next.
#pragma once

#include <cstddef>

#include "cpu/code.h"
#include "cpu/schedule.h"

namespace xpu::cpu {

class Cursor {
 public:
  // `code` must outlive its use here.
  void begin(const Code& code) {
    code_ = &code;
    at_ = 0;
    away_ = false;
    if (code.chain) return;
    window_ = Window();
    for (const Instruction& i : code.instructions) window_.add(i.ordering);
  }
  // Takes the number of an instruction that is ready; Window::kNone if none may start.
  size_t pick() {
    const std::vector<Instruction>& all = code_->instructions;
    if (!code_->chain) return window_.pick([&](size_t n) { return all[n].ready(); });
    // There is no choice in a chain, and a window costs a third of a replayed kernel's instructions
    // outside the engine.
    if (away_ || !all[at_].ready()) return Window::kNone;
    away_ = true;
    return at_;
  }
  void done(size_t number) noexcept {
    if (!code_->chain) {
      window_.done(number);
      return;
    }
    ++at_;
    away_ = false;
  }
  bool all_done() const noexcept {
    return code_->chain ? at_ == code_->instructions.size() : window_.all_done();
  }

 private:
  const Code* code_ = nullptr;
  size_t at_ = 0;      // in a chain: the next instruction
  bool away_ = false;  // in a chain: it has started
  Window window_;
};

}  // namespace xpu::cpu
