// SPDX-License-Identifier: Apache-2.0
// Private pools: the table of them, and captures that allocate.
#include "memory/graph_pool.h"

#include <new>
#include <utility>

#include "memory/extents.h"

namespace xpu::memory {
namespace {

struct Held {
  std::shared_ptr<GraphPool> pool;  // null: only graphs hold it
  std::weak_ptr<GraphPool> seen;
  uint64_t holders;
};

struct Table {
  std::mutex mutex;  // guards all below; a pool's own lock is taken inside it, never around it
  std::map<PoolId, Held> pools;
  uint64_t last = 0;
};

// Never destroyed: graphs may live until the process ends.
Table& table() noexcept {
  static Table* const only = new Table;
  return *only;
}

Status no_such_pool(PoolId id) {
  return invalid_value("there is no graph pool (" + std::to_string(id.first) + ", " +
                           std::to_string(id.second) +
                           "), or its last holder has released it; xpuGraphPoolCreate makes one",
                       "pool");
}

}  // namespace

PoolId GraphPool::create() {
  auto made = std::make_shared<GraphPool>();
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  const PoolId id{0, ++t.last};
  t.pools.emplace(id, Held{made, made, 1});
  return id;
}

Status GraphPool::retain(PoolId id) {
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  const auto at = t.pools.find(id);
  if (at == t.pools.end()) return no_such_pool(id);
  std::shared_ptr<GraphPool> pool = at->second.seen.lock();
  if (!pool) return no_such_pool(id);
  at->second.pool = std::move(pool);
  at->second.holders++;
  return {};
}

Status GraphPool::release(PoolId id) {
  std::shared_ptr<GraphPool> last;  // goes after the lock
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  const auto at = t.pools.find(id);
  if (at == t.pools.end() || at->second.holders == 0) return no_such_pool(id);
  if (--at->second.holders) return {};
  last = std::move(at->second.pool);
  return {};
}

Result<std::shared_ptr<GraphPool>> GraphPool::find(PoolId id) {
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  const auto at = t.pools.find(id);
  if (at == t.pools.end()) return no_such_pool(id);
  std::shared_ptr<GraphPool> pool = at->second.seen.lock();
  if (!pool) return no_such_pool(id);
  return pool;
}

GraphPool::~GraphPool() {
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  std::erase_if(t.pools, [](const auto& entry) { return entry.second.seen.expired(); });
}

bool GraphPool::free_from_outside(void* address) {
  std::vector<std::shared_ptr<GraphPool>> pools;
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  for (const auto& [id, held] : t.pools) {
    std::shared_ptr<GraphPool> pool = held.seen.lock();
    if (!pool) continue;
    pools.push_back(pool);
    const std::lock_guard inner(pool->mutex_);
    if (!pool->live_.contains(address)) continue;
    if (pool->capturing_) pool->freed_meanwhile_.push_back(address);
    return pool->free(address, pool->order_.add_after_all());
  }
  return false;
}

bool GraphPool::has(const void* address) {
  std::vector<std::shared_ptr<GraphPool>> pools;
  Table& t = table();
  const std::lock_guard hold(t.mutex);
  for (const auto& [id, held] : t.pools) {
    std::shared_ptr<GraphPool> pool = held.seen.lock();
    if (!pool) continue;
    pools.push_back(pool);
    const std::lock_guard inner(pool->mutex_);
    if (pool->live_.contains(const_cast<void*>(address))) return true;
  }
  return false;
}

GraphPool::Footprint GraphPool::footprint() const {
  const std::lock_guard hold(mutex_);
  Footprint sum;
  for (const auto& [address, block] : live_) sum.live += Offsets::rounded(block.size);
  for (const auto& arena : arenas_) {
    sum.peak += arena->peak();
    sum.reserved += arena->backed();
  }
  return sum;
}

Arena& GraphPool::arena_on(runtime::Device& device) {
  for (const auto& arena : arenas_) {
    if (&arena->device() == &device) return *arena;
  }
  arenas_.push_back(std::make_unique<Arena>(device));
  return *arenas_.back();
}

bool GraphPool::free(void* address, Moment freed) {
  const auto at = live_.find(address);
  if (at == live_.end()) return false;
  at->second.arena->release(address, at->second.size, freed);
  Extents::get().leave(address);
  live_.erase(at);
  return true;
}

Result<std::shared_ptr<PoolCapture>> GraphPool::begin_capture() {
  const std::lock_guard hold(mutex_);
  if (capturing_)
    return Status::error(xpuErrorIllegalState,
                         "the pool serves another capture, and two at once would share what they "
                         "must not; end that capture first",
                         "pool");
  // All that was captured before comes before this capture, so one moment stands for it. Without
  // that the order would grow for as long as the pool lives.
  order_ = Order();
  const Moment earlier = order_.add({});
  for (const auto& arena : arenas_) arena->settle(earlier);
  freed_meanwhile_.clear();
  auto capture = std::make_shared<PoolCapture>(shared_from_this(), order_.add_after_all());
  capturing_ = true;
  return capture;
}

GraphPool::State GraphPool::save() const {
  State saved{live_, {}};
  for (const auto& arena : arenas_) saved.offsets.push_back(arena->offsets());
  return saved;
}

void GraphPool::restore(State saved) noexcept {
  for (const auto& [address, block] : live_) Extents::get().leave(address);
  for (const auto& [address, block] : saved.live) Extents::get().enter(address, block.size);
  live_ = std::move(saved.live);
  saved.offsets.resize(arenas_.size());  // arenas that are new have nothing in them
  for (size_t i = 0; i < arenas_.size(); i++) arenas_[i]->set_offsets(std::move(saved.offsets[i]));
  try {
    const Moment now = order_.add_after_all();
    for (void* address : freed_meanwhile_) (void)free(address, now);
  } catch (const std::bad_alloc&) {
    // They go with the pool.
  }
}

PoolCapture::PoolCapture(std::shared_ptr<GraphPool> pool, Moment begin)
    : pool_(std::move(pool)), nodes_(pool_->order_, begin), before_(pool_->save()) {}

PoolCapture::~PoolCapture() { abandon(); }

Result<void*> PoolCapture::allocate(runtime::Device& device, size_t size,
                                    std::span<graph::Node* const> frontier) {
  const std::lock_guard hold(pool_->mutex_);
  Arena& arena = pool_->arena_on(device);
  XPU_TRY_ASSIGN(void* address, arena.allocate(size, nodes_.behind(frontier), pool_->order_));
  pool_->live_[address] = {size, &arena};
  return address;
}

bool PoolCapture::free(void* address, std::span<graph::Node* const> frontier) {
  const std::lock_guard hold(pool_->mutex_);
  return pool_->live_.contains(address) && pool_->free(address, nodes_.behind(frontier));
}

Result<std::shared_ptr<void>> PoolCapture::commit() {
  const std::lock_guard hold(pool_->mutex_);
  for (const auto& arena : pool_->arenas_) XPU_TRY(arena->back());
  over_ = true;
  pool_->capturing_ = false;
  return std::shared_ptr<void>(pool_);
}

void PoolCapture::abandon() noexcept {
  if (over_) return;
  over_ = true;
  const std::lock_guard hold(pool_->mutex_);
  pool_->restore(std::move(before_));
  pool_->capturing_ = false;
}

}  // namespace xpu::memory
