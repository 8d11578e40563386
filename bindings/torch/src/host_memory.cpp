// SPDX-License-Identifier: Apache-2.0
// What PyTorch's cache of pinned memory needs of a backend.
#include "host_memory.h"

#include <xpugraph/memory.h>

#include "device.h"
#include "event.h"
#include "recording.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

using PinnedBlock = at::HostBlock<c10::Stream>;

/// A mark in a stream; while the stream is captured it cannot be set, and counts as not reached.
struct PinnedEvent {
  c10::Stream stream;
  std::unique_ptr<Event> mark;
};

class PinnedCache final : public at::CachingHostAllocatorImpl<c10::Stream, PinnedEvent> {
 public:
  void copy_data(void* target, const void* source, size_t bytes) const override {
    std::memcpy(target, source, bytes);
  }

 private:
  void allocate_host_memory(size_t bytes, void** address) override {
    check(xpuMallocHost(address, bytes));
  }
  void free_block(PinnedBlock* block) override { check(xpuFreeHost(block->ptr_)); }
  void record_stream(std::optional<std::vector<PinnedEvent>>& events, c10::Stream stream) override {
    events->push_back({stream, nullptr});
    query_event(events->back());
  }
  bool query_event(PinnedEvent& event) override {
    if (!event.mark) {
      if (is_captured(event.stream)) return false;
      event.mark = std::make_unique<Event>(event.stream.device_index(), false);
      event.mark->record(event.stream);
    }
    return event.mark->is_over();
  }
  c10::Stream get_current_stream() const override { return current_stream(); }
  bool stream_is_capturing(c10::Stream stream) const override { return is_captured(stream); }
};

void free_pinned(void* context);

class PinnedMemory final : public at::CachingHostAllocatorInterface<PinnedCache, free_pinned> {};

PinnedMemory& pinned() {
  static auto* memory = new PinnedMemory;
  return *memory;
}

void free_pinned(void* context) { pinned().free(context); }

}  // namespace

at::HostAllocator& host_memory() { return pinned(); }

bool is_pinned(const void* address) {
  if (device_count() == 0) return false;
  xpuPointerAttributes attributes = {};
  attributes.struct_size = sizeof attributes;
  return xpuPointerGetAttributes(&attributes, address) == xpuSuccess &&
         attributes.type == xpuMemoryTypeHost;
}

}  // namespace xpugraph_torch
