// SPDX-License-Identifier: Apache-2.0
// Looks up where kernels, memory and events are.
#include "exec/sites.h"

#include <algorithm>
#include <string>

#include "exec/snapshot.h"
#include "graph/external.h"
#include "runtime/event.h"
#include "runtime/kernel.h"

namespace xpu::exec {

using plan::Site;
using runtime::MemoryKind;

namespace {

runtime::Device& device_of(const graph::KernelParams& params) noexcept {
  return static_cast<const runtime::Kernel&>(params.signature()).device();
}

}  // namespace

Place place_of(const runtime::Memory& memory, const void* pointer) {
  const runtime::Allocation at = memory.find(pointer);
  const bool on_device = at.kind == MemoryKind::device;
  return {at.kind, static_cast<int8_t>(on_device ? at.device : -1)};
}

bool Sites::is_host_memory(const void* pointer) const {
  const MemoryKind kind = home().memory().kind(pointer);
  return kind == MemoryKind::host || kind == MemoryKind::unregistered;
}

Touches& Sites::touches(uint32_t index) {
  if (touches_.size() <= index) touches_.resize(index + size_t{1});
  return touches_[index];
}

// The usual kernel first: planning asks for every node.
Result<Site> Sites::site(const plan::PlanNode& node, uint32_t index) {
  const graph::NodeParams& params = *node.params;
  if (params.kind() == graph::NodeKind::kernel &&
      &device_of(static_cast<const graph::KernelParams&>(params)) == &home()) [[likely]]
    return Site();
  Result<Site> found = of(params, index);
  if (found.ok()) [[likely]]
    return found;
  return at_node(found.take_status(), node, params);
}

Result<Site> Sites::of(const graph::NodeParams& params, uint32_t index) {
  switch (params.kind()) {
    case graph::NodeKind::kernel:
      return on(device_of(static_cast<const graph::KernelParams&>(params)), "the kernel");
    case graph::NodeKind::fill: {
      const void* const dst = static_cast<const graph::FillParams&>(params).shape().dst;
      return on_memory_of(touches(index).dst = place_of(home().memory(), dst));
    }
    case graph::NodeKind::copy:
      return of_copy(static_cast<const graph::CopyParams&>(params).shape(), index);
    case graph::NodeKind::event_record: {
      const auto& event = static_cast<const graph::EventParams&>(params).event();
      return on(static_cast<runtime::Event*>(event.get())->device(), "the event");
    }
    case graph::NodeKind::semaphore_signal:
    case graph::NodeKind::semaphore_wait:
    case graph::NodeKind::batch:
      XPU_TRY(check_external(home(), static_cast<const graph::ExternalParams&>(params)));
      return Site();
    default:
      return Site();
  }
}

// Between two devices, the source's writes to the target: writes go over a bus without waiting for
// an answer, reads do not.
Result<Site> Sites::of_copy(const graph::CopyShape& shape, uint32_t index) {
  const runtime::Memory& memory = home().memory();
  Touches& of = touches(index);
  of.dst = place_of(memory, shape.dst.first());
  of.src = place_of(memory, shape.src.first());
  if (of.src.device < 0 || of.dst.device < 0 || of.src == of.dst)
    return on_memory_of(of.dst.device < 0 ? of.src : of.dst);
  if (spread_ == Spread::one_device) {
    XPU_TRY(on_memory_of(of.src).take_status());
    return on_memory_of(of.dst);
  }
  const runtime::Device& source = *memory.device(of.src.device);
  const runtime::Device& target = *memory.device(of.dst.device);
  XPU_TRY_ASSIGN(const bool writes, source.can_reach(target));
  if (writes) return on_memory_of(of.src);
  XPU_TRY_ASSIGN(const bool reads, target.can_reach(source));
  if (reads) return on_memory_of(of.dst);
  XPU_TRY_ASSIGN(Site site, on_memory_of(of.src));
  XPU_TRY_ASSIGN(const Site second, on_memory_of(of.dst));
  site.fetches = second.device;
  return site;
}

// In a body the one device does it, if it can reach the memory.
Result<Site> Sites::on_memory_of(Place place) {
  runtime::Device* const device = place.device < 0 ? nullptr : home().memory().device(place.device);
  if (!device) return Site();
  if (spread_ == Spread::devices || device == &home()) return on(*device, "the memory");
  XPU_TRY_ASSIGN(const bool reaches, home().can_reach(*device));
  return reaches ? Site() : on(*device, "the memory");
}

Result<Site> Sites::on(runtime::Device& device, const char* what) {
  if (&device == &home()) [[likely]]
    return Site();
  if (spread_ == Spread::one_device)
    return invalid_value(
        std::string(what) + " belongs to device " + std::to_string(device.index()) +
        ", but the graph is instantiated for device " + std::to_string(home().index()) +
        ", and there the bodies of its conditional nodes run");
  const auto at = std::find(devices_.begin(), devices_.end(), &device);
  Site site;
  site.device = static_cast<uint8_t>(at - devices_.begin());
  if (at != devices_.end()) return site;
  if (devices_.size() == plan::kMostDevices)
    return Status::error(xpuErrorNotSupported,
                         "the nodes of one graph may be on " + std::to_string(plan::kMostDevices) +
                             " devices, the one that it is instantiated for among them");
  devices_.push_back(&device);
  return site;
}

}  // namespace xpu::exec
