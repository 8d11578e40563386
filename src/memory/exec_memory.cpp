// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing by launches: bookkeeping alone, since the addresses and the memory are
// there.
#include "memory/exec_memory.h"

#include <string>
#include <utility>

namespace xpu::memory {
namespace {

Status has_one_already() {
  return Status::error(
      xpuErrorNotSupported,
      "the graph has memory nodes and an executable already; both would use the same "
      "memory. Destroy that executable first",
      "graph");
}

std::string describe(const Allocation& a) {
  return std::to_string(a.size) + " bytes of allocation node " + std::to_string(a.node);
}

}  // namespace

Result<std::shared_ptr<ExecMemory>> ExecMemory::claim(const graph::Graph& graph, Flags flags) {
  std::shared_ptr<GraphMemory> memory = GraphMemory::find(graph);
  if (!memory) return std::shared_ptr<ExecMemory>();
  std::shared_ptr<ExecMemory> made(new ExecMemory(memory, flags));
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  for (const graph::Node* node : graph.nodes()) {
    if (const auto* alloc = node->as<graph::AllocParams>()) {
      auto* const a = static_cast<Allocation*>(alloc->allocation().get());
      if (!a->freed_here) made->kept_.push_back(a);
    } else if (const auto* end = node->as<graph::FreeParams>()) {
      auto a = std::static_pointer_cast<Allocation>(end->allocation());
      if (a->of != memory.get()) made->elsewhere_.push_back(std::move(a));
    }
  }
  if (memory->claimed()) {
    made->memory_ = nullptr;  // it is not this one's to give back
    return has_one_already();
  }
  Status status = memory->claim();
  if (status.ok()) return made;
  made->memory_ = nullptr;
  return status;
}

ExecMemory::~ExecMemory() {
  if (!memory_) return;
  const std::lock_guard hold(Ledger::get().mutex);
  if (flags_.auto_free_on_destroy) {
    // memory_ still holds what they are in.
    for (Allocation* a : kept_) (void)memory_->ended(*a);
  }
  memory_->unclaim();
}

Status ExecMemory::check() const {
  for (const Allocation* a : kept_) {
    if (!a->live || flags_.auto_free_on_launch) continue;
    return invalid_value("the last launch allocated " + describe(*a) +
                             ", and nothing has freed them; free them before the next launch, or "
                             "instantiate with AutoFreeOnLaunch",
                         "graphExec");
  }
  for (const std::shared_ptr<Allocation>& a : elsewhere_) {
    if (a->live) continue;
    return invalid_value(
        "the graph frees " + describe(*a) +
            " of another graph, which are not allocated now; launch that graph first",
        "graphExec");
  }
  return {};
}

// It changes when memory of this graph was replaced, or of one that this graph frees memory of:
// none of the numbers ever falls.
Result<uint64_t> ExecMemory::back() {
  XPU_TRY_ASSIGN(uint64_t generation, memory_->back());
  for (const std::shared_ptr<Allocation>& a : elsewhere_) generation += a->of->generation();
  return generation;
}

Result<uint64_t> ExecMemory::prepare() {
  const std::lock_guard hold(Ledger::get().mutex);
  return back();
}

Result<uint64_t> ExecMemory::begin(runtime::Stream& stream) {
  std::unique_lock hold(Ledger::get().mutex);
  XPU_TRY(check());
  XPU_TRY_ASSIGN(const uint64_t generation, back());
  if (!launched_) XPU_TRY(memory_->order_behind_uses(stream));
  memory_->make_room_for_use();
  for (const std::shared_ptr<Allocation>& a : elsewhere_) a->of->make_room_for_use();
  held_ = std::move(hold);
  return generation;
}

void ExecMemory::end(runtime::Stream& stream, bool submitted) noexcept {
  const std::unique_lock hold = std::move(held_);
  if (!submitted) return;
  launched_ = true;
  memory_->used_in(stream);
  for (Allocation* a : kept_) memory_->began(*a);
  // Their graphs are held by elsewhere_, so nothing is destroyed here.
  for (const std::shared_ptr<Allocation>& a : elsewhere_) {
    a->of->used_in(stream);
    (void)a->of->ended(*a);
  }
}

}  // namespace xpu::memory
