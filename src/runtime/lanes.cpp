// SPDX-License-Identifier: Apache-2.0
// Makes lanes when they are first used.
#include "runtime/lanes.h"

#include <algorithm>

namespace xpu::runtime {

uint32_t Lanes::compute_count() const noexcept {
  return std::min(device_.engines().compute_queues, kMostLanes);
}

bool Lanes::has_copy() const noexcept { return device_.engines().copy_queues != 0; }

Result<Queue*> Lanes::made(std::shared_ptr<Queue>& lane, uint32_t ordinal, uint32_t index) {
  std::lock_guard hold(lock_);
  if (!lane) {
    ze::List::Immediate what;
    what.ordinal = ordinal;
    what.index = index;
    XPU_TRY_ASSIGN(ze::List list, ze::List::immediate(device_, what));
    lane = std::make_shared<Queue>(std::move(list));
    marks_.watch(lane);
  }
  return lane.get();
}

Result<Queue*> Lanes::compute(uint32_t index) {
  if (index >= compute_count())
    return invalid_value("the device has " + std::to_string(compute_count()) + " compute lanes");
  return made(compute_[index], device_.engines().compute_ordinal, index);
}

Result<Queue*> Lanes::copy() {
  if (!has_copy()) return Status::error(xpuErrorNotSupported, "the device has no copy engine");
  return made(copy_, device_.engines().copy_ordinal, 0);
}

Status Lanes::synchronize() {
  std::array<std::shared_ptr<Queue>, kMostLanes + 1> lanes;
  {
    std::lock_guard hold(lock_);
    std::copy(compute_.begin(), compute_.end(), lanes.begin());
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
