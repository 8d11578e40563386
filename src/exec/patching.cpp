// SPDX-License-Identifier: Apache-2.0
// Comparing what a list does with what it should do, patching it, or making it again.
#include "exec/patching.h"

#include <utility>

#include "base/log.h"
#include "base/trace.h"
#include "runtime/kernel.h"

namespace xpu::exec {
namespace {

constexpr uint32_t kPatchable = ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS |
                                ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT |
                                ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE;

constexpr uint32_t kUnpatchable = UINT32_MAX;

// On every device of a plan.
uint32_t patchable_on(const std::vector<Lane>& lanes) noexcept {
  uint32_t what = kPatchable;
  for (const Lane& lane : lanes) what &= lane.device->ze().features().mutable_commands;
  return what;
}

bool same(const xpuDim3& a, const xpuDim3& b) noexcept {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// After these there is no point in trying the same with a plain list.
bool is_final(const Status& status) noexcept {
  return status.code() == xpuErrorMemoryAllocation || status.code() == xpuErrorLaunchFailure;
}

}  // namespace

Patching::Patching(const Snapshot& snapshot)
    : snapshot_(snapshot),
      what_(patchable_on(snapshot.lanes)),
      segment_of_(snapshot.plan.nodes.size()),
      lists_(snapshot.plan.segments.size(), what_ ? Lists::plain : Lists::refused),
      needs_(snapshot.plan.segments.size()),
      patches_(snapshot.plan.segments.size()) {
  for (uint32_t i = 0; i < snapshot.plan.segments.size(); i++) {
    for (const plan::Step& step : snapshot.plan.segments[i].steps) segment_of_[step.node] = i;
  }
}

// Fills the segment's patch. What that needs of the list, kUnpatchable if no patch is enough.
uint32_t Patching::patch(const Slot& slot, const Versions& now, uint32_t node) {
  const auto* was = slot.made.params(node).as<graph::KernelParams>();
  const auto* is = now.params(node).as<graph::KernelParams>();
  if (!was || !is || &was->signature() != &is->signature() || is->cooperative())
    return kUnpatchable;
  ze::Patch& patch = patches_[segment_of_[node]];
  const uint64_t id = slot.ids.empty() ? 0 : slot.ids[node];
  const auto& kernel = static_cast<const runtime::Kernel&>(is->signature());
  const std::byte* const before = was->arguments().data();
  const std::byte* const after = is->arguments().data();
  uint32_t needed = 0, index = 0;
  for (const Parameter& p : kernel.parameters()) {
    if (!same_argument(before + p.offset, after + p.offset, p.size)) {
      needed = ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS;
      const runtime::Kernel::Argument argument = runtime::Kernel::argument(p, after + p.offset);
      patch.argument(id, index, argument.size, argument.value);
    }
    index++;
  }
  const bool other_block = !same(was->block(), is->block());
  const bool other_grid = other_block || !same(was->grid(), is->grid());
  const bool enabled = now.enabled(node);
  if (other_grid || slot.made.enabled(node) != enabled) [[unlikely]] {
    needed |= ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT;
    if (other_block) {
      needed |= ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE;
      patch.group_size(id, is->block().x, is->block().y, is->block().z);
    }
    if (enabled)
      patch.group_count(id, {is->grid().x, is->grid().y, is->grid().z});
    else
      patch.group_count(id, {0, 0, 0});
  }
  return needed & ~what_ ? kUnpatchable : needed;
}

// A segment in which something differs is stale before anything else is noted of it: if there is no
// memory for the rest, it is encoded anew.
inline void Patching::compare(Slot& slot, const Versions& now, uint32_t node) {
  const bool same_params = slot.made.params(node) == now.params(node);
  if (same_params && slot.made.enabled(node) == now.enabled(node)) return;
  const uint32_t segment = segment_of_[node];
  Need& need = needs_[segment];
  if (!slot.stale.has(segment)) {
    slot.stale.insert(segment, needs_.size());
    need = Need::patch;
    patches_[segment].clear();
  }
  const uint32_t needed = patch(slot, now, node);
  if (needed == kUnpatchable || (needed && lists_[segment] == Lists::refused)) {
    need = Need::whole;
  } else if (needed && (slot.ids.empty() || !slot.ids[node])) {
    named_.insert(node, segment_of_.size());
    if (need == Need::patch) need = Need::ids;
  }
  slot.made.take(node, now);
}

Status Patching::encode(Slot& slot) {
  for (uint32_t i = 0; i < snapshot_.plan.segments.size(); i++) {
    if (snapshot_.plan.segments[i].kind == plan::SegmentKind::work)
      XPU_TRY(encode_segment(slot, i));
  }
  return Status();
}

Status Patching::encode_segment(Slot& slot, uint32_t segment) {
  const plan::Segment& of = snapshot_.plan.segments[segment];
  if (!slot.ids.empty()) {
    for (const plan::Step& step : of.steps) slot.ids[step.node] = 0;
  }
  Lists& lists = lists_[segment];
  if (lists == Lists::some || lists == Lists::all) {
    slot.ids.resize(snapshot_.plan.nodes.size());
    const Naming naming{what_, lists == Lists::some ? &named_ : nullptr, &slot.ids};
    Result<ze::List> made = exec::encode(snapshot_, of, slot.made, slot.staging, &naming);
    if (made.ok()) {
      slot.lists[segment] = made.take();
      return Status();
    }
    for (const plan::Step& step : of.steps) slot.ids[step.node] = 0;
    if (is_final(made.status())) return made.take_status();
    // Not every kernel can be in a patchable list: those that print or call cannot on Intel's.
    XPU_TRY_ASSIGN(slot.lists[segment], exec::encode(snapshot_, of, slot.made, slot.staging));
    XPU_LOG(debug, "update: segment %u has no patchable list (%s)", segment,
            made.status().sentence().c_str());
    lists = Lists::refused;
    return Status();
  }
  XPU_TRY_ASSIGN(slot.lists[segment], exec::encode(snapshot_, of, slot.made, slot.staging));
  return Status();
}

Status Patching::bring(Slot& slot, uint32_t segment) {
  Lists& lists = lists_[segment];
  switch (needs_[segment]) {
    case Need::patch:
      // Whatever the driver minds about the patch, a new list does not need it.
      if (patches_[segment].apply(slot.lists[segment]).ok()) return Status();
      break;
    case Need::ids: {
      bool has_ids = false;
      for (const plan::Step& step : snapshot_.plan.segments[segment].steps)
        has_ids |= !slot.ids.empty() && slot.ids[step.node];
      if (lists == Lists::plain)
        lists = Lists::some;
      else if (has_ids)
        lists = Lists::all;
      break;
    }
    case Need::whole:
      // What changes like this once may do so again, and a plain list is the cheapest to make.
      if (lists != Lists::refused) lists = Lists::plain;
      break;
  }
  patches_[segment].clear();
  return encode_segment(slot, segment);
}

// Calls each(node) for those that may have changed.
template <class Each>
void Patching::each_changed(const Slot& slot, Each&& each) const {
  if (!slot.all_changed) {
    for (const uint32_t node : slot.changed) each(node);
    return;
  }
  const auto count = static_cast<uint32_t>(segment_of_.size());
  for (uint32_t node = 0; node < count; node++) each(node);
}

Status Patching::catch_up(Slot& slot, const Versions& now) {
  const Zone zone("update encoding");
  for (const uint32_t segment : slot.stale) needs_[segment] = Need::whole;
  each_changed(slot, [&](uint32_t node) { compare(slot, now, node); });
  slot.changed.clear();
  slot.all_changed = false;
  bool other_values = false;
  for (const uint32_t segment : slot.stale) {
    const plan::SegmentKind kind = snapshot_.plan.segments[segment].kind;
    if (kind == plan::SegmentKind::work) XPU_TRY(bring(slot, segment));
    if (kind != plan::SegmentKind::conditional) continue;
    XPU_TRY(slot.encode_conditional(segment));
    other_values = true;
  }
  if (other_values) XPU_TRY(slot.encode_opening());
  slot.stale.clear();
  slot.behind = false;
  return Status();
}

}  // namespace xpu::exec
