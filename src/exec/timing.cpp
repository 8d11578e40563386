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

Timing::Timing(runtime::Device& device, size_t nodes)
    : device_(device), store_(device.ze(), ze::EventStore::Kind::timed), events_(nodes) {}

Result<std::unique_ptr<Timing>> Timing::make(runtime::Device& device, size_t nodes) {
  std::unique_ptr<Timing> timing(new Timing(device, nodes));
  const size_t bytes = (1 + 2 * nodes) * sizeof(uint64_t);
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
  const ze_result_t result = device_.ze().table().MemFree(device_.ze().context(), clock_);
  if (result != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "freeing the times of a profile: %s", ze::result_name(result));
}

Status Timing::append(ze::List& list, const graph::ParamsRef& params, uint32_t index) {
  if (is_one_command(*params)) {
    XPU_TRY_ASSIGN(events_[index], store_.take());
    return append_node(list, params, {events_[index], {}});
  }
  XPU_TRY_ASSIGN(const ze_event_handle_t started, store_.take());
  XPU_TRY_ASSIGN(const ze_event_handle_t ended, store_.take());
  XPU_TRY(list.write_timestamp(start_of(index), {started, {}}));
  XPU_TRY(append_node(list, params, {ended, {&started, 1}}));
  return list.write_timestamp(end_of(index), {nullptr, {&ended, 1}});
}

// Two readings of one clock may be a tick apart the wrong way round.
uint64_t Timing::since_begin_ns(uint64_t ticks, uint64_t mask) const noexcept {
  const double ms =
      runtime::ticks_to_ms(*clock_, ticks, mask, device_.properties().ticks_per_second);
  return static_cast<uint64_t>(std::llround(std::max(ms, 0.0) * 1e6));
}

Result<NodeTime> Timing::read_node(uint32_t index) {
  const runtime::DeviceProperties& device = device_.properties();
  uint64_t start = *start_of(index), end = *end_of(index), mask = device.tick_mask;
  if (events_[index]) {
    ze_kernel_timestamp_result_t ticks = {};
    const ze_result_t result =
        device_.ze().table().EventQueryKernelTimestamp(events_[index], &ticks);
    if (result == ZE_RESULT_NOT_READY) return NodeTime();
    XPU_TRY(ze::check(result, "zeEventQueryKernelTimestamp"));
    start = ticks.global.kernelStart;
    end = ticks.global.kernelEnd;
    mask = device.kernel_tick_mask;
  } else if (!start || !end) {
    return NodeTime();
  }
  const uint64_t start_ns = since_begin_ns(start, mask);
  return NodeTime{true, start_ns, std::max(since_begin_ns(end, mask), start_ns)};
}

Result<std::vector<NodeTime>> Timing::read() {
  std::vector<NodeTime> times(events_.size());
  // A driver that does not write its clock has no timestamps either, and may block for seconds when
  // it is asked for one (Intel's in null-submission mode: 5 s each).
  if (!*clock_) return times;
  for (uint32_t i = 0; i < times.size(); i++) {
    XPU_TRY_ASSIGN(times[i], read_node(i));
  }
  return times;
}

}  // namespace xpu::exec
