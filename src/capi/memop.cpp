// SPDX-License-Identifier: Apache-2.0
// Entry points of memop.h.
#include <xpugraph/memop.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capi/memop_params.h"
#include "capi/new_node.h"
#include "capi/node_params.h"
#include "capi/spelling.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

using graph::NodeKind;

Status do_in_stream(const char* call, runtime::Stream& stream,
                    std::vector<xpuStreamBatchMemOpParams> operations) {
  XPU_TRY_ASSIGN(std::shared_ptr<const runtime::External> batch,
                 to_batch(stream.device(), operations));
  return enqueue(
      call, stream,
      [&]() -> Result<graph::ParamsRef> {
        return graph::BatchParams::make(batch, std::move(operations));
      },
      [&] { return stream.submit([&](ze::List& list) { return batch->append(list); }); });
}

Status do_one(const char* call, xpuStream_t stream, xpuStreamBatchMemOpType type, void* address,
              uint64_t value, unsigned int flags) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  xpuStreamBatchMemOpParams one = {};
  one.writeValue.operation = type;
  one.writeValue.flags = flags;
  one.writeValue.address = address;
  one.writeValue.value64 = value;
  // What is wrong is said of the first entry of a batch.
  return spelled(do_in_stream(call, *s, {one}), {{"paramArray[0].address", "addr"},
                                                 {"paramArray[0].flags", "flags"},
                                                 {"paramArray[0].operation", "stream"}});
}

}  // namespace

xpuError_t xpuStreamWriteValue32(xpuStream_t stream, void* addr, unsigned int value,
                                 unsigned int flags) {
  return guard(__func__, [&](const char* call) {
    return do_one(call, stream, xpuStreamMemOpWriteValue32, addr, value, flags);
  });
}

xpuError_t xpuStreamWriteValue64(xpuStream_t stream, void* addr, unsigned long long value,
                                 unsigned int flags) {
  return guard(__func__, [&](const char* call) {
    return do_one(call, stream, xpuStreamMemOpWriteValue64, addr, value, flags);
  });
}

xpuError_t xpuStreamWaitValue32(xpuStream_t stream, void* addr, unsigned int value,
                                unsigned int flags) {
  return guard(__func__, [&](const char* call) {
    return do_one(call, stream, xpuStreamMemOpWaitValue32, addr, value, flags);
  });
}

xpuError_t xpuStreamWaitValue64(xpuStream_t stream, void* addr, unsigned long long value,
                                unsigned int flags) {
  return guard(__func__, [&](const char* call) {
    return do_one(call, stream, xpuStreamMemOpWaitValue64, addr, value, flags);
  });
}

xpuError_t xpuStreamBatchMemOp(xpuStream_t stream, unsigned int count,
                               const xpuStreamBatchMemOpParams* paramArray, unsigned int flags) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY_ASSIGN(std::vector<xpuStreamBatchMemOpParams> operations,
                   read_operations(paramArray, count, flags));
    return do_in_stream(call, *s, std::move(operations));
  });
}

xpuError_t xpuGraphAddBatchMemOpNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                     const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                     const xpuBatchMemOpNodeParams* nodeParams) {
  return guard(__func__, [&] {
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_params(nodeParams, "nodeParams"); });
  });
}

xpuError_t xpuGraphBatchMemOpNodeGetParams(xpuGraphNode_t hNode,
                                           xpuBatchMemOpNodeParams* params_out) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(hNode, NodeKind::batch, "hNode"));
    XPU_TRY(check_out_size(params_out, sizeof *params_out, "params_out"));
    copy_out(params_out, to_public(*n->as<graph::BatchParams>()));
    return {};
  });
}

xpuError_t xpuGraphBatchMemOpNodeSetParams(xpuGraphNode_t hNode,
                                           const xpuBatchMemOpNodeParams* nodeParams) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(graph::Node * n, node_to_set(hNode, NodeKind::batch, "hNode"));
    XPU_TRY_ASSIGN(graph::ParamsRef made, to_params(nodeParams, "nodeParams"));
    n->set_params(std::move(made));
    return {};
  });
}

xpuError_t xpuGraphExecBatchMemOpNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                               const xpuBatchMemOpNodeParams* nodeParams) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(hGraphExec, "hGraphExec"));
    XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(hNode, NodeKind::batch, "hNode"));
    XPU_TRY_ASSIGN(graph::ParamsRef made, to_params(nodeParams, "nodeParams"));
    return spelled_in(spelled(e->set_params(*n, std::move(made)), {{"node", "hNode"}}),
                      "nodeParams", {{"paramArray", "paramArray"}});
  });
}
