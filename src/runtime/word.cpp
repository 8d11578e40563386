// SPDX-License-Identifier: Apache-2.0
// Hands out words from blocks of host memory.
#include "runtime/word.h"

#include <cstring>
#include <mutex>

#include "base/log.h"
#include "runtime/device.h"

namespace xpu::runtime {
namespace {

// A driver's smallest allocation is a page or more. Each word has a cache line to itself: several
// graphs poll theirs at the same time.
constexpr size_t kBlock = 4096, kLine = 64;

// Lives as long as any of its words, which are not used a second time.
struct WordBlock {
  const ze::Table& table;
  const ze_context_handle_t context;
  std::byte* base = nullptr;
  size_t used = 0;

  WordBlock(const ze::Table& of, ze_context_handle_t in) noexcept : table(of), context(in) {}
  WordBlock(const WordBlock&) = delete;
  WordBlock& operator=(const WordBlock&) = delete;
  ~WordBlock() {
    if (!base) return;
    const ze_result_t result = table.MemFree(context, base);
    if (result != ZE_RESULT_SUCCESS)
      XPU_LOG(error, "freeing words at %p: %s", static_cast<void*>(base), ze::result_name(result));
  }
};

struct Current {
  std::mutex mutex;  // guards block, and what is used of it
  std::weak_ptr<WordBlock> block;
};

Current& current() noexcept {
  static Current* const instance = new Current;
  return *instance;
}

Result<std::shared_ptr<WordBlock>> make_block(const ze::Device& device) {
  auto block = std::make_shared<WordBlock>(device.table(), device.context());
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* base = nullptr;
  ZE_TRY(device.table(), MemAllocHost, device.context(), &desc, kBlock, kLine, &base);
  block->base = static_cast<std::byte*>(base);
  std::memset(base, 0, kBlock);
  return block;
}

}  // namespace

Result<std::shared_ptr<uint32_t>> make_word(const Device& device) {
  Current& c = current();
  const std::lock_guard hold(c.mutex);
  std::shared_ptr<WordBlock> block = c.block.lock();
  if (!block || block->used == kBlock || block->context != device.ze().context()) {
    XPU_TRY_ASSIGN(block, make_block(device.ze()));
    c.block = block;
  }
  auto* const word = reinterpret_cast<uint32_t*>(block->base + block->used);
  block->used += kLine;
  return std::shared_ptr<uint32_t>(std::move(block), word);
}

}  // namespace xpu::runtime
