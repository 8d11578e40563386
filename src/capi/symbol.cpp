// SPDX-License-Identifier: Apache-2.0
// Entry points of symbol.h. A copy to or from a symbol is a copy to or from its address.
#include <xpugraph/symbol.h>

#include "capi/cast.h"
#include "capi/guard.h"
#include "capi/new_node.h"
#include "capi/node_params.h"
#include "capi/shapes.h"
#include "capi/spelling.h"
#include "capi/transfer.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Result<const runtime::Symbol*> live_symbol(xpuSymbol_t handle) {
  XPU_TRY_ASSIGN(
      const runtime::Symbol* symbol,
      live<runtime::Symbol>(HandleType::symbol, handle, "symbol", "symbol", xpuErrorInvalidSymbol));
  return symbol;
}

Result<const runtime::Symbol*> find_symbol(xpuModule_t module, const char* name) {
  XPU_TRY_ASSIGN(runtime::Module * m, live_module(module));
  XPU_TRY(require(name, "name"));
  XPU_TRY_ASSIGN(const runtime::Symbol* symbol, m->symbol(name));
  return symbol;
}

// One end of a copy.
struct Part {
  xpuSymbol_t symbol;
  size_t count, offset;
  xpuMemcpyKind kind;

  // `along` is the direction that names both ends.
  Result<void*> address(xpuMemcpyKind along) const {
    XPU_TRY_ASSIGN(const runtime::Symbol* found, live_symbol(symbol));
    if (offset > found->size())
      return invalid_value("offset is " + std::to_string(offset) + ", but " + described(*found),
                           "offset");
    if (count > found->size() - offset)
      return invalid_value("count is " + std::to_string(count) + " from offset " +
                               std::to_string(offset) + " on, but " + described(*found),
                           "count");
    if (kind != along && kind != xpuMemcpyDeviceToDevice && kind != xpuMemcpyDefault)
      return Status::error(
          xpuErrorInvalidMemcpyDirection,
          std::string("kind must be ") +
              (along == xpuMemcpyHostToDevice ? "xpuMemcpyHostToDevice" : "xpuMemcpyDeviceToHost") +
              ", xpuMemcpyDeviceToDevice or xpuMemcpyDefault: the symbol is on a device",
          "kind");
    return static_cast<std::byte*>(found->address()) + offset;
  }

 private:
  static std::string described(const runtime::Symbol& symbol) {
    return "variable '" + symbol.name() + "' has " + std::to_string(symbol.size()) + " bytes";
  }
};

struct Ends {
  void* dst;
  const void* src;
};
Result<Ends> to(const Part& part, const void* src) {
  XPU_TRY_ASSIGN(void* dst, part.address(xpuMemcpyHostToDevice));
  return Ends{dst, src};
}
Result<Ends> from(const Part& part, void* dst) {
  XPU_TRY_ASSIGN(const void* src, part.address(xpuMemcpyDeviceToHost));
  return Ends{dst, src};
}

Result<graph::ParamsRef> to_node(const Part& part, Result<Ends> ends) {
  if (!ends.ok()) return ends.take_status();
  return to_linear_copy(ends.value().dst, ends.value().src, part.count, part.kind);
}

Status copy(const char* call, const Part& part, Result<Ends> ends) {
  if (!ends.ok()) return ends.take_status();
  return copy_now(call, to_shape_1d(ends.value().dst, ends.value().src, part.count, part.kind));
}
Status copy(const char* call, const Part& part, Result<Ends> ends, xpuStream_t stream) {
  if (!ends.ok()) return ends.take_status();
  return copy_later(call, to_shape_1d(ends.value().dst, ends.value().src, part.count, part.kind),
                    stream);
}

Status set_copy(xpuGraphNode_t node, const Part& part, Result<Ends> ends) {
  XPU_TRY_ASSIGN(graph::Node * n, node_to_set(node, graph::NodeKind::copy));
  XPU_TRY_ASSIGN(graph::ParamsRef params, to_node(part, std::move(ends)));
  n->set_params(std::move(params));
  return {};
}

Status set_exec_copy(xpuGraphExec_t exec, xpuGraphNode_t node, const Part& part,
                     Result<Ends> ends) {
  XPU_TRY_ASSIGN(exec::Exec * e, live_exec(exec, "hGraphExec"));
  XPU_TRY_ASSIGN(const graph::Node* n, node_of_kind(node, graph::NodeKind::copy));
  XPU_TRY_ASSIGN(graph::ParamsRef params, to_node(part, std::move(ends)));
  return e->set_params(*n, std::move(params));
}

}  // namespace

