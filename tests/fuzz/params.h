// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes, chosen by bytes: mostly right, over memory that lives.
#pragma once

#include <atomic>
#include <type_traits>

#include "fuzz/world.h"

namespace fuzz {

inline std::atomic<int> host_calls;
inline void count_call(void*) { host_calls++; }

// Arguments of any of the kernels: an address that lives, and small numbers.
struct KernelNode {
  void* address;
  int numbers[3];
  void* args[5];
  xpuKernelNodeParams params;

  KernelNode(World& world, Bytes& in) : numbers{1, 2, 3}, params{} {
    address = world.memory(in).address;
    args[0] = &address;
    for (int i = 0; i < 3; i++) args[i + 1] = &numbers[i];
    args[4] = nullptr;
    numbers[0] = static_cast<int>(in.pick(60));
    // Never more than there is: what a program says of its own memory is believed.
    params.struct_size = in.pick(32) ? sizeof params : in.pick(sizeof params);
    params.func = world.kernel(in);
    params.gridDim = {in.pick(32) ? 1 : in.pick(3), 1, 1};
    params.blockDim = {in.pick(32) ? 4 : in.byte() * 16U, 1, 1};
    params.kernelParams = in.pick(32) ? args : nullptr;
  }
};

inline xpuMemsetParams fill(World& world, Bytes& in) {
  const Memory& memory = world.memory(in);
  xpuMemsetParams params = {};
  params.struct_size = sizeof params;
  params.dst = static_cast<char*>(memory.address) + in.pick(memory.size);
  params.value = in.byte();
  params.elementSize = 1U << in.pick(4);
  params.width = in.size(64);
  params.height = in.pick(8) ? 1 : in.size(8);
  params.pitch = in.pick(8) ? params.width * params.elementSize : in.size(64);
  return params;
}

struct CopyOf {
  void* to;
  const void* from;
  size_t size;
  xpuMemcpyKind kind;
  CopyOf(World& world, Bytes& in) {
    const Memory &target = world.memory(in), &source = world.memory(in);
    to = static_cast<char*>(target.address) + in.pick(target.size);
    from = static_cast<char*>(source.address) + in.pick(source.size);
    size = in.size(128);
    kind = static_cast<xpuMemcpyKind>(in.pick(8) ? 4 : in.pick(8));
  }
};

inline xpuMemcpy3DParms block(World& world, Bytes& in) {
  const Memory &target = world.memory(in), &source = world.memory(in);
  xpuMemcpy3DParms params = {};
  params.struct_size = sizeof params;
  params.srcPtr = {source.address, in.size(32), 16, 4};
  params.dstPtr = {target.address, in.size(32), 16, 4};
  params.srcPos = {in.size(4), in.size(4), 0};
  params.extent = {in.size(16), in.size(4), 1};
  params.kind = xpuMemcpyDefault;
  return params;
}

// Up to two semaphores. Waits are for 0, which every timeline has from the beginning.
template <class Params, class One>
struct SemaphoreNode {
  xpuExternalSemaphore_t handles[2];
  One values[2] = {};
  Params params = {};

  SemaphoreNode(World& world, Bytes& in) : handles{world.semaphore(in), world.semaphore(in)} {
    values[0].params.fence.value =
        std::is_same_v<One, xpuExternalSemaphoreSignalParams> * in.byte();
    values[1].flags = in.pick(16) ? 0 : in.byte();
    params.struct_size = in.pick(32) ? sizeof params : in.pick(sizeof params);
    params.numExtSems = in.pick(16) ? 1 + in.pick(2) : 0;
    params.extSemArray = in.pick(32) ? handles : nullptr;
    params.paramsArray = in.pick(32) ? values : nullptr;
  }
};
using SignalNode =
    SemaphoreNode<xpuExternalSemaphoreSignalNodeParams, xpuExternalSemaphoreSignalParams>;
using WaitNode = SemaphoreNode<xpuExternalSemaphoreWaitNodeParams, xpuExternalSemaphoreWaitParams>;

// Up to two operations. Waits are for 0 or more, which any value is.
struct BatchNode {
  xpuStreamBatchMemOpParams operations[2] = {};
  xpuBatchMemOpNodeParams params = {};

  BatchNode(World& world, Bytes& in) {
    for (xpuStreamBatchMemOpParams& one : operations) {
      const Memory& memory = world.memory(in);
      one.writeValue.operation =
          static_cast<xpuStreamBatchMemOpType>(1 + in.pick(in.pick(8) ? 2 : 8));
      one.writeValue.address = static_cast<char*>(memory.address) + in.pick(16) * 8;
      if (in.pick(16) == 0) one.writeValue.address = in.pick(2) ? nullptr : &params;
      if (one.operation == xpuStreamMemOpWriteValue32) one.writeValue.value64 = in.byte();
      one.writeValue.flags = in.pick(16) ? 0 : in.pick(2) * 6;
    }
    params.struct_size = in.pick(32) ? sizeof params : in.pick(sizeof params);
    params.count = in.pick(16) ? 1 + in.pick(2) : 0;
    params.paramArray = in.pick(32) ? operations : nullptr;
    params.flags = in.pick(32) ? 0 : 1;
  }
};

inline xpuHostNodeParams host(Bytes& in) {
  xpuHostNodeParams params = {};
  params.struct_size = sizeof params;
  params.fn = in.pick(16) ? count_call : nullptr;
  return params;
}

inline xpuMemAllocNodeParams allocation(Bytes& in) {
  xpuMemAllocNodeParams params = {};
  params.struct_size = sizeof params;
  params.poolProps.struct_size = sizeof params.poolProps;
  params.poolProps.allocType = static_cast<xpuMemAllocationType>(in.pick(16) ? 1 : in.byte());
  params.poolProps.location.type = static_cast<xpuMemLocationType>(in.pick(16) ? 1 : in.byte());
  params.bytesize = in.size(200);
  return params;
}

// A loop is only ever given a value that ends it at once.
inline xpuConditionalNodeParams condition(World& world, Bytes& in) {
  xpuConditionalNodeParams params = {};
  params.type = static_cast<xpuGraphConditionalNodeType>(in.pick(8) ? in.pick(3) : in.byte());
  params.size = in.pick(8) ? 1 : in.pick(4);
  if (world.conditions.empty() || in.pick(16) == 0) {
    params.handle = in.byte();
    return params;
  }
  const World::Condition& chosen = world.conditions[in.pick(world.conditions.size())];
  params.handle = chosen.handle;
  if (params.type == xpuGraphCondTypeWhile && !chosen.never) params.type = xpuGraphCondTypeIf;
  return params;
}

}  // namespace fuzz
