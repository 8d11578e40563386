// SPDX-License-Identifier: Apache-2.0
// Submitting the segments of a launch in the plan's order, with events only between queues.
#include "exec/submission.h"

#include <utility>

#include "base/log.h"
#include "exec/conditional.h"
#include "exec/snapshot.h"
#include "graph/external.h"
#include "runtime/event.h"
#include "runtime/external.h"

namespace xpu::exec {

Status Submission::run() {
  if (slot_.timing) [[unlikely]]
    XPU_TRY(begin_timing());
  return snapshot_.one_list ? run_one_list() : run_segments();
}

// A driver call that fails has submitted nothing; the fallbacks make several calls.
Status Submission::note(Status status) noexcept {
  if (status.ok() || !snapshot_.submits_whole()) began_ = true;
  return status;
}

template <class Append>
Status Submission::submit(const Lane& lane, Append&& append) {
  auto marked = [&](ze::List& list) { return note(append(list)); };
  return lane.on_caller() ? stream_.submit(marked) : lane.queue->submit(marked);
}

// The command whose end is the end of the launch; always on the caller's queue.
template <class Append>
Status Submission::submit_last(Append&& append) {
  const std::shared_ptr<runtime::Queue>& queue = stream_.shared_queue();
  slot_.move_to(queue);
  return stream_.submit([&](ze::List& list) {
    Status status = note(append(list));
    if (status.ok()) slot_.launched(queue->last(), true);
    return status;
  });
}

std::span<const ze_event_handle_t> Submission::after_alone() noexcept {
  return {&after_, after_ ? size_t{1} : size_t{0}};
}

// A program that waits for each launch needs no signal: the queue's clock tells. Where others
// append, nobody can see to it that the signal comes before what they append.
Status Submission::run_one_list() {
  const std::shared_ptr<runtime::Queue>& queue = stream_.shared_queue();
  const ze_event_handle_t done = slot_.done->event();
  const bool announces = announces_ || queue->lent();
  const ze_command_list_handle_t closed = slot_.lists[0].get();
  slot_.move_to(queue);
  const auto append = [&](ze::List& list) {
    Status status = list.append_lists({&closed, 1}, {announces ? done : nullptr, after_alone()});
    if (status.ok()) [[likely]]
      slot_.launched(queue->last(), announces);
    else if (!snapshot_.submits_whole())
      began_ = true;
    return status;
  };
  return stream_.submit(append, announces ? nullptr : done);
}

Status Submission::run_segments() {
  if (slot_.opening) XPU_TRY(open());
  if (snapshot_.starts) XPU_TRY(start());
  const auto count = static_cast<uint32_t>(snapshot_.plan.segments.size());
  for (; submitted_ < count; submitted_++) XPU_TRY(segment(submitted_));
  return snapshot_.last == Snapshot::kNone ? finish() : Status();
}

Status Submission::begin_timing() {
  // Not noted: a clock that is read is nothing of the program's.
  XPU_TRY(stream_.submit([&](ze::List& list) {
    return list.write_timestamp(slot_.timing->begin(), {nullptr, after_alone()});
  }));
  after_ = nullptr;
  return Status();
}

// The launch before may still look at the values that this one begins with.
Status Submission::open() {
  const ze_command_list_handle_t closed = slot_.opening.get();
  XPU_TRY(stream_.submit([&](ze::List& list) {
    return note(list.append_lists({&closed, 1}, {nullptr, after_alone()}));
  }));
  after_ = nullptr;
  return Status();
}

// The stream's earlier work, and the launch before, as an event for the other queues.
Status Submission::start() {
  XPU_TRY(stream_.submit([&](ze::List& list) {
    return note(list.barrier({slot_.start->event(), after_alone()}));
  }));
  after_ = nullptr;
  return Status();
}

std::span<const ze_event_handle_t> Submission::waits_of(uint32_t index) {
  const plan::Segment& segment = snapshot_.plan.segments[index];
  const Lane& lane = snapshot_.lanes[segment.lane];
  std::vector<ze_event_handle_t>& waits = slot_.waits;  // reserved: nothing is allocated here
  waits.clear();
  if (snapshot_.wiring[index].from_start) waits.push_back(slot_.start->event());
  if (lane.on_caller() && after_) waits.push_back(std::exchange(after_, nullptr));
  for (const uint32_t before : segment.waits_on) {
    const Lane& other = snapshot_.lanes[snapshot_.plan.segments[before].lane];
    if (other.queue != lane.queue) waits.push_back(slot_.marks[before]->event());
  }
  return waits;
}

Status Submission::segment(uint32_t index) {
  const plan::Segment& segment = snapshot_.plan.segments[index];
  const Lane& lane = snapshot_.lanes[segment.lane];
  const bool last = index == snapshot_.last;
  const std::span<const ze_event_handle_t> waits = waits_of(index);
  const runtime::MarkRef& mark = last ? slot_.done : slot_.marks[index];
  const ze_event_handle_t signal = mark ? mark->event() : nullptr;
  if (segment.kind == plan::SegmentKind::event_record ||
      segment.kind == plan::SegmentKind::event_wait)
    return event_node(segment.steps[0].node, lane, {signal, waits});
  auto append = [&](ze::List& list) {
    if (segment.kind == plan::SegmentKind::conditional)
      return conditional(list, index, {signal, waits});
    if (segment.kind == plan::SegmentKind::external)
      return external(list, segment.steps[0].node, {signal, waits});
    if (segment.kind == plan::SegmentKind::work) {
      const ze_command_list_handle_t closed = slot_.lists[index].get();
      return list.append_lists({&closed, 1}, {signal, waits});
    }
    return host_function(list, segment.steps[0].node, {signal, waits});
  };
  return last ? submit_last(append) : submit(lane, append);
}

Status Submission::host_function(ze::List& list, uint32_t node, ze::Sync sync) {
  const auto* host = slot_.made.params(node).as<graph::HostParams>();
  Timing* const timing = slot_.timing.get();
  if (!timing) return list.host_function(call_back, host->callback(), sync);
  XPU_TRY(list.write_timestamp(timing->start_of(node), {nullptr, sync.waits}));
  XPU_TRY(list.host_function(call_back, host->callback()));
  began_ = true;
  return list.write_timestamp(timing->end_of(node), {sync.signal, {}});
}

Status Submission::external(ze::List& list, uint32_t node, ze::Sync sync) {
  began_ = true;  // it may be several calls
  const auto* params = slot_.made.params(node).as<graph::ExternalParams>();
  const auto* use = static_cast<const runtime::External*>(params->use().get());
  Timing* const timing = slot_.timing.get();
  if (!timing) return use->append(list, sync);
  XPU_TRY(list.write_timestamp(timing->start_of(node), {nullptr, sync.waits}));
  XPU_TRY(use->append(list));
  return list.write_timestamp(timing->end_of(node), {sync.signal, {}});
}

Status Submission::conditional(ze::List& list, uint32_t index, ze::Sync sync) {
  began_ = true;  // several calls
  Conditional& conditional = *slot_.conditionals[index];
  Timing* const timing = slot_.timing.get();
  if (!timing) return conditional.append(list, stream_, sync);
  const uint32_t node = snapshot_.plan.segments[index].steps[0].node;
  XPU_TRY(list.write_timestamp(timing->start_of(node), {nullptr, sync.waits}));
  XPU_TRY(conditional.append(list, stream_, {}));
  return list.write_timestamp(timing->end_of(node), {sync.signal, {}});
}

Status Submission::event_node(uint32_t node, const Lane& lane, ze::Sync sync) {
  Timing* const timing = slot_.timing.get();
  if (timing || !sync.waits.empty())
    XPU_TRY(submit(lane, [&](ze::List& list) {
      return timing ? list.write_timestamp(timing->start_of(node), {nullptr, sync.waits})
                    : list.wait(sync.waits);
    }));
  const auto* params = slot_.made.params(node).as<graph::EventParams>();
  auto* event = static_cast<runtime::Event*>(params->event().get());
  runtime::Queue& queue = lane.on_caller() ? stream_.queue() : *lane.queue;
  // An empty submission first: on the caller's queue it applies the stream's rules.
  if (lane.on_caller()) XPU_TRY(stream_.submit([](ze::List&) { return Status(); }));
  const bool records = params->kind() == graph::NodeKind::event_record;
  XPU_TRY(note(records ? event->record(queue) : event->wait(queue)));
  if (!timing && !sync.signal) return Status();
  return submit(lane, [&](ze::List& list) {
    return timing ? list.write_timestamp(timing->end_of(node), {sync.signal, {}})
                  : list.signal(sync.signal);
  });
}

Status Submission::finish() {
  std::vector<ze_event_handle_t>& waits = slot_.waits;
  waits.clear();
  if (after_) waits.push_back(after_);
  for (const uint32_t end : snapshot_.joins) waits.push_back(slot_.marks[end]->event());
  return submit_last([&](ze::List& list) { return list.barrier({slot_.done->event(), waits}); });
}

// Best effort by nature: the queue has just refused something. If it refuses this, too, the slot is
// kept until the queues are past it.
void Submission::join() noexcept {
  std::vector<ze_event_handle_t> waits;
  for (uint32_t i = 0; i < submitted_; i++) {
    const plan::Segment& segment = snapshot_.plan.segments[i];
    if (!snapshot_.lanes[segment.lane].on_caller()) waits.push_back(slot_.marks[i]->event());
  }
  Status status = submit_last([&](ze::List& list) {
    return list.barrier({slot_.done->event(), waits});
  });
  if (status.ok()) return;
  XPU_LOG(error, "joining a launch that failed half-way: %s", status.sentence().c_str());
  slot_.lost(stream_.queue());
}

}  // namespace xpu::exec
