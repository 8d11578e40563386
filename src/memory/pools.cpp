// SPDX-License-Identifier: Apache-2.0
// Keeps the pools, and finds memory for one at the expense of others.
#include "memory/pools.h"

#include <algorithm>

#include "base/log.h"
#include "runtime/memory.h"

namespace xpu::memory {

using runtime::Device;
using runtime::Stream;

Pools& Pools::get() noexcept {
  static Pools* const instance = new Pools;
  return *instance;
}

Result<Pools::PoolRef> Pools::add(Device& device, size_t max_size) {
  XPU_TRY_ASSIGN(PoolRef pool, StreamPool::make(device, max_size));
  pools_.push_back(pool);
  return pool;
}

Result<Pools::OfDevice*> Pools::of(Device& device) {
  OfDevice& found = devices_[&device];
  if (!found.standard) {
    XPU_TRY_ASSIGN(found.standard, add(device, 0));
    found.current = found.standard;
  }
  return &found;
}

Result<StreamPool*> Pools::default_of(Device& device) {
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(const OfDevice* pools, of(device));
  return pools->standard.get();
}

Result<std::shared_ptr<StreamPool>> Pools::current_of(Device& device) {
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(const OfDevice* pools, of(device));
  return pools->current;
}

Status Pools::set_current(Device& device, StreamPool& pool) {
  if (&pool.device() != &device)
    return invalid_value("the pool is of device " + std::to_string(pool.device().index()) +
                             ", not of device " + std::to_string(device.index()),
                         "memPool");
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(OfDevice * pools, of(device));
  pools->current = pool.shared_from_this();
  return {};
}

Result<StreamPool*> Pools::create(Device& device, size_t max_size) {
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(const PoolRef pool, add(device, max_size));
  return pool.get();
}

Status Pools::destroy(StreamPool& pool) {
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(OfDevice * pools, of(pool.device()));
  if (pools->standard.get() == &pool)
    return invalid_value("a device's default pool cannot be destroyed", "memPool");
  leaving_.reserve(leaving_.size() + 1);
  const auto at = std::find_if(pools_.begin(), pools_.end(),
                               [&](const PoolRef& p) { return p.get() == &pool; });
  if (at == pools_.end() || !HandleTable::drop(HandleType::mempool, pool.handle()))
    return invalid_value("the pool is destroyed already", "memPool");
  if (pools->current.get() == &pool) pools->current = pools->standard;
  pool.change([](StreamPool::Policy& policy) { policy.release_threshold = 0; });
  leaving_.push_back(std::move(*at));
  pools_.erase(at);
  drop_leaving();
  return {};
}

// Under the lock.
void Pools::drop_leaving() noexcept {
  std::erase_if(leaving_, [](const PoolRef& pool) {
    pool->give_back_surplus();
    return pool->is_empty();
  });
  any_leaving_ = !leaving_.empty();
}

// A pool that is at its own limit is no reason to take from others.
void Pools::make_room(StreamPool& pool, size_t size, bool wait) {
  const bool alone = pool.is_capped(size);
  std::vector<PoolRef> all;
  {
    std::lock_guard hold(lock_);
    all = pools_;
    all.insert(all.end(), leaving_.begin(), leaving_.end());
  }
  for (const PoolRef& other : all) {
    if (&other->device() != &pool.device() || (alone && other.get() != &pool)) continue;
    Status status = wait ? other->wait_for_frees() : Status();
    if (status.ok()) status = other->give_back(0, false);
    if (!status.ok()) XPU_LOG(warn, "a pool gives no memory back: %s", status.sentence().c_str());
  }
  if (alone) return;
  if (wait) late_.wait();
  late_.sweep();
}

Result<void*> Pools::allocate(StreamPool& pool, size_t size, Stream& stream) {
  Owners made;
  made.emplace(nullptr, pool.shared_from_this());
  Result<void*> got = pool.allocate(size, stream, false);
  for (const bool wait : {false, true}) {
    if (got.ok() || got.status().code() != xpuErrorMemoryAllocation || !pool.can_hold(size)) break;
    make_room(pool, size, wait);
    got = pool.allocate(size, stream, true);
  }
  if (!got.ok()) return got;
  Owners::node_type owner = made.extract(made.begin());
  owner.key() = got.value();
  std::lock_guard hold(owners_lock_);
  owners_.insert(std::move(owner));
  return got;
}

Pools::Owners::node_type Pools::disown(void* address) {
  std::lock_guard hold(owners_lock_);
  return owners_.extract(address);
}

Status Pools::free(void* address, Stream& stream) {
  // Of two threads that free it, one gets it.
  Owners::node_type owner = disown(address);
  if (owner.empty()) return late_.add(address, stream);
  Status status;
  try {
    status = owner.mapped()->free(address, stream);
  } catch (const std::bad_alloc&) {
    status = Status::error(xpuErrorMemoryAllocation, "the host has no memory left for this call");
  }
  if (!status.ok()) {
    std::lock_guard hold(owners_lock_);
    owners_.insert(std::move(owner));
    return status;
  }
  if (any_leaving_) {
    std::lock_guard hold(lock_);
    drop_leaving();
  }
  return {};
}

Result<bool> Pools::free_after_waiting(void* address, runtime::Memory& memory) {
  {
    std::lock_guard hold(owners_lock_);
    if (!owners_.contains(address)) return false;
  }
  XPU_TRY(memory.wait_for_devices());
  const Owners::node_type owner = disown(address);
  if (owner.empty()) return invalid_value("this memory is freed already", "devPtr");
  owner.mapped()->free_idle(address);
  synchronised();
  return true;
}

void Pools::synchronised() noexcept {
  if (StreamPool::idle_bytes.load(std::memory_order_relaxed) == 0 && late_.empty()) [[likely]]
    return;
  late_.sweep();
  std::lock_guard hold(lock_);
  for (const PoolRef& pool : pools_) pool->give_back_surplus();
  drop_leaving();
}

}  // namespace xpu::memory
