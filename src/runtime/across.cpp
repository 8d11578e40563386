// SPDX-License-Identifier: Apache-2.0
// Hands work over to a queue of another device and back.
#include "runtime/across.h"

#include <memory>

#include "base/log.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace xpu::runtime {
namespace {

// The steps of a piece of work that leaves the stream: each waits for the one before, the first for
// the stream, and the stream for the last.
class Detour {
 public:
  explicit Detour(Stream& stream) noexcept : stream_(stream) {}

  Status begin() {
    XPU_TRY_ASSIGN(last_, stream_.device().marks().make(false));
    return stream_.signal(*last_);
  }
  // Append appends one piece with the Sync that it is given.
  template <class Append>
  Status step(Device& device, Append&& append) {
    XPU_TRY_ASSIGN(Queue* const queue, device.lanes().compute(0));
    XPU_TRY_ASSIGN(MarkRef done, device.marks().make(false));
    const ze_event_handle_t before = last_->event();
    XPU_TRY(queue->submit([&](ze::List& list) {
      return append(list, ze::Sync{done->event(), {&before, 1}});
    }));
    last_ = std::move(done);
    return Status();
  }
  Status end() { return stream_.wait(*last_); }

 private:
  Stream& stream_;
  MarkRef last_;
};

// The device that has the memory; nullptr for memory that all reach.
Device* owner(const Stream& stream, const void* pointer) {
  const Memory& memory = stream.device().memory();
  const Allocation at = memory.find(pointer);
  return at.kind == MemoryKind::device ? memory.device(at.device) : nullptr;
}

Result<bool> reaches(const Stream& stream, const Device* owner) {
  if (!owner || owner == &stream.device()) return true;
  return stream.device().can_reach(*owner);
}

Result<std::shared_ptr<void>> host_block(const ze::Device& device, size_t size) {
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* block = nullptr;
  constexpr size_t kAlignment = 64;
  ZE_TRY(device.table(), MemAllocHost, device.context(), &desc, size, kAlignment, &block);
  return std::shared_ptr<void>(block, [&device](void* at) {
    const ze_result_t result = device.table().MemFree(device.context(), at);
    if (result != ZE_RESULT_SUCCESS)
      XPU_LOG(error, "freeing what a copy went through: %s", ze::result_name(result));
  });
}

// Neither device reaches the other.
Status copy_by_way_of_host(Detour& detour, const ze::Copy& copy, Device& dst, Device& src) {
  const size_t bytes = copy.width * copy.height * copy.depth;
  XPU_TRY_ASSIGN(std::shared_ptr<void> block, host_block(src.ze(), bytes));
  ze::Copy out = copy, in = copy;
  out.dst = block.get();
  in.src = block.get();
  out.dst_pitch = in.src_pitch = copy.width;
  out.dst_slice = in.src_slice = copy.width * copy.height;
  Status status =
      detour.step(src, [&](ze::List& list, ze::Sync sync) { return list.copy(out, sync); });
  if (status.ok())
    status = detour.step(dst, [&](ze::List& list, ze::Sync sync) { return list.copy(in, sync); });
  dst.keep_while_running(std::move(block));
  return status;
}

// One of them has the memory that the stream's device does not reach.
Status copy_by_others(Stream& stream, const ze::Copy& copy, Device* dst, Device* src) {
  Detour detour(stream);
  XPU_TRY(detour.begin());
  const auto by = [&](Device& device) {
    return detour.step(device,
                       [&](ze::List& list, ze::Sync sync) { return list.copy(copy, sync); });
  };
  if (!src || !dst || src == dst) {
    XPU_TRY(by(dst ? *dst : *src));
    return detour.end();
  }
  XPU_TRY_ASSIGN(const bool writes, src->can_reach(*dst));
  XPU_TRY_ASSIGN(const bool reads, dst->can_reach(*src));
  if (writes || reads)
    XPU_TRY(by(writes ? *src : *dst));
  else
    XPU_TRY(copy_by_way_of_host(detour, copy, *dst, *src));
  return detour.end();
}

}  // namespace

Result<bool> copied_across(Stream& stream, const ze::Copy& copy) {
  if (!stream.device().memory().has_several_devices()) return false;
  if (!copy.width || !copy.height || !copy.depth) return false;
  Device *const dst = owner(stream, copy.dst), *const src = owner(stream, copy.src);
  XPU_TRY_ASSIGN(const bool writes, reaches(stream, dst));
  XPU_TRY_ASSIGN(const bool reads, reaches(stream, src));
  if (writes && reads) return false;
  XPU_TRY(copy_by_others(stream, copy, dst, src));
  return true;
}

Result<bool> filled_across(Stream& stream, const ze::Fill& fill) {
  if (!stream.device().memory().has_several_devices()) return false;
  if (!fill.width || !fill.height) return false;
  Device* const dst = owner(stream, fill.dst);
  XPU_TRY_ASSIGN(const bool writes, reaches(stream, dst));
  if (writes) return false;
  Detour detour(stream);
  XPU_TRY(detour.begin());
  XPU_TRY(detour.step(*dst, [&](ze::List& list, ze::Sync sync) { return list.fill(fill, sync); }));
  XPU_TRY(detour.end());
  return true;
}

}  // namespace xpu::runtime
