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
inline uint32_t Patching::patch(const Change& change, uint64_t id, ze::Patch& patch) const {
  if (change.was.kind() != graph::NodeKind::kernel || change.is.kind() != graph::NodeKind::kernel)
      [[unlikely]]
    return kUnpatchable;
  const auto* const was = static_cast<const graph::KernelParams*>(&change.was);
  const auto* const is = static_cast<const graph::KernelParams*>(&change.is);
  if (&was->signature() != &is->signature() || is->cooperative()) [[unlikely]]
    return kUnpatchable;
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
  if (!is->same_sizes(*was) || change.switches) [[unlikely]]
    needed |= patch_sizes(*was, *is, change.enabled, id, patch);
  return needed & ~what_ ? kUnpatchable : needed;
}

uint32_t Patching::patch_sizes(const graph::KernelParams& was, const graph::KernelParams& is,
                               bool enabled, uint64_t id, ze::Patch& patch) {
  uint32_t needed = ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT;
  if (!same(was.block(), is.block())) {
    needed |= ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE;
    patch.group_size(id, is.block().x, is.block().y, is.block().z);
  }
  if (enabled)
    patch.group_count(id, {is.grid().x, is.grid().y, is.grid().z});
  else
    patch.group_count(id, {0, 0, 0});
  return needed;
}

// A segment in which something differs is stale before anything else is noted of it: if there is no
// memory for the rest, it is encoded anew.
inline void Patching::compare(Slot& slot, const Versions& now, uint32_t node, bool all_enabled) {
  const graph::ParamsRef &was = slot.made.params(node), &is = now.params(node);
  Change change{*was, *is, true, false};
  if (!all_enabled) [[unlikely]] {
    change.enabled = now.enabled(node);
    change.switches = slot.made.enabled(node) != change.enabled;
  }
  if (was == is && !change.switches) return;
  const uint32_t segment = segment_of_[node];
  Need& need = needs_[segment];
  if (need == Need::nothing) {
    slot.stale.insert(segment, needs_.size());
    need = Need::patch;
    patches_[segment].clear();
  }
  const uint64_t id = slot.id_of(node);
  const uint32_t needed = patch(change, id, patches_[segment]);
  if (needed == kUnpatchable || (needed && !id)) [[unlikely]] {
    if (needed == kUnpatchable || lists_[segment] == Lists::refused) {
      need = Need::whole;
    } else {
      named_.insert(node, segment_of_.size());
      if (need == Need::patch) need = Need::ids;
    }
  }
  slot.made.take(node, now, all_enabled);
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
    case Need::nothing:
    case Need::whole:
      // What changes like this once may do so again, and a plain list is the cheapest to make.
      if (lists != Lists::refused) lists = Lists::plain;
      break;
  }
  patches_[segment].clear();
  return encode_segment(slot, segment);
}

Status Patching::catch_up(Slot& slot, const Versions& now) {
  const Zone zone("update encoding");
  // Another slot has other needs, also after a failure; what is still stale then is encoded anew.
  struct End {
    std::vector<Need>& needs;
    IndexSet& stale;
    bool done = false;
    ~End() {
      for (const uint32_t segment : stale) needs[segment] = Need::nothing;
      if (done) stale.clear();
    }
  } end{needs_, slot.stale};
  for (const uint32_t segment : slot.stale) needs_[segment] = Need::whole;
  const uint32_t* const named = slot.all_changed ? nullptr : slot.changed.data();
  const size_t count = named ? slot.changed.size() : slot.all_changed ? segment_of_.size() : 0;
  const bool all_enabled = slot.made.all_enabled() && now.all_enabled();
  for (uint32_t i = 0; i < count; i++) compare(slot, now, named ? named[i] : i, all_enabled);
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
  end.done = true;
  slot.behind = false;
  return Status();
}

}  // namespace xpu::exec
