// SPDX-License-Identifier: Apache-2.0
// Appending what times a node, and reading the times afterwards.
#include "exec/timing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exec/as_driver.h"
#include "exec/encode.h"
#include "runtime/event.h"

namespace xpu::exec {
namespace {

bool is_one_command(const graph::NodeParams& params) noexcept {
  switch (params.kind()) {
    case graph::NodeKind::kernel:
      return true;
    case graph::NodeKind::copy:
      return ze::List::is_one_command(
          as_driver(static_cast<const graph::CopyParams&>(params).shape()));
    case graph::NodeKind::fill:
      return ze::List::is_one_command(
          as_driver(static_cast<const graph::FillParams&>(params).shape()));
    default:
      return false;
  }
}

}  // namespace

uint32_t Timing::side_at(runtime::Device& device) {
  for (uint32_t i = 0; i < sides_.size(); i++) {
    if (&sides_[i]->device == &device) return i;
  }
  sides_.push_back(std::make_unique<Side>(device));
  return static_cast<uint32_t>(sides_.size() - 1);
}

Timing::Timing(const Snapshot& snapshot)
    : side_of_(snapshot.plan.nodes.size()), events_(snapshot.plan.nodes.size()) {
  (void)side_at(snapshot.device);
  for (const plan::Segment& segment : snapshot.plan.segments) {
    const uint32_t side = side_at(*snapshot.lanes[segment.lane].device);
    for (const plan::Step& step : segment.steps) side_of_[step.node] = side;
  }
}

Result<std::unique_ptr<Timing>> Timing::make(const Snapshot& snapshot) {
  std::unique_ptr<Timing> timing(new Timing(snapshot));
  const runtime::Device& device = snapshot.device;
  const size_t bytes = (1 + 2 * snapshot.plan.nodes.size()) * sizeof(uint64_t);
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* block = nullptr;
  ZE_TRY(device.ze().table(), MemAllocHost, device.ze().context(), &desc, bytes, sizeof(uint64_t),
         &block);
  std::memset(block, 0, bytes);
  timing->clock_ = static_cast<uint64_t*>(block);
  return timing;
}

Timing::~Timing() {
  if (!clock_) return;
  const ze::Device& device = sides_[0]->device.ze();
  const ze_result_t result = device.table().MemFree(device.context(), clock_);
  if (result != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "freeing the times of a profile: %s", ze::result_name(result));
}

Status Timing::append(ze::List& list, const graph::ParamsRef& params, uint32_t index,
                      const runtime::Run& run) {
  ze::EventStore& store = sides_[side_of_[index]]->store;
  if (is_one_command(*params)) {
    XPU_TRY_ASSIGN(events_[index], store.take());
    return append_node(list, params, run, {events_[index], {}});
  }
  XPU_TRY_ASSIGN(const ze_event_handle_t started, store.take());
  XPU_TRY_ASSIGN(const ze_event_handle_t ended, store.take());
  XPU_TRY(list.write_timestamp(start_of(index), {started, {}}));
  XPU_TRY(append_node(list, params, run, {ended, {&started, 1}}));
  return list.write_timestamp(end_of(index), {nullptr, {&ended, 1}});
}

// Two readings of one clock may be a tick apart the wrong way round.
uint64_t Timing::Side::since_begin_ns(uint64_t ticks, uint64_t mask) const noexcept {
  const double ms = runtime::ticks_to_ms(begin, ticks, mask, device.properties().ticks_per_second);
  return static_cast<uint64_t>(std::llround(std::max(ms, 0.0) * 1e6));
}

// Each device has a clock of its own. The host's, read together with each of them, ties them
// together, to about as long as such a reading takes.
Status Timing::read_begins() {
  const auto now = [](const Side& side, uint64_t& host, uint64_t& ticks) {
    return ZE_CALL(side.device.ze().table(), DeviceGetGlobalTimestamps, side.device.ze().handle(),
                   &host, &ticks);
  };
  sides_[0]->begin = *clock_;
  if (sides_.size() == 1 || !sides_[0]->device.ze().table().DeviceGetGlobalTimestamps)
    return Status();
  uint64_t host = 0, ticks = 0;
  XPU_TRY(now(*sides_[0], host, ticks));
  const uint64_t begin_on_host =
      host - sides_[0]->since_begin_ns(ticks, sides_[0]->device.properties().tick_mask);
  for (size_t i = 1; i < sides_.size(); i++) {
    XPU_TRY(now(*sides_[i], host, ticks));
    const double seconds = static_cast<double>(host - begin_on_host) * 1e-9;
    const double since = seconds * sides_[i]->device.properties().ticks_per_second;
    sides_[i]->begin = ticks - static_cast<uint64_t>(since);
  }
  return Status();
}

Result<NodeTime> Timing::read_node(uint32_t index) {
  const Side& side = *sides_[side_of_[index]];
  if (!side.begin) return NodeTime();
  const runtime::DeviceProperties& device = side.device.properties();
  uint64_t start = *start_of(index), end = *end_of(index), mask = device.tick_mask;
  if (events_[index]) {
    ze_kernel_timestamp_result_t ticks = {};
    const ze_result_t result =
        side.device.ze().table().EventQueryKernelTimestamp(events_[index], &ticks);
    if (result == ZE_RESULT_NOT_READY) return NodeTime();
    XPU_TRY(ze::check(result, "zeEventQueryKernelTimestamp"));
    start = ticks.global.kernelStart;
    end = ticks.global.kernelEnd;
    mask = device.kernel_tick_mask;
  } else if (!start || !end) {
    return NodeTime();
  }
  const uint64_t start_ns = side.since_begin_ns(start, mask);
  return NodeTime{true, start_ns, std::max(side.since_begin_ns(end, mask), start_ns)};
}

Result<std::vector<NodeTime>> Timing::read() {
  std::vector<NodeTime> times(events_.size());
  // A driver that does not write its clock has no timestamps either, and may block for seconds when
  // it is asked for one (Intel's in null-submission mode: 5 s each).
  if (!*clock_) return times;
  XPU_TRY(read_begins());
  for (uint32_t i = 0; i < times.size(); i++) {
    XPU_TRY_ASSIGN(times[i], read_node(i));
  }
  return times;
}

}  // namespace xpu::exec
