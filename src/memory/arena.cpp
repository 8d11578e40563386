// SPDX-License-Identifier: Apache-2.0
// Ranges and the offsets in them.
#include "memory/arena.h"

#include <algorithm>
#include <string>

#include "memory/extents.h"
#include "runtime/memory.h"

namespace xpu::memory {
namespace {

// Addresses cost nothing where memory is mapped later: the first range is large enough for nearly
// every graph, each further one four times as large, and thousands of graphs fit side by side.
constexpr size_t kFirstAddresses = size_t{1} << 30;
// Where it is not, a range is memory: small, and each as large as all before it.
constexpr size_t kFirstMemory = size_t{2} << 20;

}  // namespace

Arena::~Arena() { keep_parts(0); }

void Arena::keep_parts(size_t count) noexcept {
  while (parts_.size() > count) {
    std::shared_ptr<ze::AddressRange> range = std::move(parts_.back().range);
    parts_.pop_back();
    Extents::get().close(range->base(), range->size());
    device_.memory().drop_range(range->base(), range->size());
    device_.marks().hold(std::move(range));
  }
}

Result<Arena::Part*> Arena::add_part(size_t size) {
  const bool can_map = device_.can_map();
  size_t addresses = can_map ? kFirstAddresses : kFirstMemory;
  for (const Part& part : parts_) {
    addresses = can_map ? part.range->size() * 4 : std::max(addresses, part.range->size() * 2);
  }
  XPU_TRY_ASSIGN(std::shared_ptr<ze::AddressRange> range,
                 ze::AddressRange::make(device_.ze(), std::max(addresses, size), can_map));
  parts_.reserve(parts_.size() + 1);
  Extents::get().open(range->base(), range->size());
  device_.memory().enter_range(range->base(), range->size(), device_.index());
  parts_.push_back({range, Offsets(range->size())});
  return &parts_.back();
}

Result<void*> Arena::allocate(size_t size, Moment then, const Order& order) {
  XPU_TRY_ASSIGN(void* address, place(size, then, order));
  Extents::get().enter(address, size);
  return address;
}

Result<void*> Arena::place(size_t size, Moment then, const Order& order) {
  if (size > device_.properties().memory)
    return Status::error(xpuErrorMemoryAllocation,
                         std::to_string(size) + " bytes are more than the device has", "bytesize");
  for (Part& part : parts_) {
    const size_t offset = part.offsets.allocate(size, then, order);
    if (offset != Offsets::kNoRoom) return static_cast<void*>(part.range->base() + offset);
  }
  XPU_TRY_ASSIGN(Part * part, add_part(Offsets::rounded(size)));
  return static_cast<void*>(part->range->base() + part->offsets.allocate(size, then, order));
}

void Arena::release(void* address, size_t size, Moment freed) {
  auto* const at = static_cast<std::byte*>(address);
  for (Part& part : parts_) {
    std::byte* const base = part.range->base();
    if (at < base || at >= base + part.range->size()) continue;
    part.offsets.release(static_cast<size_t>(at - base), size, freed);
    return;
  }
}

void Arena::settle(Moment moment) {
  for (Part& part : parts_) part.offsets.settle(moment);
}

Status Arena::back() {
  std::vector<size_t> before;
  for (const Part& part : parts_) before.push_back(part.range->backed());
  for (const Part& part : parts_) {
    Status status = part.range->back(part.offsets.peak());
    if (status.ok()) continue;
    for (size_t i = 0; i < parts_.size(); i++) parts_[i].range->unback_beyond(before[i]);
    return status;
  }
  return {};
}

void Arena::unback() noexcept {
  for (Part& part : parts_) part.range->unback();
}

std::vector<Offsets> Arena::offsets() const {
  std::vector<Offsets> all;
  for (const Part& part : parts_) all.push_back(part.offsets);
  return all;
}

void Arena::set_offsets(std::vector<Offsets> saved) noexcept {
  keep_parts(saved.size());
  for (size_t i = 0; i < parts_.size(); i++) {
    parts_[i].offsets = std::move(saved[i]);
    parts_[i].range->unback_beyond(parts_[i].range->rounded(parts_[i].offsets.peak()));
  }
}

size_t Arena::peak() const noexcept {
  size_t sum = 0;
  for (const Part& part : parts_) sum += part.offsets.peak();
  return sum;
}
std::vector<size_t> Arena::peaks() const {
  std::vector<size_t> all;
  for (const Part& part : parts_) all.push_back(part.offsets.peak());
  return all;
}

Arena::Place Arena::place_of(const void* address) const noexcept {
  const auto* const at = static_cast<const std::byte*>(address);
  for (size_t i = 0; i < parts_.size(); i++) {
    const std::byte* const base = parts_[i].range->base();
    if (at >= base && at < base + parts_[i].range->size())
      return {static_cast<uint32_t>(i), static_cast<size_t>(at - base)};
  }
  return {};
}

size_t Arena::backed() const noexcept {
  size_t sum = 0;
  for (const Part& part : parts_) sum += part.range->backed();
  return sum;
}
size_t Arena::wanted() const noexcept {
  size_t sum = 0;
  for (const Part& part : parts_) sum += part.range->rounded(part.offsets.peak());
  return sum;
}

}  // namespace xpu::memory
