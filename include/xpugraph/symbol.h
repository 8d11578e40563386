// SPDX-License-Identifier: Apache-2.0
// Symbols: the variables of program scope that a module has, and copies to and from them.
//
// Where CUDA's compiler gives a host variable that stands for one of the device, a program here
// asks the module by name, once, as for a kernel. A symbol has its module's device and life.
// Whoever wants the address alone, for copies of any shape or as an argument of kernels of other
// modules, takes xpuModuleGetGlobal(). Only variables that the module exports have a name: in
// OpenCL C those of the address space `global` that are not `static`.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/exec.h>
#include <xpugraph/graph.h>
#include <xpugraph/memory.h>
#include <xpugraph/module.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A variable of a module; checked like every handle, and dead with the module.
typedef struct xpuSymbol_st* xpuSymbol_t;

/// Finds a variable by name. The same name gives the same handle each time.
/// @param[out] pSymbol  the symbol; it lives as long as the module and is not destroyed by itself.
/// Errors: xpuErrorSymbolNotFound if the module has no such variable; xpuErrorNotSupported if the
/// driver cannot tell where the module's variables are. Since 0.1.
XPU_API xpuError_t xpuModuleGetSymbol(xpuSymbol_t* pSymbol, xpuModule_t module, const char* name);

/// Tells where a variable is, as cuModuleGetGlobal() does.
/// @param[out] dptr  its address on the module's device, valid as long as the module. May be NULL.
/// @param[out] bytes  its size. May be NULL.
/// Errors: as for xpuModuleGetSymbol(); xpuErrorInvalidValue if both outputs are NULL. Since 0.1.
XPU_API xpuError_t xpuModuleGetGlobal(void** dptr, size_t* bytes, xpuModule_t module,
                                      const char* name);

/// @param[out] devPtr  where the variable is.
/// Errors: xpuErrorInvalidSymbol for NULL or a dead symbol. Since 0.1.
XPU_API xpuError_t xpuGetSymbolAddress(void** devPtr, xpuSymbol_t symbol);
/// @param[out] size  bytes of the variable.
/// Errors: xpuErrorInvalidSymbol for NULL or a dead symbol. Since 0.1.
XPU_API xpuError_t xpuGetSymbolSize(size_t* size, xpuSymbol_t symbol);

/// Copies to a part of a variable and waits for it, as xpuMemcpy() does.
/// @param[in] count  bytes.
/// @param[in] offset  bytes from the variable's beginning.
/// @param[in] kind  xpuMemcpyHostToDevice, xpuMemcpyDeviceToDevice or xpuMemcpyDefault.
/// Errors: xpuErrorInvalidSymbol for NULL or a dead symbol; xpuErrorInvalidValue for a part that is
/// not inside the variable; xpuErrorInvalidMemcpyDirection for another kind; those of xpuMemcpy().
/// Since 0.1.
XPU_API xpuError_t xpuMemcpyToSymbol(xpuSymbol_t symbol, const void* src, size_t count,
                                     size_t offset, xpuMemcpyKind kind);
/// Copies from a part of a variable and waits for it.
/// @param[out] dst  len = count; what the part has.
/// @param[in] count  bytes.
/// @param[in] offset  bytes from the variable's beginning.
/// @param[in] kind  xpuMemcpyDeviceToHost, xpuMemcpyDeviceToDevice or xpuMemcpyDefault.
/// Errors: as for xpuMemcpyToSymbol(). Since 0.1.
XPU_API xpuError_t xpuMemcpyFromSymbol(void* dst, xpuSymbol_t symbol, size_t count, size_t offset,
                                       xpuMemcpyKind kind);
/// As xpuMemcpyToSymbol(), in the order of a stream; captured it becomes a copy node.
/// Errors: as for xpuMemcpyToSymbol(); those of xpuMemcpyAsync(). Since 0.1.
XPU_API xpuError_t xpuMemcpyToSymbolAsync(xpuSymbol_t symbol, const void* src, size_t count,
                                          size_t offset, xpuMemcpyKind kind, xpuStream_t stream);
