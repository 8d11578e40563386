// SPDX-License-Identifier: Apache-2.0
// Placing memory nodes, and holding memory for them.
#include "memory/graph_memory.h"

#include <algorithm>
#include <list>
#include <string>
#include <utility>

#include "base/serial.h"
#include "runtime/freed_memory.h"

namespace xpu::memory {
std::shared_ptr<GraphMemory> GraphMemory::of(graph::Graph& graph) {
  if (!graph.memory()) {
    auto made = std::make_shared<GraphMemory>();
    Ledger& ledger = Ledger::get();
    {
      const std::lock_guard hold(ledger.mutex);
      ledger.enter(*made);
    }
    graph.set_memory(std::move(made));
  }
  return find(graph);
}

std::shared_ptr<GraphMemory> GraphMemory::find(const graph::Graph& graph) noexcept {
  return std::static_pointer_cast<GraphMemory>(graph.memory());
}

GraphMemory::~GraphMemory() {
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  ledger.leave(*this);
  for (Allocation& a : allocations_) ledger.shut(a);
  for (size_t i = 0; i < arenas_.size(); i++) {
    ledger.count(arenas_[i]->device().index(), -static_cast<ptrdiff_t>(counted_[i].used),
                 -static_cast<ptrdiff_t>(counted_[i].reserved));
  }
}

Arena& GraphMemory::arena_on(runtime::Device& device) {
  for (const auto& arena : arenas_) {
    if (&arena->device() == &device) return *arena;
  }
  auto made = std::make_unique<Arena>(device);
  const std::lock_guard hold(Ledger::get().mutex);
  arenas_.reserve(arenas_.size() + 1);
  counted_.emplace_back();
  arenas_.push_back(std::move(made));
  return *arenas_.back();
}

Status GraphMemory::place(graph::Node& node, runtime::Device& device) {
  const auto& params = *node.as<graph::AllocParams>();
  Arena& arena = arena_on(device);
  const Moment begin = nodes_.of(node);
  XPU_TRY_ASSIGN(void* address, arena.allocate(params.size(), begin, order_));
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  Allocation& made = allocations_.emplace_back();
  made.of = this;
  made.arena = &arena;
  made.address = address;
  made.size = params.size();
  made.node = node.local_id();
  made.begin = begin;
  made.made = take_serial();
  ledger.open(made);
  recount();  // where memory cannot be mapped, the addresses have it already
  node.set_params(params.placed(std::shared_ptr<void>(shared_from_this(), &made), address));
  return {};
}

void GraphMemory::release(const graph::Node& node, Allocation& allocation) {
  allocation.end = nodes_.of(node);
  // A free that nothing puts behind its allocation says nothing about when the memory is unused.
  if (order_.before(allocation.begin, allocation.end))
    allocation.arena->release(allocation.address, allocation.size, allocation.end);
}

namespace {

void gather(const graph::Graph& graph, std::vector<std::shared_ptr<GraphMemory>>& found) {
  if (!graph.memory()) return;
  found.push_back(GraphMemory::find(graph));
  for (const graph::Node* node : graph.nodes()) {
    if (const auto* child = node->as<graph::ChildParams>()) gather(*child->graph(), found);
  }
}

// With its handle: what is decided for a memory node afterwards cannot be taken back.
Result<graph::Node*> add_named(graph::Graph& graph, graph::ParamsRef params,
                               std::span<graph::Node* const> dependencies,
                               const xpuGraphEdgeData* data) {
  XPU_TRY_ASSIGN(graph::Node * node, graph.add(std::move(params), dependencies, data));
  if (node->handle()) return node;
  graph.remove(node);
  return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
}

// As in CUDA: what a moved graph allocates is decided before it moves.
Status check_outermost(const graph::Graph& graph) {
  if (!graph.owner()) return {};
  return Status::error(xpuErrorNotSupported,
                       "the graph belongs to a child graph node, and such a graph gets no more "
                       "memory nodes; add them before it moves, or to the graph around it",
                       "graph");
}

// As in CUDA, a graph frees an allocation once, and a launch runs the child graphs, too.
bool frees(const graph::Graph& graph, const Allocation& allocation) {
  return std::ranges::any_of(graph.nodes(), [&](const graph::Node* node) {
    if (const auto* child = node->as<graph::ChildParams>())
      return frees(*child->graph(), allocation);
    const auto* end = node->as<graph::FreeParams>();
    return end && end->allocation().get() == &allocation;
  });
}

// What a graph gets with its first memory node. After a call that fails it is as before: a graph
// without memory nodes can still be cloned.
class Given {
 public:
  explicit Given(graph::Graph& graph)
      : graph_(graph), had_(graph.memory() != nullptr), memory_(GraphMemory::of(graph)) {}
  ~Given() {
    if (!had_ && !kept_) graph_.set_memory({});
  }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

