// SPDX-License-Identifier: Apache-2.0
// Private pools by number.
#include "pool.h"

#include <map>
#include <mutex>

#include <c10/util/Exception.h>

#include "host_memory.h"
#include "status.h"

namespace xpugraph_torch {
namespace {

struct Pools {
  std::mutex mutex;
  std::map<c10::MempoolId_t, std::weak_ptr<PoolHold>> held;
};

Pools& pools() {
  static auto* all = new Pools;
  return *all;
}

}  // namespace

std::shared_ptr<PoolHold> PoolHold::create() {
  xpuGraphPool pool = {};
  check(xpuGraphPoolCreate(&pool));
  auto hold = std::make_shared<PoolHold>(pool);
  std::lock_guard lock(pools().mutex);
  pools().held[hold->id()] = hold;
  return hold;
}

std::shared_ptr<PoolHold> PoolHold::find(c10::MempoolId_t id) {
  std::lock_guard lock(pools().mutex);
  auto found = pools().held.find(id);
  std::shared_ptr<PoolHold> hold = found == pools().held.end() ? nullptr : found->second.lock();
  TORCH_CHECK(hold, "there is no memory pool (", id.first, ", ", id.second,
              "): pass what "
              "graph_pool_handle() returned, or the pool() of a graph that is still there");
  return hold;
}

PoolHold::~PoolHold() {
  {
    std::lock_guard lock(pools().mutex);
    pools().held.erase(id());
  }
  if (holds_pinned_) host_memory().release_pool(id());
  xpuGraphPoolRelease(pool_);
}

void PoolHold::begin_pinned(std::function<bool(c10::Stream)> is_of_capture) {
  host_memory().begin_allocate_to_pool(id(), std::move(is_of_capture));
}

void PoolHold::end_pinned() {
  host_memory().end_allocate_to_pool(id());
  if (std::exchange(holds_pinned_, true)) host_memory().release_pool(id());
}

xpuGraphPoolUsage usage_of(xpuGraphPool pool) {
  xpuGraphPoolUsage usage = {};
  usage.struct_size = sizeof usage;
  check(xpuGraphPoolGetUsage(pool, &usage));
  return usage;
}

std::vector<std::shared_ptr<PoolHold>> held_pools() {
  std::vector<std::shared_ptr<PoolHold>> held;
  std::lock_guard lock(pools().mutex);
  for (auto& entry : pools().held) {
    if (auto hold = entry.second.lock()) held.push_back(std::move(hold));
  }
  return held;
}

}  // namespace xpugraph_torch
