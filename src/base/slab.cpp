// SPDX-License-Identifier: Apache-2.0
// Chunks that count what is in them.
#include "base/slab.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace xpu {

// Sanitizers are to see each object.
#if defined(__SANITIZE_ADDRESS__)
void* slab_allocate(size_t size) { return ::operator new(size); }
void slab_free(void* at) noexcept { ::operator delete(at); }
#else
namespace {

constexpr size_t kChunk = 16 * 1024;  // and its alignment: an object finds its chunk by its address
constexpr size_t kAlign = 16;

struct alignas(kAlign) Chunk {
  std::atomic<int64_t> alive;
  // While a thread hands a chunk out, it counts by itself, and the chunk counts so many more.
  static constexpr int64_t kOpen = int64_t{1} << 40;
};

Chunk* new_chunk(size_t bytes) {
  void* at = std::aligned_alloc(kChunk, (bytes + kChunk - 1) / kChunk * kChunk);
  if (!at) throw std::bad_alloc();
  return new (at) Chunk{Chunk::kOpen};
}

// `fewer` of its objects are gone, or were never made.
void give_back(Chunk* chunk, int64_t fewer) noexcept {
  if (chunk->alive.fetch_sub(fewer, std::memory_order_acq_rel) == fewer) std::free(chunk);
}

// The chunk that a thread hands out. "initial-exec" and nothing to destroy make reaching it one
// instruction; it takes 24 bytes of the thread memory that the loader keeps for late libraries.
struct Current {
  Chunk* chunk;
  size_t left;
  int64_t given;
};
[[gnu::tls_model("initial-exec")]] thread_local constinit Current current = {nullptr, 0, 0};

void close_current() noexcept {
  if (current.chunk) give_back(current.chunk, Chunk::kOpen - current.given);
  current = {nullptr, 0, 0};
}

void* at_offset(Chunk* chunk, size_t offset) noexcept {
  return reinterpret_cast<std::byte*>(chunk) + offset;
}

void* allocate_slowly(size_t size) {
  if (size > kChunk / 8) {
    Chunk* const own = new_chunk(sizeof(Chunk) + size);
    give_back(own, Chunk::kOpen - 1);
    return at_offset(own, sizeof(Chunk));
  }
  static thread_local struct AtExit {
    ~AtExit() { close_current(); }
  } at_exit;
  (void)at_exit;
  Chunk* const next = new_chunk(kChunk);
  close_current();
  current = {next, kChunk - sizeof(Chunk) - size, 1};
  return at_offset(next, sizeof(Chunk));
}

}  // namespace

void* slab_allocate(size_t size) {
  size = (size + kAlign - 1) / kAlign * kAlign;
  if (size > current.left) [[unlikely]]
    return allocate_slowly(size);
  void* const at = at_offset(current.chunk, kChunk - current.left);
  current.left -= size;
  current.given++;
  return at;
}

void slab_free(void* at) noexcept {
  if (!at) return;
  give_back(reinterpret_cast<Chunk*>(reinterpret_cast<uintptr_t>(at) & ~(kChunk - 1)), 1);
}
#endif

}  // namespace xpu
