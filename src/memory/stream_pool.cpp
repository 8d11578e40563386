// SPDX-License-Identifier: Apache-2.0
// Allocates from what is free, from the driver, and from what is about to be free, in that order.
#include "memory/stream_pool.h"

#include <algorithm>
#include <string>

#include "base/log.h"
#include "memory/offsets.h"
#include "memory/search.h"
#include "runtime/memory.h"

namespace xpu::memory {
namespace {

// Up to half a block is cut from one; what is larger gets its own. 2 MiB is the page of Intel's
// devices, and what a block costs there in any case.
constexpr size_t kSmallBlock = size_t{2} << 20;
constexpr size_t kLargestSmall = kSmallBlock / 2;
// Their small page.
constexpr size_t kLargeUnit = size_t{64} << 10;

}  // namespace

std::atomic<int64_t> StreamPool::idle_bytes{0};

StreamPool::StreamPool(runtime::Device& device, size_t max_size)
    : device_(device), max_size_(max_size), spare_(std::make_shared<SpareMarks>(device)) {}

Result<std::shared_ptr<StreamPool>> StreamPool::make(runtime::Device& device, size_t max_size) {
  std::shared_ptr<StreamPool> pool(new StreamPool(device, max_size));
  pool->handle_ = OwnedHandle(HandleType::mempool, pool.get());
  if (!pool->handle_.value())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  return pool;
}

StreamPool::~StreamPool() {
  for (const auto& [base, block] : blocks_) {
    for (const auto& [offset, piece] : block->pieces) {
      if (piece.in_use) device_.memory().drop_range(piece.address(), piece.size);
      if (piece.freed) (void)piece.freed->wait();
    }
    if (const Status status = device_.memory().free_block(base); !status.ok())
      XPU_LOG(error, "a block of a pool is lost: %s", status.sentence().c_str());
  }
  idle_bytes -= static_cast<int64_t>(usage_.reserved - usage_.used);
}

Shelf& StreamPool::shelf_for(size_t size) noexcept {
  return size <= kLargestSmall ? small_ : large_;
}

Result<void*> StreamPool::allocate(size_t size, runtime::Stream& stream, bool may_wait) {
  if (size > device_.properties().memory)
    return Status::error(xpuErrorMemoryAllocation,
                         std::to_string(size) + " bytes are more than the device has", "size");
  size = Offsets::rounded(size);
  std::lock_guard hold(lock_);
  XPU_TRY_ASSIGN(const Run run, find(size, stream, may_wait));
  return take(run, size);
}

Result<Run> StreamPool::find(size_t size, runtime::Stream& stream, bool may_wait) {
  Search search(policy_, stream);
  Shelf& shelf = shelf_for(size);
  if (const Run run = search.best(shelf, size)) return run;
  for (const auto& [base, block] : blocks_) {
    if (&block->shelf != &shelf) continue;
    if (const Run run = search.joined(*block, size)) return run;
  }
  Result<Run> fresh = add_block(size);
  if (fresh.ok() || fresh.status().code() != xpuErrorMemoryAllocation || !may_wait) return fresh;
  XPU_TRY_ASSIGN(const Run late, find_by_waiting(size, search, stream));
  return late ? Result<Run>(late) : std::move(fresh);
}

// Under want of memory it does not matter any more whose block it is.
Result<Run> StreamPool::find_by_waiting(size_t size, Search& search, runtime::Stream& stream) {
  for (const Shelf* shelf : {&small_, &large_}) {
    if (const Run run = search.best(*shelf, size)) return run;
  }
  if (!policy_.add_dependencies) return Run();
  for (const Shelf* shelf : {&small_, &large_}) {
    const Run run = Search::any(*shelf, size);
    if (!run) continue;
    XPU_TRY(run.first->freed->wait_in(stream));
    return run;
  }
  return Run();
}

size_t StreamPool::block_size(size_t size) const noexcept {
  const size_t unit = size <= kLargestSmall ? kSmallBlock : kLargeUnit;
  const size_t wanted = (size + unit - 1) / unit * unit;
  if (!max_size_) return wanted;
  const size_t room = max_size_ > usage_.reserved ? max_size_ - usage_.reserved : 0;
  return std::min(wanted, room / Offsets::kGranule * Offsets::kGranule);
}

bool StreamPool::can_hold(size_t size) const noexcept {
  if (size > device_.properties().memory) return false;
  return !max_size_ || Offsets::rounded(size) <= max_size_;
}

bool StreamPool::is_capped(size_t size) const {
  std::lock_guard hold(lock_);
  return block_size(Offsets::rounded(size)) < size;
}

Result<Run> StreamPool::add_block(size_t size) {
  const size_t bytes = block_size(size);
  if (bytes < size)
    return Status::error(xpuErrorMemoryAllocation,
                         "no room for " + std::to_string(size) + " bytes: the pool may hold " +
                             std::to_string(max_size_) + " and holds " +
                             std::to_string(usage_.reserved),
                         "size");
  // What needs host memory comes first, so that no block is lost.
  Blocks made;
  made.emplace(nullptr, std::make_unique<Block>(bytes, shelf_for(size)));
  Blocks::node_type node = made.extract(made.begin());
  Block& block = *node.mapped();
  XPU_TRY_ASSIGN(void* base, device_.memory().allocate_block(device_, bytes));
  block.base = static_cast<std::byte*>(base);
  node.key() = block.base;
  blocks_.insert(std::move(node));
  Piece& whole = block.pieces.begin()->second;
  block.shelve(whole);
  count(static_cast<int64_t>(bytes), 0);
  return Run{&whole, &whole, bytes};
}

void* StreamPool::take(const Run& run, size_t size) {
  Block& block = *run.first->block;
  auto spare = run.size > size ? Block::spare_piece() : Block::Pieces::node_type();
  device_.memory().enter_range(run.first->address(), size, device_.index());
  // From here on nothing can fail.
  Piece& piece = block.take(run, size, std::move(spare));
  piece.in_use = true;
  piece.freed.reset();
  count(0, static_cast<int64_t>(size));
  return piece.address();
}

Piece& StreamPool::in_use(void* address) noexcept {
  auto* const at = static_cast<std::byte*>(address);
  Block& block = *std::prev(blocks_.upper_bound(at))->second;
  return block.pieces.find(static_cast<size_t>(at - block.base))->second;
}

void StreamPool::put(Piece& piece, FreedRef freed) noexcept {
  device_.memory().drop_range(piece.address(), piece.size);
  piece.in_use = false;
  piece.freed = std::move(freed);
  count(0, -static_cast<int64_t>(piece.size));
  piece.block->settle(piece);
}

Status StreamPool::free(void* address, runtime::Stream& stream) {
  std::lock_guard hold(lock_);
  if (!last_ || !last_->is_now(stream)) {
    XPU_TRY_ASSIGN(last_, Freed::now(stream, spare_));
  }
  put(in_use(address), last_);
  return {};
}

void StreamPool::free_idle(void* address) noexcept {
  std::lock_guard hold(lock_);
  put(in_use(address), nullptr);
}

void StreamPool::count(int64_t reserved, int64_t used) noexcept {
  usage_.reserved += static_cast<size_t>(reserved);
  usage_.used += static_cast<size_t>(used);
  usage_.reserved_high = std::max(usage_.reserved_high, usage_.reserved);
  usage_.used_high = std::max(usage_.used_high, usage_.used);
  idle_bytes.fetch_add(reserved - used, std::memory_order_relaxed);
}

// What is known to be over is anybody's, and joins its neighbours.
void StreamPool::settle() {
  Asking asking;
  last_.reset();
  for (const auto& [base, block] : blocks_) {
    for (Piece* p = &block->pieces.begin()->second; p; p = block->next(*p)) {
      if (p->in_use || !p->freed || !asking.is_over(*p->freed)) continue;
      block->unshelve(*p);
      p->freed.reset();
      p = &block->settle(*p);
    }
  }
}

Status StreamPool::give_back(size_t keep, bool at_least) {
  std::lock_guard hold(lock_);
  settle();
  for (auto at = blocks_.begin(); at != blocks_.end() && usage_.reserved > keep;) {
    const auto here = at++;
    Block& block = *here->second;
    if (!block.is_free() || block.pieces.begin()->second.freed) continue;
    if (at_least && usage_.reserved - block.size < keep) continue;
    XPU_TRY(device_.memory().free_block(block.base));
    block.unshelve(block.pieces.begin()->second);
    count(-static_cast<int64_t>(block.size), 0);
    blocks_.erase(here);
  }
  return {};
}

void StreamPool::give_back_surplus() noexcept {
  size_t threshold = 0;
  {
    std::lock_guard hold(lock_);
    // Whoever may ask whether a free is over needs nothing settled.
    const bool surplus = usage_.reserved > policy_.release_threshold;
    if (usage_.reserved == usage_.used || (!surplus && policy_.opportunistic)) return;
    threshold = policy_.release_threshold;
  }
  try {
    if (const Status status = give_back(threshold, false); !status.ok())
      XPU_LOG(warn, "a pool keeps what it does not need: %s", status.sentence().c_str());
  } catch (const std::bad_alloc&) {
    XPU_LOG(warn, "no host memory to look for what a pool does not need");
  }
}

Status StreamPool::wait_for_frees() {
  std::vector<FreedRef> pending;
  {
    std::lock_guard hold(lock_);
    for (const auto& [base, block] : blocks_) {
      for (const auto& [offset, piece] : block->pieces) {
        if (piece.freed) pending.push_back(piece.freed);
      }
    }
  }
  for (const FreedRef& freed : pending) XPU_TRY(freed->wait());
  return {};
}

bool StreamPool::is_empty() const {
  std::lock_guard hold(lock_);
  return blocks_.empty();
}

StreamPool::Policy StreamPool::policy() const {
  std::lock_guard hold(lock_);
  return policy_;
}

StreamPool::Usage StreamPool::usage() const {
  std::lock_guard hold(lock_);
  return usage_;
}
void StreamPool::forget_reserved_high() {
  std::lock_guard hold(lock_);
  usage_.reserved_high = usage_.reserved;
}
void StreamPool::forget_used_high() {
  std::lock_guard hold(lock_);
  usage_.used_high = usage_.used;
}

bool StreamPool::grants(int device) const {
  std::lock_guard hold(lock_);
  return device == device_.index() ||
         std::find(granted_.begin(), granted_.end(), device) != granted_.end();
}
void StreamPool::grant(int device, bool access) {
  std::lock_guard hold(lock_);
  std::erase(granted_, device);
  if (access) granted_.push_back(device);
}

}  // namespace xpu::memory
