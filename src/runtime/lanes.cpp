// SPDX-License-Identifier: Apache-2.0
// Makes lanes when they are first used.
#include "runtime/lanes.h"

#include <algorithm>

namespace xpu::runtime {

uint32_t Lanes::compute_count() const noexcept {
  return std::min(device_.engines().compute_queues, kMostLanes);
}

bool Lanes::has_copy() const noexcept { return device_.engines().copy_queues != 0; }

Result<Queue*> Lanes::made(std::shared_ptr<Queue>& lane, const ze::List::Immediate& what) {
  std::lock_guard hold(lock_);
  if (!lane) {
    XPU_TRY_ASSIGN(ze::List list, ze::List::immediate(device_, what));
    lane = std::make_shared<Queue>(std::move(list));
    marks_.watch(lane);
  }
  return lane.get();
}

Status Lanes::check_index(uint32_t index) const {
  if (index < compute_count()) return {};
  return invalid_value("the device has " + std::to_string(compute_count()) + " compute lanes");
}

Result<Queue*> Lanes::compute(uint32_t index) {
  XPU_TRY(check_index(index));
  return made(compute_[index], {device_.engines().compute_ordinal, index});
}

Result<Queue*> Lanes::urgent(uint32_t index) {
  XPU_TRY(check_index(index));
  return made(urgent_[index],
              {device_.engines().compute_ordinal, index, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH});
}

Result<Queue*> Lanes::copy() {
  if (!has_copy()) return Status::error(xpuErrorNotSupported, "the device has no copy engine");
  return made(copy_, {device_.engines().copy_ordinal});
}

// Queues of one engine may share what they are submitted through, and then a wait in one holds up
// the others. Intel's driver has an execution context for each engine and priority: the low one,
// which no stream has, is switched to while a wait in another one is pending.
Result<std::shared_ptr<Queue>> Lanes::make_apart() {
  ze::List::Immediate what;
  what.ordinal = device_.engines().compute_ordinal;
  what.priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
  XPU_TRY_ASSIGN(ze::List list, ze::List::immediate(device_, what));
  auto queue = std::make_shared<Queue>(std::move(list));
  marks_.watch(queue);
  return queue;
}

Status Lanes::synchronize() {
  std::array<std::shared_ptr<Queue>, 2 * kMostLanes + 1> lanes;
  {
    std::lock_guard hold(lock_);
    std::copy(urgent_.begin(), urgent_.end(),
              std::copy(compute_.begin(), compute_.end(), lanes.begin()));
    lanes.back() = copy_;
  }
  Status first;
  for (const std::shared_ptr<Queue>& lane : lanes) {
    if (!lane) continue;
    Status status = lane->synchronize();
    if (first.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace xpu::runtime
