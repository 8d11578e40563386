// SPDX-License-Identifier: Apache-2.0
// Entry points of exec.h.
#include <xpugraph/exec.h>

#include "capi/cast.h"
#include "capi/conditional.h"
#include "capi/copy_in.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capi/instantiate_result.h"
#include "capi/spelling.h"
#include "capture/rules.h"
#include "memory/exec_memory.h"
#include "memory/freed_check.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status instantiate(xpuGraphExec_t* out, xpuGraph_t graph, unsigned long long flags) {
  XPU_TRY(require(out, "pGraphExec"));
  XPU_TRY_ASSIGN(const graph::Graph* g, settled_graph(graph));
  if (g->is_moved())
    return invalid_value("the graph is part of a node; instantiate the graph around it", "graph");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY_ASSIGN(graph::Conditions conditions, graph::Conditions::claim(*g));
  memory::ExecMemory::Flags frees;
  frees.auto_free_on_launch = flags & exec::kAutoFreeOnLaunch;
  frees.auto_free_on_destroy = flags & exec::kAutoFreeOnDestroy;
  XPU_TRY_ASSIGN(std::shared_ptr<memory::ExecMemory> memory, memory::ExecMemory::claim(*g, frees));
  std::shared_ptr<graph::Graph> source = g->clone();
  XPU_TRY_ASSIGN(
      std::unique_ptr<exec::Exec> made,
      exec::Exec::instantiate(*g, runtime->current(), flags,
                              memory::check_freed(source, runtime->memory(), std::move(memory))));
  made->keep_source(std::move(source));
  made->keep_conditions(std::move(conditions));
  *out = to_public<xpuGraphExec_t>(made->handle());
  (void)made.release();  // the handle owns it until xpuGraphExecDestroy
  return {};
}

Status upload(const char* call, exec::Exec& exec, xpuStream_t stream) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  XPU_TRY(capture::legacy_use(call, *s));
  if (capture::View view(*s); view)
    return view.refuse(call,
                       Status::error(xpuErrorStreamCaptureUnsupported,
                                     "an upload is no work that a graph could hold", "stream"));
  return exec.upload(*s);
}

// With the flag Upload, which xpuGraphInstantiate() refuses for want of a stream.
Status instantiate_and_upload(const char* call, xpuGraphExec_t* out, xpuGraph_t graph,
                              const xpuGraphInstantiateParams& params) {
  XPU_TRY(require(out, "pGraphExec"));
  xpuGraphExec_t made = nullptr;
  XPU_TRY(instantiate(&made, graph, params.flags & ~static_cast<uint64_t>(exec::kUpload)));
  if (params.flags & exec::kUpload) {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(made));
    Status status = upload(call, *e, params.uploadStream);
    if (!status.ok()) {
      delete e;
      return status;
    }
  }
  *out = made;
  return {};
}

// What a launch into a captured stream becomes.
Result<graph::ParamsRef> child_of(const exec::Exec& exec) {
  std::shared_ptr<graph::Graph> child = exec.as_child();
  XPU_TRY(check_copyable(*child, "a child graph", "graphExec"));
  return graph::ChildParams::make(std::move(child));
}

}  // namespace

xpuError_t xpuGraphInstantiate(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                               unsigned long long flags) {
  return guard(__func__, [&] { return instantiate(pGraphExec, graph, flags); });
}

xpuError_t xpuGraphInstantiateWithFlags(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                                        unsigned long long flags) {
  return guard(__func__, [&] { return instantiate(pGraphExec, graph, flags); });
}

xpuError_t xpuGraphInstantiateWithParams(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                                         xpuGraphInstantiateParams* instantiateParams) {
  return guard(__func__, [&](const char* call) -> Status {
    xpuGraphInstantiateParams asked;
    XPU_TRY(copy_in(asked, instantiateParams, "instantiateParams"));
    Status status = instantiate_and_upload(call, pGraphExec, graph, asked);
    tell(status, graph, instantiateParams);
    return spelled_in(std::move(status), "instantiateParams",
                      {{"flags", "flags"}, {"stream", "uploadStream"}});
  });
}

xpuError_t xpuGraphExecGetFlags(xpuGraphExec_t graphExec, unsigned long long* flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(flags, "flags"));
    XPU_TRY_ASSIGN(const exec::Exec* e, live_exec(graphExec));
    *flags = e->flags();
    return {};
  });
}

xpuError_t xpuGraphUpload(xpuGraphExec_t graphExec, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(graphExec));
    return upload(call, *e, stream);
  });
}

xpuError_t xpuGraphLaunch(xpuGraphExec_t graphExec, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(graphExec));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    return enqueue(
        call, *s, [&] { return child_of(*e); }, [&] { return e->launch(*s); });
  });
}

xpuError_t xpuGraphExecDestroy(xpuGraphExec_t graphExec) {
  return guard(__func__, [&]() -> Status {
    void* object = HandleTable::drop(HandleType::exec, from_public(graphExec));
    if (!object) return no_such(xpuErrorInvalidValue, graphExec, "executable graph", "graphExec");
    delete static_cast<exec::Exec*>(object);
    return {};
  });
}