/// As xpuMemcpyFromSymbol(), in the order of a stream; captured it becomes a copy node.
/// @param[out] dst  len = count; written when the stream comes to it.
/// Errors: as for xpuMemcpyToSymbol(); those of xpuMemcpyAsync(). Since 0.1.
XPU_API xpuError_t xpuMemcpyFromSymbolAsync(void* dst, xpuSymbol_t symbol, size_t count,
                                            size_t offset, xpuMemcpyKind kind, xpuStream_t stream);

/// Adds a copy node to a part of a variable: a 1-D copy like any other, which
/// xpuGraphMemcpyNodeGetParams() shows with the variable's address. The module must be there as
/// long as executables with the node are launched.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] count  bytes, not 0.
/// Errors: as for xpuMemcpyToSymbol(); those of xpuGraphAddMemcpyNode1D(). Since 0.1.
XPU_API xpuError_t xpuGraphAddMemcpyNodeToSymbol(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                                 const xpuGraphNode_t* pDependencies,
                                                 size_t numDependencies, xpuSymbol_t symbol,
                                                 const void* src, size_t count, size_t offset,
                                                 xpuMemcpyKind kind);
/// Adds a copy node from a part of a variable; see xpuGraphAddMemcpyNodeToSymbol().
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] dst  len = count; written by each launch.
/// @param[in] count  bytes, not 0.
/// Errors: as for xpuMemcpyToSymbol(); those of xpuGraphAddMemcpyNode1D(). Since 0.1.
XPU_API xpuError_t xpuGraphAddMemcpyNodeFromSymbol(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                                   const xpuGraphNode_t* pDependencies,
                                                   size_t numDependencies, void* dst,
                                                   xpuSymbol_t symbol, size_t count, size_t offset,
                                                   xpuMemcpyKind kind);
/// Makes a copy node one to a part of a variable.
/// Errors: as for xpuGraphAddMemcpyNodeToSymbol(); xpuErrorInvalidValue for no copy node.
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemcpyNodeSetParamsToSymbol(xpuGraphNode_t node, xpuSymbol_t symbol,
                                                       const void* src, size_t count, size_t offset,
                                                       xpuMemcpyKind kind);
/// Makes a copy node one from a part of a variable.
/// @param[in] dst  len = count; written by each launch.
/// Errors: as for xpuGraphMemcpyNodeSetParamsToSymbol(). Since 0.1.
XPU_API xpuError_t xpuGraphMemcpyNodeSetParamsFromSymbol(xpuGraphNode_t node, void* dst,
                                                         xpuSymbol_t symbol, size_t count,
                                                         size_t offset, xpuMemcpyKind kind);
/// Makes a copy node of an executable one to a part of a variable, from the next launch on.
/// @param[in] node  of the graph that the executable was made of; it must have been there then.
/// Errors: as for xpuGraphAddMemcpyNodeToSymbol(); those of xpuGraphExecMemcpyNodeSetParams1D().
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecMemcpyNodeSetParamsToSymbol(xpuGraphExec_t hGraphExec,
                                                           xpuGraphNode_t node, xpuSymbol_t symbol,
                                                           const void* src, size_t count,
                                                           size_t offset, xpuMemcpyKind kind);
/// Makes a copy node of an executable one from a part of a variable, from the next launch on.
/// @param[in] node  of the graph that the executable was made of; it must have been there then.
/// @param[in] dst  len = count; written by each launch.
/// Errors: as for xpuGraphExecMemcpyNodeSetParamsToSymbol(). Since 0.1.
XPU_API xpuError_t xpuGraphExecMemcpyNodeSetParamsFromSymbol(xpuGraphExec_t hGraphExec,
                                                             xpuGraphNode_t node, void* dst,
                                                             xpuSymbol_t symbol, size_t count,
                                                             size_t offset, xpuMemcpyKind kind);

#ifdef __cplusplus
}
#endif
