// SPDX-License-Identifier: Apache-2.0
// Random calls about executables.
#include <iterator>

#include "fuzz/params.h"
#include "fuzz/program.h"

namespace fuzz {
namespace {

xpuError_t instantiate(World& world, Bytes& in) {
  auto exec = static_cast<xpuGraphExec_t>(kUntouched);
  const xpuError_t answer =
      xpuGraphInstantiate(&exec, world.graph(in), in.pick(4) ? 0 : in.pick(16));
  must_hold(answer == xpuSuccess || exec == kUntouched || !exec, "a failed call makes nothing");
  if (answer == xpuSuccess) world.execs.add(exec);
  return answer;
}

xpuError_t instantiate_with(World& world, Bytes& in) {
  auto exec = static_cast<xpuGraphExec_t>(kUntouched);
  xpuGraphInstantiateParams params = {};
  params.struct_size = sizeof params;
  params.flags = in.pick(16);
  params.uploadStream = world.stream(in);
  const xpuError_t answer = xpuGraphInstantiateWithParams(&exec, world.graph(in), &params);
  if (answer == xpuSuccess) world.execs.add(exec);
  return answer;
}

xpuError_t destroy(World& world, Bytes& in) {
  const xpuGraphExec_t exec = world.exec(in);
  const xpuError_t answer = xpuGraphExecDestroy(exec);
  if (answer == xpuSuccess) world.execs.remove(exec);
  return answer;
}

xpuError_t launch(World& world, Bytes& in) {
  return xpuGraphLaunch(world.exec(in), world.stream(in));
}

xpuError_t upload(World& world, Bytes& in) {
  return xpuGraphUpload(world.exec(in), world.stream(in));
}

xpuError_t flags(World& world, Bytes& in) {
  unsigned long long value = 0;
  return xpuGraphExecGetFlags(world.exec(in), in.pick(8) ? &value : nullptr);
}

xpuError_t update(World& world, Bytes& in) {
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  const xpuError_t answer = xpuGraphExecUpdate(world.exec(in), world.graph(in), &info);
  must_hold((answer == xpuSuccess) == (info.result == xpuGraphExecUpdateSuccess) ||
                answer != xpuErrorGraphExecUpdateFailure,
            "an update that failed says why");
  return answer;
}

xpuError_t set_kernel(World& world, Bytes& in) {
  const KernelNode kernel(world, in);
  return xpuGraphExecKernelNodeSetParams(world.exec(in), world.node(in), &kernel.params);
}

xpuError_t set_fill(World& world, Bytes& in) {
  const xpuMemsetParams params = fill(world, in);
  return xpuGraphExecMemsetNodeSetParams(world.exec(in), world.node(in), &params);
}

xpuError_t set_copy(World& world, Bytes& in) {
  const CopyOf copy(world, in);
  return xpuGraphExecMemcpyNodeSetParams1D(world.exec(in), world.node(in), copy.to, copy.from,
                                           copy.size, copy.kind);
}

xpuError_t set_host(World& world, Bytes& in) {
  const xpuHostNodeParams params = host(in);
  return xpuGraphExecHostNodeSetParams(world.exec(in), world.node(in), &params);
}

xpuError_t set_child(World& world, Bytes& in) {
  return xpuGraphExecChildGraphNodeSetParams(world.exec(in), world.node(in), world.graph(in));
}

template <auto kCall>
xpuError_t set_event(World& world, Bytes& in) {
  return kCall(world.exec(in), world.node(in), world.event(in));
}

template <class Semaphores, auto kCall>
xpuError_t set_external(World& world, Bytes& in) {
  const Semaphores what(world, in);
  return kCall(world.exec(in), world.node(in), &what.params);
}

xpuError_t enable(World& world, Bytes& in) {
  return xpuGraphNodeSetEnabled(world.exec(in), world.node(in), in.pick(2));
}

xpuError_t is_enabled(World& world, Bytes& in) {
  unsigned enabled = 2;
  return xpuGraphNodeGetEnabled(world.exec(in), world.node(in), in.pick(16) ? &enabled : nullptr);
}

constexpr Call kCalls[] = {
    {"xpuGraphExecUpdate", update},
    {"xpuGraphExecUpdate", update},
    {"xpuGraphExecKernelNodeSetParams", set_kernel},
    {"xpuGraphExecMemsetNodeSetParams", set_fill},
    {"xpuGraphExecMemcpyNodeSetParams1D", set_copy},
    {"xpuGraphExecHostNodeSetParams", set_host},
    {"xpuGraphExecChildGraphNodeSetParams", set_child},
    {"xpuGraphExecEventRecordNodeSetEvent", set_event<xpuGraphExecEventRecordNodeSetEvent>},
    {"xpuGraphExecEventWaitNodeSetEvent", set_event<xpuGraphExecEventWaitNodeSetEvent>},
    {"xpuGraphExecExternalSemaphoresSignalNodeSetParams",
     set_external<SignalNode, xpuGraphExecExternalSemaphoresSignalNodeSetParams>},
    {"xpuGraphExecExternalSemaphoresWaitNodeSetParams",
     set_external<WaitNode, xpuGraphExecExternalSemaphoresWaitNodeSetParams>},
    {"xpuGraphExecBatchMemOpNodeSetParams",
     set_external<BatchNode, xpuGraphExecBatchMemOpNodeSetParams>},
    {"xpuGraphNodeSetEnabled", enable},
    {"xpuGraphNodeGetEnabled", is_enabled},
    {"xpuGraphInstantiate", instantiate},
    {"xpuGraphInstantiate", instantiate},
    {"xpuGraphInstantiateWithParams", instantiate_with},
    {"xpuGraphExecDestroy", destroy},
    {"xpuGraphLaunch", launch},
    {"xpuGraphLaunch", launch},
    {"xpuGraphLaunch", launch},
    {"xpuGraphUpload", upload},
    {"xpuGraphExecGetFlags", flags},
};

}  // namespace

Calls exec_calls() { return {kCalls, std::size(kCalls)}; }

}  // namespace fuzz
