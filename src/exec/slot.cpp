// SPDX-License-Identifier: Apache-2.0
// Making an encoding, and asking whether its launch is over.
#include "exec/slot.h"

#include "exec/conditional.h"
#include "exec/encode.h"

namespace xpu::exec {

Result<std::unique_ptr<Slot>> Slot::make(std::shared_ptr<const Snapshot> of,
                                         const Versions& versions, std::unique_ptr<Timing> timing) {
  std::unique_ptr<Slot> slot(new Slot(std::move(of), versions));
  slot->timing = std::move(timing);
  const Snapshot& snapshot = *slot->snapshot;
  const size_t segments = snapshot.plan.segments.size();
  slot->lists.resize(segments);
  slot->marks.resize(segments);
  for (size_t i = 0; i < segments; i++) {
    if (snapshot.wiring[i].marks) {
      XPU_TRY_ASSIGN(slot->marks[i], slot->marks_of(i).make(false));
    }
  }
  if (snapshot.loops) XPU_TRY(slot->make_conditionals());
  if (snapshot.starts) {
    XPU_TRY_ASSIGN(slot->start, snapshot.device.marks().make(false));
  }
  XPU_TRY_ASSIGN(slot->done, snapshot.device.marks().make(false));
  slot->waits.reserve(snapshot.most_waits);
  return slot;
}

Status Slot::make_conditionals() {
  conditionals.resize(lists.size());
  for (uint32_t i = 0; i < conditionals.size(); i++) {
    if (snapshot->plan.segments[i].kind != plan::SegmentKind::conditional) continue;
    XPU_TRY(encode_conditional(i));
  }
  return encode_opening();
}

Status Slot::encode_conditional(uint32_t segment) {
  XPU_TRY_ASSIGN(conditionals[segment], Conditional::encode(*snapshot, segment, made));
  return Status();
}

Status Slot::encode_opening() {
  XPU_TRY_ASSIGN(opening, exec::encode_opening(*snapshot, made));
  return Status();
}

Status Slot::encode() {
  const std::vector<plan::Segment>& segments = snapshot->plan.segments;
  for (size_t i = 0; i < segments.size(); i++) {
    if (segments[i].kind != plan::SegmentKind::work) continue;
    XPU_TRY_ASSIGN(lists[i],
                   exec::encode(*snapshot, segments[i], made, staging, nullptr, timing.get()));
  }
  return Status();
}

Result<bool> Slot::answer(ze_result_t result, const char* function) noexcept {
  if (result == ZE_RESULT_NOT_READY) return false;
  XPU_TRY(ze::check(result, function));
  in_flight = false;
  return true;
}

Status Slot::announce() {
  if (announced_ || !lost_.empty()) return Status();
  const std::shared_ptr<runtime::Queue> queue = queue_.lock();
  // A queue goes when its work is done, and its clock says so.
  if (!queue) return Status();
  XPU_TRY(queue->settle(done->event()));
  announced_ = true;
  return Status();
}

void Slot::forgive() noexcept {
  if (announced_ || !done) return;
  if (const std::shared_ptr<runtime::Queue> queue = queue_.lock()) queue->forgive(done->event());
}

Result<bool> Slot::idle() {
  if (known_idle()) return true;
  XPU_TRY(announce());
  for (const Past& past : lost_) {
    if (past.clock->completed.load(std::memory_order_acquire) < past.submission) return false;
  }
  if (!lost_.empty()) {
    in_flight = false;
    return true;
  }
  return answer(snapshot->device.ze().table().EventQueryStatus(done->event()),
                "zeEventQueryStatus");
}

Result<bool> Slot::wait(uint64_t timeout_ns) {
  if (known_idle()) return true;
  XPU_TRY(announce());
  return answer(snapshot->device.ze().table().EventHostSynchronize(done->event(), timeout_ns),
                "zeEventHostSynchronize");
}

runtime::Marks& Slot::marks_of(size_t segment) const noexcept {
  return snapshot->lanes[snapshot->plan.segments[segment].lane].device->marks();
}

Status Slot::renew_marks() {
  runtime::Marks& source = snapshot->device.marks();
  XPU_TRY(source.renew(done));
  if (start) XPU_TRY(source.renew(start));
  for (size_t i = 0; i < marks.size(); i++) {
    if (marks[i]) XPU_TRY(marks_of(i).renew(marks[i]));
  }
  return Status();
}

void Slot::lost(const runtime::Queue& caller) {
  auto add = [this](const runtime::Queue& queue) {
    lost_.push_back({queue.clock(), queue.clock()->submitted.load(std::memory_order_acquire)});
  };
  add(caller);
  for (const Lane& lane : snapshot->lanes) {
    if (lane.queue) add(*lane.queue);
  }
  in_flight = true;
}

}  // namespace xpu::exec
