// SPDX-License-Identifier: Apache-2.0
// Nodes: one way to add each kind to a graph, and to read and replace what it does.
//
// Every xpuGraphAdd…Node() call takes the nodes that come before the new one:
// `pDependencies` has `numDependencies` entries, all of the same graph and no two alike; with a
// count of 0 the array is not read and the node is a root. Parameters are copied during the call,
// kernel arguments too; what they point to on the device or the host must be valid when the graph
// runs. Setting parameters changes the graph only: executables made earlier keep what they have.
//
// Errors of all: xpuErrorInvalidValue for a NULL, dead or foreign graph or node, a node of another
// kind, and parameters that cannot be right; nothing is added or changed then.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/event.h>
#include <xpugraph/graph.h>
#include <xpugraph/memory.h>
#include <xpugraph/mempool.h>
#include <xpugraph/module.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Keys of packed arguments.
/// Since 0.1.
typedef enum xpuLaunchParam XPU_ENUM {
  xpuLaunchParamEnd = 0,            ///< no value follows
  xpuLaunchParamBufferPointer = 1,  ///< the block; its bytes are copied
  xpuLaunchParamBufferSize = 2  ///< a `size_t*`: the block's bytes, up to the end of the last one
} xpuLaunchParam;

/// A kernel launch.
/// Since 0.1.
typedef struct xpuKernelNodeParams {
  uint32_t struct_size;     ///< in: sizeof(xpuKernelNodeParams)
  uint32_t sharedMemBytes;  ///< as `sharedMem` of xpuLaunchKernel()
  xpuKernel_t func;
  xpuDim3 gridDim;      ///< work-groups
  xpuDim3 blockDim;     ///< work-items of a work-group
  void** kernelParams;  ///< as `args` of xpuLaunchKernel(); NULL if `extra` is given
  /// NULL, or pairs of a key of xpuLaunchParam (as a pointer) and its value, ended by
  /// xpuLaunchParamEnd: all arguments in one block, laid out as xpuKernelGetParamInfo() tells.
  void** extra;
} xpuKernelNodeParams;

/// A fill of `height` rows of `width` elements.
/// Since 0.1.
typedef struct xpuMemsetParams {
  uint32_t struct_size;  ///< in: sizeof(xpuMemsetParams)
  uint32_t reserved;     ///< 0
  void* dst;
  size_t pitch;          ///< bytes from row to row; not read if `height` is 1
  uint32_t value;        ///< its low `elementSize` bytes are used
  uint32_t elementSize;  ///< bytes: 1, 2 or 4
  size_t width;          ///< elements
  size_t height;         ///< rows
} xpuMemsetParams;

/// A call on the host; see xpuLaunchHostFunc().
/// Since 0.1.
typedef struct xpuHostNodeParams {
  uint32_t struct_size;  ///< in: sizeof(xpuHostNodeParams)
  uint32_t reserved;     ///< 0
  xpuHostFn_t fn;
  void* userData;
} xpuHostNodeParams;

/// Memory that a graph allocates. It is there from this node on, for what comes behind the node,
/// until a free node; without one it stays allocated behind the launch, until it is freed by
/// another graph, xpuFreeAsync() or xpuFree(). Since 0.1.
typedef struct xpuMemAllocNodeParams {
  uint32_t struct_size;                 ///< in: sizeof(xpuMemAllocNodeParams)
  uint32_t reserved;                    ///< 0
  xpuMemPoolProps poolProps;            ///< pinned memory on a device
  const xpuMemAccessDesc* accessDescs;  ///< other devices that use it; its own device always may
  size_t accessDescCount;
  size_t bytesize;  ///< bytes, not 0
  void* dptr;       ///< out: the address, a multiple of 512, the same at every launch
} xpuMemAllocNodeParams;

