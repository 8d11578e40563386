// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing by launches: bookkeeping alone, since the addresses and the memory are
// there.
#include "memory/exec_memory.h"

#include <algorithm>
#include <set>
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
  std::vector<std::shared_ptr<GraphMemory>> wanted = memories_of(graph);
  if (wanted.empty()) return std::shared_ptr<ExecMemory>();
  std::shared_ptr<ExecMemory> made(new ExecMemory(flags));
  made->memories_.reserve(wanted.size());
  std::unique_lock hold(Ledger::get().mutex);
  Status status;
  for (std::shared_ptr<GraphMemory>& memory : wanted) {
    status = memory->claimed() ? has_one_already() : memory->claim();
    if (!status.ok()) break;
    made->memories_.push_back(std::move(memory));  // it is this one's to give back
  }
  if (status.ok()) made->find_loose_ends(graph);
  hold.unlock();
  if (!status.ok()) return status;
  return made;
}

// What one of the graphs allocates and another one frees begins and ends within a launch.
void ExecMemory::find_loose_ends(const graph::Graph& graph) {
  std::vector<Allocation*> allocated;
  std::set<const Allocation*> freed;
  const auto walk = [&](const auto& self, const graph::Graph& at) -> void {
    for (const graph::Node* node : at.nodes()) {
      if (const auto* alloc = node->as<graph::AllocParams>()) {
        allocated.push_back(static_cast<Allocation*>(alloc->allocation().get()));
      } else if (const auto* end = node->as<graph::FreeParams>()) {
        auto a = std::static_pointer_cast<Allocation>(end->allocation());
        freed.insert(a.get());
        const bool mine = std::any_of(memories_.begin(), memories_.end(),
                                      [&](const auto& memory) { return memory.get() == a->of; });
        if (!mine) elsewhere_.push_back(std::move(a));
      } else if (const auto* child = node->as<graph::ChildParams>()) {
        if (child->graph()->memory()) self(self, *child->graph());
      }
    }
  };
  walk(walk, graph);
  for (Allocation* a : allocated) {
    if (!freed.contains(a)) kept_.push_back(a);
  }
}

ExecMemory::~ExecMemory() {
  const std::lock_guard hold(Ledger::get().mutex);
  if (flags_.auto_free_on_destroy) {
    // memories_ still hold what they are in.
    for (Allocation* a : kept_) (void)a->of->ended(*a);
  }
  for (const std::shared_ptr<GraphMemory>& memory : memories_) memory->unclaim();
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
  uint64_t generation = 0;
  for (const std::shared_ptr<GraphMemory>& memory : memories_) {
    XPU_TRY_ASSIGN(const uint64_t own, memory->back());
    generation += own;
  }
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
  for (const std::shared_ptr<GraphMemory>& memory : memories_) {
    if (!launched_) XPU_TRY(memory->order_behind_uses(stream));
    memory->make_room_for_use();
  }
  for (const std::shared_ptr<Allocation>& a : elsewhere_) a->of->make_room_for_use();
  held_ = std::move(hold);
  return generation;
}

void ExecMemory::end(runtime::Stream& stream, bool submitted) noexcept {
  const std::unique_lock hold = std::move(held_);
  if (!submitted) return;
  launched_ = true;
  for (const std::shared_ptr<GraphMemory>& memory : memories_) memory->used_in(stream);
  for (Allocation* a : kept_) a->of->began(*a);
  // Their graphs are held by elsewhere_, so nothing is destroyed here.
  for (const std::shared_ptr<Allocation>& a : elsewhere_) {
    a->of->used_in(stream);
    (void)a->of->ended(*a);
  }
}

}  // namespace xpu::memory
