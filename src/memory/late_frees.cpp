// SPDX-License-Identifier: Apache-2.0
// Keeps and frees what streams have freed.
#include "memory/late_frees.h"

#include "base/log.h"
#include "runtime/device.h"

namespace xpu::memory {

Status LateFrees::add(void* address, runtime::Stream& stream) {
  runtime::Memory& memory = stream.device().memory();
  const runtime::Allocation found = memory.find(address);
  if (!found.ours || found.base != address || found.kind == runtime::MemoryKind::host)
    return invalid_value(
        "this is not the start of device memory that can be freed, or it was freed before",
        "devPtr");
  XPU_TRY_ASSIGN(FreedRef freed, Freed::now(stream, std::make_shared<SpareMarks>(stream.device())));
  {
    std::lock_guard hold(lock_);
    list_.reserve(list_.size() + 1);
    XPU_TRY(memory.make_block(address));
    list_.push_back({address, &memory, std::move(freed)});
    count_ = list_.size();
  }
  sweep();
  return {};
}

void LateFrees::wait() {
  std::vector<FreedRef> pending;
  {
    std::lock_guard hold(lock_);
    for (const Late& late : list_) {
      if (late.freed) pending.push_back(late.freed);
    }
  }
  // What cannot be waited for is not over, and stays.
  for (const FreedRef& freed : pending) (void)freed->wait();
}

void LateFrees::sweep() noexcept {
  if (empty()) return;
  std::lock_guard hold(lock_);
  std::erase_if(list_, [&](const Late& late) {
    if (late.freed && !late.freed->is_over()) return false;
    const Status status = late.memory->free_block(late.block);
    if (!status.ok()) XPU_LOG(warn, "freed memory stays for now: %s", status.sentence().c_str());
    return status.ok();
  });
  count_ = list_.size();
}

}  // namespace xpu::memory