xpuError_t xpuModuleGetSymbol(xpuSymbol_t* pSymbol, xpuModule_t module, const char* name) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pSymbol, "pSymbol"));
    XPU_TRY_ASSIGN(const runtime::Symbol* symbol, find_symbol(module, name));
    *pSymbol = to_public<xpuSymbol_t>(symbol->handle());
    return {};
  });
}

xpuError_t xpuModuleGetGlobal(void** dptr, size_t* bytes, xpuModule_t module, const char* name) {
  return guard(__func__, [&]() -> Status {
    if (!dptr && !bytes) return invalid_value("dptr and bytes are both NULL", "dptr");
    XPU_TRY_ASSIGN(const runtime::Symbol* symbol, find_symbol(module, name));
    if (dptr) *dptr = symbol->address();
    if (bytes) *bytes = symbol->size();
    return {};
  });
}

xpuError_t xpuGetSymbolAddress(void** devPtr, xpuSymbol_t symbol) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(devPtr, "devPtr"));
    XPU_TRY_ASSIGN(const runtime::Symbol* found, live_symbol(symbol));
    *devPtr = found->address();
    return {};
  });
}

xpuError_t xpuGetSymbolSize(size_t* size, xpuSymbol_t symbol) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(size, "size"));
    XPU_TRY_ASSIGN(const runtime::Symbol* found, live_symbol(symbol));
    *size = found->size();
    return {};
  });
}

xpuError_t xpuMemcpyToSymbol(xpuSymbol_t symbol, const void* src, size_t count, size_t offset,
                             xpuMemcpyKind kind) {
  return guard(__func__, [&](const char* call) {
    const Part part = {symbol, count, offset, kind};
    return copy(call, part, to(part, src));
  });
}

xpuError_t xpuMemcpyFromSymbol(void* dst, xpuSymbol_t symbol, size_t count, size_t offset,
                               xpuMemcpyKind kind) {
  return guard(__func__, [&](const char* call) {
    const Part part = {symbol, count, offset, kind};
    return copy(call, part, from(part, dst));
  });
}

xpuError_t xpuMemcpyToSymbolAsync(xpuSymbol_t symbol, const void* src, size_t count, size_t offset,
                                  xpuMemcpyKind kind, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    const Part part = {symbol, count, offset, kind};
    return copy(call, part, to(part, src), stream);
  });
}

xpuError_t xpuMemcpyFromSymbolAsync(void* dst, xpuSymbol_t symbol, size_t count, size_t offset,
                                    xpuMemcpyKind kind, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    const Part part = {symbol, count, offset, kind};
    return copy(call, part, from(part, dst), stream);
  });
}

xpuError_t xpuGraphAddMemcpyNodeToSymbol(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                         const xpuGraphNode_t* pDependencies,
                                         size_t numDependencies, xpuSymbol_t symbol,
                                         const void* src, size_t count, size_t offset,
                                         xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_node(part, to(part, src)); });
  });
}

xpuError_t xpuGraphAddMemcpyNodeFromSymbol(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                           const xpuGraphNode_t* pDependencies,
                                           size_t numDependencies, void* dst, xpuSymbol_t symbol,
                                           size_t count, size_t offset, xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return add({pGraphNode, graph, pDependencies, numDependencies},
               [&] { return to_node(part, from(part, dst)); });
  });
}

xpuError_t xpuGraphMemcpyNodeSetParamsToSymbol(xpuGraphNode_t node, xpuSymbol_t symbol,
                                               const void* src, size_t count, size_t offset,
                                               xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return set_copy(node, part, to(part, src));
  });
}

xpuError_t xpuGraphMemcpyNodeSetParamsFromSymbol(xpuGraphNode_t node, void* dst, xpuSymbol_t symbol,
                                                 size_t count, size_t offset, xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return set_copy(node, part, from(part, dst));
  });
}

xpuError_t xpuGraphExecMemcpyNodeSetParamsToSymbol(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                   xpuSymbol_t symbol, const void* src,
                                                   size_t count, size_t offset,
                                                   xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return set_exec_copy(hGraphExec, node, part, to(part, src));
  });
}

xpuError_t xpuGraphExecMemcpyNodeSetParamsFromSymbol(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                     void* dst, xpuSymbol_t symbol, size_t count,
                                                     size_t offset, xpuMemcpyKind kind) {
  return guard(__func__, [&] {
    const Part part = {symbol, count, offset, kind};
    return set_exec_copy(hGraphExec, node, part, from(part, dst));
  });
}
