// SPDX-License-Identifier: Apache-2.0
// Lanes: a device's engines as shared queues, for work that spreads over several of them.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "runtime/mark.h"
#include "runtime/queue.h"
#include "ze/device.h"

namespace xpu::runtime {

inline constexpr uint32_t kMostLanes = 4;

// Made at first use: a driver's queue costs memory that a program with one stream never needs.
class Lanes {
 public:
  Lanes(ze::Device& device, Marks& marks) noexcept : device_(device), marks_(marks) {}

  // Compute queues that are separate engines, at most kMostLanes.
  uint32_t compute_count() const noexcept;
  bool has_copy() const noexcept;
  Result<Queue*> compute(uint32_t index);
  // The same engine's queue for more urgent work.
  Result<Queue*> urgent(uint32_t index);
  Result<Queue*> copy();
  // A compute queue of its own, which goes on while other queues wait for an event.
  Result<std::shared_ptr<Queue>> make_apart();
  // Waits for the lanes that exist.
  Status synchronize();

 private:
  Result<Queue*> made(std::shared_ptr<Queue>& lane, const ze::List::Immediate& what);
  Status check_index(uint32_t index) const;

  ze::Device& device_;
  Marks& marks_;
  std::mutex lock_;  // guards the making
  std::array<std::shared_ptr<Queue>, kMostLanes> compute_, urgent_;
  std::shared_ptr<Queue> copy_;
};

}  // namespace xpu::runtime