  const std::shared_ptr<GraphMemory>& memory() const noexcept { return memory_; }
  graph::Node* keep(graph::Node* node) noexcept {
    kept_ = true;
    return node;
  }

 private:
  graph::Graph& graph_;
  const bool had_;
  bool kept_ = false;
  const std::shared_ptr<GraphMemory> memory_;
};

}  // namespace

std::vector<std::shared_ptr<GraphMemory>> memories_of(const graph::Graph& graph) {
  std::vector<std::shared_ptr<GraphMemory>> found;
  gather(graph, found);
  return found;
}

Result<graph::Node*> add_moved(graph::Graph& graph, const std::shared_ptr<graph::Graph>& inner,
                               std::span<graph::Node* const> dependencies,
                               const xpuGraphEdgeData* data) {
  std::list<Given> given;
  for (graph::Graph* around = &graph; inner->memory() && around;
       around = around->owner() ? &around->owner()->graph() : nullptr)
    given.emplace_back(*around);
  XPU_TRY_ASSIGN(graph::ParamsRef params, graph::ChildParams::make(inner));
  XPU_TRY_ASSIGN(graph::Node * node, add_named(graph, std::move(params), dependencies, data));
  for (Given& one : given) one.keep(node);
  inner->moved();
  return node;
}

Result<graph::Node*> add_alloc(graph::Graph& graph, graph::ParamsRef params,
                               runtime::Device& device, std::span<graph::Node* const> dependencies,
                               const xpuGraphEdgeData* data) {
  XPU_TRY(check_outermost(graph));
  Given given(graph);
  XPU_TRY_ASSIGN(graph::Node * node, add_named(graph, std::move(params), dependencies, data));
  Status status = given.memory()->place(*node, device);
  if (status.ok()) return given.keep(node);
  given.memory()->forget(*node);
  graph.remove(node);
  return status;
}

Result<graph::Node*> add_free(graph::Graph& graph, void* address,
                              std::span<graph::Node* const> dependencies,
                              const xpuGraphEdgeData* data) {
  XPU_TRY(check_outermost(graph));
  Given given(graph);
  const std::shared_ptr<GraphMemory>& memory = given.memory();
  std::shared_ptr<GraphMemory> owner;
  Allocation* allocation = nullptr;
  Ledger& ledger = Ledger::get();
  {
    const std::lock_guard hold(ledger.mutex);
    allocation = ledger.find(address);
    if (allocation) owner = allocation->of->weak_from_this().lock();
    if (!owner)
      return invalid_value(
          "this is not the address of an allocation node, or the graph of that node frees it",
          "dptr");
    if (owner == memory && allocation->freed_elsewhere)
      return invalid_value(
          "this allocation is freed by another graph or was freed by a call; the graph that "
          "allocates it can no longer do so",
          "dptr");
    if (owner != memory && allocation->freed_elsewhere && frees(graph, *allocation))
      return invalid_value("the graph frees this allocation already, in one of its nodes", "dptr");
    if (owner == memory && memory->claimed())
      return invalid_value(
          "an executable of this graph allocates it and leaves it allocated; destroy that first",
          "dptr");
  }
  XPU_TRY_ASSIGN(graph::ParamsRef params,
                 graph::FreeParams::make(std::shared_ptr<void>(owner, allocation), address));
  XPU_TRY_ASSIGN(graph::Node * node, add_named(graph, std::move(params), dependencies, data));
  const std::lock_guard hold(ledger.mutex);
  if (owner != memory) {
    allocation->freed_elsewhere = true;
    return given.keep(node);
  }
  allocation->freed_here = true;
  ledger.shut(*allocation);
  memory->release(*node, *allocation);
  return given.keep(node);
}

// ---- under Ledger::mutex

Result<uint64_t> GraphMemory::back() {
  if (backed_) return generation_;
  for (const auto& arena : arenas_) {
    const size_t before = arena->backed();
    Status status = arena->back();
    // Lists that were made meanwhile, by graphs that free what is in here, know nothing of it.
    if (arena->backed() != before) generation_++;
    if (status.ok()) continue;
    recount();
    return status;
  }
  backed_ = true;
  recount();
  return generation_;
}

// Nodes may have been added since the memory was given.
Status GraphMemory::claim() {
  backed_ = false;
  XPU_TRY(back().take_status());
  claimed_ = true;
  recount();
  return {};
}

void GraphMemory::unclaim() noexcept {
  claimed_ = false;
  for (const auto& arena : arenas_) trim(arena->device());
  recount();
}

bool GraphMemory::is_idle() const noexcept {
  return std::all_of(uses_.begin(), uses_.end(), [](const Use& use) { return use.is_over(); });
}

Status GraphMemory::order_behind_uses(runtime::Stream& stream) {
  for (const Use& use : uses_) {
    const std::shared_ptr<runtime::Stream> other = use.is_over() ? nullptr : use.stream.lock();
    if (!other || other.get() == &stream) continue;
    XPU_TRY_ASSIGN(const runtime::MarkRef mark, other->device().marks().make(false));
    XPU_TRY(other->signal(*mark));
    XPU_TRY(stream.wait(*mark));
  }
  return {};
}

void GraphMemory::make_room_for_use() {
  std::erase_if(uses_, [](const Use& use) { return use.is_over(); });
  uses_.reserve(uses_.size() + 1);
}

void GraphMemory::used_in(const runtime::Stream& stream) noexcept {
  const std::shared_ptr<runtime::Clock>& clock = stream.queue().clock();
  const uint64_t submitted = clock->submitted.load(std::memory_order_acquire);
  for (Use& use : uses_) {
    if (use.clock != clock) continue;
    use.submission = submitted;
    return;
  }
  uses_.push_back(
      {std::const_pointer_cast<runtime::Stream>(stream.shared_from_this()), clock, submitted});
}

void GraphMemory::began(Allocation& allocation) noexcept {
  if (allocation.live) return;
  allocation.live = true;
  allocation.keeps = shared_from_this();
  live_++;
}

std::shared_ptr<GraphMemory> GraphMemory::ended(Allocation& allocation) noexcept {
  if (!allocation.live) return nullptr;
  allocation.live = false;
  runtime::FreedMemory::get().add(allocation.address, allocation.size, allocation.made,
                                  take_serial(), this);
  live_--;
  recount();
  return std::move(allocation.keeps);
}

void GraphMemory::trim(const runtime::Device& device) noexcept {
  if (!is_idle() || live_) return;
  for (const auto& arena : arenas_) {
    if (&arena->device() != &device || arena->backed() == 0) continue;
    const size_t before = arena->backed();
    arena->unback();
    if (arena->backed() == before) continue;
    runtime::Device::unmapped();
    generation_++;
    backed_ = false;
  }
  recount();
}

void GraphMemory::recount() noexcept {
  const bool in_use = claimed_ || live_;
  for (size_t i = 0; i < arenas_.size(); i++) {
    const size_t reserved = arenas_[i]->backed();
    const size_t used = in_use ? reserved : 0;
    Counted& told = counted_[i];
    Ledger::get().count(arenas_[i]->device().index(), static_cast<ptrdiff_t>(used - told.used),
                        static_cast<ptrdiff_t>(reserved - told.reserved));
    told = {used, reserved};
  }
}

}  // namespace xpu::memory