/// Adds a kernel launch.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Errors: xpuErrorInvalidDeviceFunction for a NULL kernel; xpuErrorInvalidResourceHandle for what
/// is no kernel; xpuErrorInvalidValue for sizes that the device or the kernel cannot take.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddKernelNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                         const xpuGraphNode_t* pDependencies,
                                         size_t numDependencies,
                                         const xpuKernelNodeParams* pNodeParams);

/// Adds a copy of a block.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Errors: xpuErrorInvalidPitchValue for a pitch below the width; xpuErrorInvalidMemcpyDirection
/// for an unknown kind; xpuErrorInvalidValue for an empty extent or a range that leaves its
/// allocation.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddMemcpyNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                         const xpuGraphNode_t* pDependencies,
                                         size_t numDependencies,
                                         const xpuMemcpy3DParms* pCopyParams);

/// Adds a copy of `count` bytes.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Errors: as for xpuGraphAddMemcpyNode().
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddMemcpyNode1D(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                           const xpuGraphNode_t* pDependencies,
                                           size_t numDependencies, void* dst, const void* src,
                                           size_t count, xpuMemcpyKind kind);

/// Adds a fill.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Errors: xpuErrorInvalidValue for another element size, an empty size, a pitch below the width,
/// memory that devices cannot use, or a range that leaves its allocation.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddMemsetNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                         const xpuGraphNode_t* pDependencies,
                                         size_t numDependencies,
                                         const xpuMemsetParams* pMemsetParams);

/// Adds a call on the host. It holds back only the nodes that depend on it; with a driver that
/// takes no host functions in command lists (Level Zero before 1.17) also others of the graph may
/// wait.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddHostNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                       const xpuGraphNode_t* pDependencies, size_t numDependencies,
                                       const xpuHostNodeParams* pNodeParams);

/// Adds a copy of another graph, which runs in place of the node.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] childGraph  cloned during the call; it may be `graph` itself.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddChildGraphNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                             const xpuGraphNode_t* pDependencies,
                                             size_t numDependencies, xpuGraph_t childGraph);

/// Adds a node that does nothing but join edges.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddEmptyNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                        const xpuGraphNode_t* pDependencies,
                                        size_t numDependencies);

/// Adds a record of an event at every launch.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] event  the graph keeps what it needs of it.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddEventRecordNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                              const xpuGraphNode_t* pDependencies,
                                              size_t numDependencies, xpuEvent_t event);

/// Adds a wait for the record of an event that is the last one when the graph is launched.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] event  the graph keeps what it needs of it.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddEventWaitNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                            const xpuGraphNode_t* pDependencies,
                                            size_t numDependencies, xpuEvent_t event);

/// Reads a kernel node.
/// @param[in,out] pNodeParams  `struct_size` is read, the rest is written. `kernelParams` and what
///     it points to, or `extra` if the node was given that, belong to the node and are valid until
///     it is set or destroyed. `func` is NULL if its module was unloaded; the node still runs.
/// Since 0.1.
XPU_API xpuError_t xpuGraphKernelNodeGetParams(xpuGraphNode_t node,
                                               xpuKernelNodeParams* pNodeParams);

/// Replaces a kernel node; the kernel may be another one.
/// Errors: as for xpuGraphAddKernelNode().
/// Since 0.1.
XPU_API xpuError_t xpuGraphKernelNodeSetParams(xpuGraphNode_t node,
                                               const xpuKernelNodeParams* pNodeParams);

/// Reads a copy node. A copy of `count` bytes reads as one row.
/// @param[in,out] pNodeParams  `struct_size` is read, the rest is written.
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemcpyNodeGetParams(xpuGraphNode_t node, xpuMemcpy3DParms* pNodeParams);

/// Replaces a copy node.
/// Errors: as for xpuGraphAddMemcpyNode().
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemcpyNodeSetParams(xpuGraphNode_t node,
                                               const xpuMemcpy3DParms* pNodeParams);

/// Replaces a copy node by a copy of `count` bytes.
/// Errors: as for xpuGraphAddMemcpyNode1D().
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemcpyNodeSetParams1D(xpuGraphNode_t node, void* dst, const void* src,
                                                 size_t count, xpuMemcpyKind kind);

