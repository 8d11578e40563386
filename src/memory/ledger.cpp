// SPDX-License-Identifier: Apache-2.0
// Finding, freeing and counting allocations of graphs.
#include "memory/ledger.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "memory/graph_memory.h"

namespace xpu::memory {

// Never destroyed: allocations may live until the process ends.
Ledger& Ledger::get() noexcept {
  static Ledger* const only = new Ledger;
  return *only;
}

Allocation* Ledger::find(const void* address) const noexcept {
  const auto at = open_.find(address);
  return at == open_.end() ? nullptr : at->second;
}

Allocation* Ledger::find_around(const void* address) const noexcept {
  const auto next = open_.upper_bound(address);
  if (next == open_.begin()) return nullptr;
  Allocation* const before = std::prev(next)->second;
  const auto offset =
      static_cast<const std::byte*>(address) - static_cast<const std::byte*>(before->address);
  return static_cast<size_t>(offset) < before->size ? before : nullptr;
}

void Ledger::shut(const Allocation& allocation) noexcept {
  const auto at = open_.find(allocation.address);
  if (at != open_.end() && at->second == &allocation) open_.erase(at);
}

void Ledger::count(int device, ptrdiff_t used, ptrdiff_t reserved) noexcept {
  Usage& u = usage_[device];
  u.used += static_cast<size_t>(used);
  u.reserved += static_cast<size_t>(reserved);
  u.used_high = std::max(u.used_high, u.used);
  u.reserved_high = std::max(u.reserved_high, u.reserved);
}

Result<bool> free_from_outside(void* address, const runtime::Stream* stream) {
  std::shared_ptr<GraphMemory> last;  // goes after the lock
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  Allocation* const allocation = ledger.find(address);
  if (!allocation) return false;
  if (!allocation->live)
    return invalid_value(
        "this memory belongs to the graph whose node " + std::to_string(allocation->node) +
            " allocates it, and it is not allocated: the graph has not been launched, or it was "
            "freed since",
        "devPtr");
  if (stream) {
    allocation->of->make_room_for_use();
    allocation->of->used_in(*stream);
  }
  allocation->freed_elsewhere = true;
  last = allocation->of->ended(*allocation);
  return true;
}

bool is_graph_allocation(const void* address) {
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  return ledger.find(address) != nullptr;
}

void trim(const runtime::Device& device) {
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  for (GraphMemory* memory : ledger.all()) memory->trim(device);
}

}  // namespace xpu::memory
