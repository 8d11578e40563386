// SPDX-License-Identifier: Apache-2.0
// Random calls about memory: made, freed, copied, filled.
#include <iterator>

#include "fuzz/program.h"

namespace fuzz {
namespace {

// A program must not hold more than a few; what is freed cannot be told from its own memory.
constexpr size_t kMost = 8;

template <bool kHost>
xpuError_t allocate(World& world, Bytes& in) {
  void* address = kUntouched;
  const size_t size = in.size(255);
  const xpuError_t answer = kHost ? xpuMallocHost(&address, size) : xpuMalloc(&address, size);
  must_hold(answer == xpuSuccess || address == kUntouched, "a failed call writes nothing");
  if (answer != xpuSuccess || !address) return answer;
  if (world.memories.size() < kMost) {
    world.memories.push_back({address, size, kHost});
  } else {
    must(kHost ? xpuFreeHost(address) : xpuFree(address));
  }
  return answer;
}

// In the order of a stream, and back at once: what is allocated so may end before the program
// knows.
xpuError_t allocate_async(World& world, Bytes& in) {
  void* address = kUntouched;
  const xpuStream_t stream = world.stream(in);
  const xpuError_t answer = xpuMallocAsync(&address, in.size(255), stream);
  if (answer == xpuSuccess && address) {
    if (in.pick(4)) (void)xpuMemsetAsync(address, in.byte(), 1, stream);
    (void)xpuFreeAsync(address, stream);
    (void)xpuGetLastError();
  }
  return answer;
}

xpuError_t free_it(World& world, Bytes& in) {
  const uint8_t how = in.byte();
  if (how == 255) return xpuFree(kUntouched);
  if (how == 254) return xpuFree(nullptr);
  const Memory memory = world.memory(in);
  if (world.memories.size() <= 2) return xpuFree(kUntouched);
  const xpuError_t answer = xpuFree(memory.address);
  if (answer == xpuSuccess) world.forget(memory.address);
  return answer;
}

xpuError_t copy(World& world, Bytes& in) {
  const Memory &target = world.memory(in), &source = world.memory(in);
  return xpuMemcpyAsync(static_cast<char*>(target.address) + in.pick(target.size),
                        static_cast<char*>(source.address) + in.pick(source.size), in.size(255),
                        xpuMemcpyDefault, world.stream(in));
}

xpuError_t copy_rows(World& world, Bytes& in) {
  const Memory &target = world.memory(in), &source = world.memory(in);
  return xpuMemcpy2DAsync(target.address, in.size(64), source.address, in.size(64), in.size(32),
                          in.size(8), xpuMemcpyDefault, world.stream(in));
}

xpuError_t fill(World& world, Bytes& in) {
  const Memory& memory = world.memory(in);
  return xpuMemsetAsync(static_cast<char*>(memory.address) + in.pick(memory.size), in.byte(),
                        in.size(255), world.stream(in));
}

xpuError_t trim(World&, Bytes& in) { return xpuDeviceGraphMemTrim(in.pick(3)); }

constexpr Call kCalls[] = {
    {"xpuMalloc", allocate<false>},     {"xpuMallocHost", allocate<true>},
    {"xpuMallocAsync", allocate_async}, {"xpuFree", free_it},
    {"xpuMemcpyAsync", copy},           {"xpuMemcpy2DAsync", copy_rows},
    {"xpuMemsetAsync", fill},           {"xpuDeviceGraphMemTrim", trim},
};

}  // namespace

Calls memory_calls() { return {kCalls, std::size(kCalls)}; }

}  // namespace fuzz
