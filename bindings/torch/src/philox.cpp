// SPDX-License-Identifier: Apache-2.0
// Cells for captured draws, from pages that are never freed: freeing would wait for the device.
#include "philox.h"

#include <mutex>
#include <vector>

#include <xpugraph/capture.h>
#include <xpugraph/memory.h>

#include "status.h"

namespace xpugraph_torch {
namespace {

struct Cells {
  std::mutex mutex;
  std::vector<PhiloxCell*> free;
};

Cells& cells() {
  static auto* all = new Cells;
  return *all;
}

PhiloxCell* take_cell() {
  std::lock_guard lock(cells().mutex);
  if (cells().free.empty()) {
    constexpr size_t bytes = 4096;
    void* page = nullptr;
    check(xpuMallocHost(&page, bytes));
    for (size_t i = bytes / sizeof(PhiloxCell); i > 0; --i) {
      cells().free.push_back(static_cast<PhiloxCell*>(page) + (i - 1));
    }
  }
  PhiloxCell* cell = cells().free.back();
  cells().free.pop_back();
  return cell;
}

}  // namespace

PhiloxUse::PhiloxUse(c10::intrusive_ptr<PhiloxState> state)
    : state(std::move(state)), cell_(take_cell()) {}

PhiloxUse::PhiloxUse(PhiloxUse&& other) noexcept
    : state(other.state), cell_(std::exchange(other.cell_, nullptr)), drawn_(other.drawn_) {}

PhiloxUse::~PhiloxUse() {
  if (!cell_) return;
  std::lock_guard lock(cells().mutex);
  cells().free.push_back(cell_);
}

PhiloxDraw PhiloxUse::draw(uint64_t increment) {
  PhiloxDraw draw;
  draw.cell = cell_;
  draw.offset = drawn_;
  drawn_ += philox_round(increment);
  return draw;
}

PhiloxCell PhiloxUse::advance() {
  PhiloxCell now = {state->seed, state->offset};
  state->offset += drawn_;
  return now;
}

}  // namespace xpugraph_torch