/// Reads a fill node.
/// @param[in,out] pNodeParams  `struct_size` is read, the rest is written.
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemsetNodeGetParams(xpuGraphNode_t node, xpuMemsetParams* pNodeParams);

/// Replaces a fill node.
/// Errors: as for xpuGraphAddMemsetNode().
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemsetNodeSetParams(xpuGraphNode_t node,
                                               const xpuMemsetParams* pNodeParams);

/// Reads a host node.
/// @param[in,out] pNodeParams  `struct_size` is read, the rest is written.
/// Since 0.1.
XPU_API xpuError_t xpuGraphHostNodeGetParams(xpuGraphNode_t node, xpuHostNodeParams* pNodeParams);

/// Replaces a host node.
/// Since 0.1.
XPU_API xpuError_t xpuGraphHostNodeSetParams(xpuGraphNode_t node,
                                             const xpuHostNodeParams* pNodeParams);

/// The graph inside a child graph node.
/// @param[out] pGraph  it belongs to the node: editing it changes the node, and it must not be
///     destroyed.
/// Since 0.1.
XPU_API xpuError_t xpuGraphChildGraphNodeGetGraph(xpuGraphNode_t node, xpuGraph_t* pGraph);

/// The event of an event record node.
/// @param[out] event_out  the event; if it was destroyed, a dead handle.
/// Since 0.1.
XPU_API xpuError_t xpuGraphEventRecordNodeGetEvent(xpuGraphNode_t node, xpuEvent_t* event_out);

/// Replaces the event of an event record node.
/// Since 0.1.
XPU_API xpuError_t xpuGraphEventRecordNodeSetEvent(xpuGraphNode_t node, xpuEvent_t event);

/// The event of an event wait node.
/// @param[out] event_out  the event; if it was destroyed, a dead handle.
/// Since 0.1.
XPU_API xpuError_t xpuGraphEventWaitNodeGetEvent(xpuGraphNode_t node, xpuEvent_t* event_out);

/// Replaces the event of an event wait node.
/// Since 0.1.
XPU_API xpuError_t xpuGraphEventWaitNodeSetEvent(xpuGraphNode_t node, xpuEvent_t event);

/// Adds an allocation. Its address is decided now: memory of an earlier allocation of the graph is
/// used again if that is freed by a node that comes before this one, over whatever path; what may
/// run at the same time never shares. From here on no node and no edge of the graph can be removed,
/// the graph cannot be cloned or be copied as a child graph (it can move into a node, and gets no
/// more memory nodes then), and it can have one executable at a time.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in,out] nodeParams  `dptr` is written.
/// Errors: xpuErrorMemoryAllocation for more than the device has; xpuErrorNotSupported for shared
/// handles and access that is not for reading and writing; xpuErrorInvalidValue.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddMemAllocNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                           const xpuGraphNode_t* pDependencies,
                                           size_t numDependencies,
                                           xpuMemAllocNodeParams* nodeParams);

/// Adds the end of an allocation of this graph or of another one. Everything that uses the memory
/// must come before the node.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] dptr  the address of an allocation node that neither its own graph nor this one frees
///     already.
/// Errors: xpuErrorInvalidValue for any other address.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddMemFreeNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                          const xpuGraphNode_t* pDependencies,
                                          size_t numDependencies, void* dptr);

/// @param[out] params_out  as they were given, with the address. `accessDescs` points to memory of
/// the
///     calling thread that is valid until it asks again.
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemAllocNodeGetParams(xpuGraphNode_t node,
                                                 xpuMemAllocNodeParams* params_out);
/// @param[out] dptr_out  a `void*`: the address.
/// Since 0.1.
XPU_API xpuError_t xpuGraphMemFreeNodeGetParams(xpuGraphNode_t node, void* dptr_out);

#ifdef __cplusplus
}
#endif
