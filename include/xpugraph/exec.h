// SPDX-License-Identifier: Apache-2.0
// Executables: a graph made ready once, to be launched many times.
//
// Making one is where the time goes: the graph is checked, planned and encoded into command lists.
// A launch is one operation in a stream: everything before it in the stream comes before every
// node, and everything after it comes after every node. Launches of one executable run one after
// the other, also in different streams; to overlap two, instantiate twice.
//
// What the nodes of an executable do can be changed without making another one: node by node
// (xpuGraphExec…NodeSetParams, xpuGraphNodeSetEnabled) or all at once from another graph
// (xpuGraphExecUpdate). The edges stay. A change holds from the next launch on; launches in flight
// keep what they have, so changes and launches may follow each other without waiting. A call that
// fails changes nothing.
//
// Threads: calls on one executable are serialised; none may overlap with its destruction. Calls
// that take a node or a graph must not overlap with changes of that graph.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/event.h>
#include <xpugraph/graph.h>
#include <xpugraph/memory.h>
#include <xpugraph/node.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuGraphExec_st* xpuGraphExec_t;

/// Flags of an executable.
/// Since 0.1.
typedef enum xpuGraphInstantiateFlags XPU_ENUM {
  /// Each launch first frees what the launch before it left allocated. No effect on a graph without
  /// memory nodes.
  xpuGraphInstantiateFlagAutoFreeOnLaunch = 1,
  /// For xpuGraphInstantiateWithParams(), which has a stream for it; others refuse it with
  /// xpuErrorInvalidValue, as CUDA does.
  xpuGraphInstantiateFlagUpload = 2,
  xpuGraphInstantiateFlagDeviceLaunch = 4,  ///< refused with xpuErrorNotSupported
  /// Kernel nodes with a priority (xpuLaunchAttributePriority) that is more urgent than 0 run in a
  /// queue of that priority, together with what the executable runs in order with them. The rest
  /// runs, and without the flag all runs, at the priority of the stream of the launch.
  xpuGraphInstantiateFlagUseNodePriority = 8,
  /// What the last launch left allocated is freed when the executable is destroyed; CUDA has no
  /// such
  /// flag, and leaks it.
  xpuGraphInstantiateFlagAutoFreeOnDestroy = 256
} xpuGraphInstantiateFlags;

/// Makes an executable of a graph on the current device. Nodes may be on up to seven other devices,
/// too: a kernel runs on the device of its module, a record on that of the event, a fill on that of
/// the memory, a copy on that of the device memory that it touches. A copy between two devices runs
/// on the source's if that reaches the target's memory, else on the target's, and if neither
/// reaches the other it goes through host memory that the executable has for it. Everything else
/// runs on the current device, and so do bodies of conditional nodes.
///
/// An executable is a snapshot: the graph may be edited
/// or destroyed at once. Kernels, events and modules that it uses are kept alive; memory that it
/// reads and writes is not. A graph that is being captured into may be instantiated; what is
/// captured later is not in it.
/// @param[out] pGraphExec  the executable; the caller destroys it.
/// @param[in] flags  of xpuGraphInstantiateFlags, or-ed.
/// Errors: xpuErrorInvalidValue for a cycle (xpuErrorInfo names its nodes), for unknown flags and
/// for the body of a conditional node on another device; xpuErrorNotSupported for more than eight
/// devices; xpuErrorMemoryAllocation.
/// Since 0.1.
XPU_API xpuError_t xpuGraphInstantiate(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                                       unsigned long long flags);

/// The same as xpuGraphInstantiate(), by CUDA's older name.
/// Since 0.1.
XPU_API xpuError_t xpuGraphInstantiateWithFlags(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                                                unsigned long long flags);

/// What became of xpuGraphInstantiateWithParams().
/// Since 0.1.
typedef enum xpuGraphInstantiateResult XPU_ENUM {
  xpuGraphInstantiateSuccess = 0,
  xpuGraphInstantiateError = 1,                        ///< for a reason that is none of the below
  xpuGraphInstantiateInvalidStructure = 2,             ///< a cycle; `errNode_out` is in it
  xpuGraphInstantiateNodeOperationNotSupported = 3,    ///< what `errNode_out` does cannot be done
  xpuGraphInstantiateMultipleDevicesNotSupported = 4,  ///< `errNode_out` has a body on another
                                                       ///< device, or is on the ninth one
  xpuGraphInstantiateConditionalHandleUnused = 5       ///< a handle belongs to no node
} xpuGraphInstantiateResult;

/// How to make an executable, and what was wrong if there is none.
/// Since 0.1.
typedef struct xpuGraphInstantiateParams {
  uint32_t struct_size;                  ///< in: sizeof(xpuGraphInstantiateParams)
  xpuGraphInstantiateResult result_out;  ///< out
  unsigned long long flags;              ///< of xpuGraphInstantiateFlags, or-ed
  xpuStream_t uploadStream;              ///< not used without the flag Upload
  xpuGraphNode_t errNode_out;  ///< out: the node at fault, NULL if it is no single node's;
                               ///< a conditional node for what is in a body of it
} xpuGraphInstantiateParams;

/// Makes an executable of a graph on the current device, as xpuGraphInstantiate() does. With the
/// flag Upload it is uploaded in `uploadStream`, too, as by xpuGraphUpload().
/// @param[out] pGraphExec  the executable; the caller destroys it.
/// @param[in,out] instantiateParams  `result_out` and `errNode_out` are written, after failures,
///     too.
/// Errors: those of xpuGraphInstantiate() and xpuGraphUpload(); nothing is left behind then.
/// Since 0.1.
XPU_API xpuError_t xpuGraphInstantiateWithParams(xpuGraphExec_t* pGraphExec, xpuGraph_t graph,
                                                 xpuGraphInstantiateParams* instantiateParams);

/// The number of an executable. Graphs and executables are counted together.
/// @param[out] graphID  never used again by the process before 2^32 others.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecGetId(xpuGraphExec_t hGraphExec, unsigned int* graphID);

/// The flags with which an executable was made.
/// @param[out] flags  of xpuGraphInstantiateFlags, or-ed, without Upload.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecGetFlags(xpuGraphExec_t graphExec, unsigned long long* flags);

/// Does now what the first launch would otherwise do, without running anything.
/// @param[in] stream  the stream of the coming launches.
/// Since 0.1.
XPU_API xpuError_t xpuGraphUpload(xpuGraphExec_t graphExec, xpuStream_t stream);

/// Queues one run of an executable. It does not wait on the host. All nodes, on all devices, come
/// after the stream's earlier work and before its later work. The stream may be of any device; one
/// of the device that was current when the executable was made costs least. While the stream is
/// captured, the launch becomes a child graph node.
/// Errors: xpuErrorNotSupported for a graph with conditional nodes in a stream of another device;
/// xpuErrorInvalidValue for NULL or a destroyed executable; xpuErrorInvalidResourceHandle for a bad
/// stream. A node that fails while it runs is reported by the next call that waits for the stream.
/// Since 0.1.
XPU_API xpuError_t xpuGraphLaunch(xpuGraphExec_t graphExec, xpuStream_t stream);

/// What became of xpuGraphExecUpdate().
/// Since 0.1.
typedef enum xpuGraphExecUpdateResult XPU_ENUM {
  xpuGraphExecUpdateSuccess = 0,
  xpuGraphExecUpdateError = 1,                 ///< for a reason that is none of the below
  xpuGraphExecUpdateErrorTopologyChanged = 2,  ///< other nodes or other edges
  xpuGraphExecUpdateErrorNodeTypeChanged = 3,
  xpuGraphExecUpdateErrorFunctionChanged = 4,    ///< not given here: kernels may be exchanged
  xpuGraphExecUpdateErrorParametersChanged = 5,  ///< in a way that an update cannot
  xpuGraphExecUpdateErrorNotSupported = 6,       ///< nodes of this kind cannot be updated
  xpuGraphExecUpdateErrorUnsupportedFunctionChange = 7,  ///< to a kernel of another device
  xpuGraphExecUpdateErrorAttributesChanged = 8
} xpuGraphExecUpdateResult;

/// Why xpuGraphExecUpdate() refused a graph. Nodes are of that graph, or of a child graph in it.
/// Since 0.1.
typedef struct xpuGraphExecUpdateResultInfo {
  uint32_t struct_size;  ///< in: sizeof(xpuGraphExecUpdateResultInfo)
  xpuGraphExecUpdateResult result;
  xpuGraphNode_t errorNode;      ///< the node that differs; NULL if there are more or fewer
  xpuGraphNode_t errorFromNode;  ///< where an edge to `errorNode` begins that differs, else NULL
} xpuGraphExecUpdateResultInfo;

/// Makes an executable do what the nodes of a graph do. The graph must have the same form: nodes of
/// the same types with the same edges. It may be the one that the executable was made of, a copy,
/// or another one; it is best built by the same calls in the same order. Nodes are paired from the
/// last ones (that nothing depends on), in the order in which they were added, along their
/// dependencies, in the order in which those were. What may change is said at the setters below,
/// which follow the same rules; nodes that do the same as before cost next to nothing. Which nodes
/// are disabled does not change. The executable is known by the same nodes as before: those of the
/// graph it was made of.
/// @param[in] hGraph  it may be edited or destroyed at once. What it keeps alive, the executable
///     keeps from now on, and lets go of what it kept before.
/// @param[in,out] resultInfo  `struct_size` is read; the rest is written if the graph was compared.
/// Errors: xpuErrorGraphExecUpdateFailure if the graph is refused: `resultInfo` and
/// xpuGetLastErrorInfo() say why, and the executable is as it was. xpuErrorInvalidValue,
/// xpuErrorMemoryAllocation. Source: cudaGraphExecUpdate.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecUpdate(xpuGraphExec_t hGraphExec, xpuGraph_t hGraph,
                                      xpuGraphExecUpdateResultInfo* resultInfo);

/// Changes what a kernel node does: another kernel, sizes, arguments. A kernel whose arguments and
/// sizes alone change is patched in its command list; the first such change encodes that list anew.
/// @param[in] node  of the graph that the executable was made of, or of a child graph in it (see
///     xpuGraphChildGraphNodeGetGraph()); it must have been there then.
/// @param[in] pNodeParams  copied during the call.
/// Errors: as for xpuGraphAddKernelNode(); xpuErrorInvalidValue for a node that is none of the
/// executable's and a kernel of another device.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecKernelNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                   const xpuKernelNodeParams* pNodeParams);

/// Changes what a copy node does. The old and the new copy have one row; the direction and the
/// types of memory stay. The command list with the node is encoded anew.
/// @param[in] node  as for xpuGraphExecKernelNodeSetParams().
/// Errors: as for xpuGraphAddMemcpyNode(); xpuErrorInvalidValue for what has to stay.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecMemcpyNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                   const xpuMemcpy3DParms* pNodeParams);

/// The same for a run of bytes.
/// @param[in] count  bytes.
/// Errors: as for xpuGraphAddMemcpyNode1D(); xpuErrorInvalidValue for what has to stay.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecMemcpyNodeSetParams1D(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                     void* dst, const void* src, size_t count,
                                                     xpuMemcpyKind kind);

/// Changes what a fill node does. The type of memory and the number of rows stay; of a fill of
/// several rows only the address and the value may change. The command list with the node is
/// encoded anew.
/// @param[in] node  as for xpuGraphExecKernelNodeSetParams().
/// Errors: as for xpuGraphAddMemsetNode(); xpuErrorInvalidValue for what has to stay.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecMemsetNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                   const xpuMemsetParams* pNodeParams);

/// Changes what a host node calls. Both members may change.
/// @param[in] node  as for xpuGraphExecKernelNodeSetParams().
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecHostNodeSetParams(xpuGraphExec_t hGraphExec, xpuGraphNode_t node,
                                                 const xpuHostNodeParams* pNodeParams);

/// Changes what the nodes inside a child graph node do, as xpuGraphExecUpdate() does for all.
/// @param[in] node  as for xpuGraphExecKernelNodeSetParams().
/// @param[in] childGraph  of the same form as the child graph.
/// Errors: xpuErrorInvalidValue if the graph has another form or changes what has to stay.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecChildGraphNodeSetParams(xpuGraphExec_t hGraphExec,
                                                       xpuGraphNode_t node, xpuGraph_t childGraph);

/// Changes the event of an event record node.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] event  it is kept alive.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecEventRecordNodeSetEvent(xpuGraphExec_t hGraphExec,
                                                       xpuGraphNode_t hNode, xpuEvent_t event);

/// Changes the event of an event wait node.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] event  it is kept alive.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecEventWaitNodeSetEvent(xpuGraphExec_t hGraphExec,
                                                     xpuGraphNode_t hNode, xpuEvent_t event);

/// Takes a kernel, copy or fill node out of the coming launches, or puts it back. A disabled node
/// does nothing and keeps its place in the order and its parameters, which can be set meanwhile. No
/// other change of the executable enables or disables a node.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] isEnabled  0: disabled; anything else: enabled, as all nodes are at first.
/// Errors: xpuErrorInvalidValue for other types of nodes and nodes that are none of the
/// executable's.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeSetEnabled(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                          unsigned int isEnabled);

/// Whether a node is enabled.
/// @param[in] hNode  as for xpuGraphNodeSetEnabled().
/// @param[out] isEnabled  1 or 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetEnabled(xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
                                          unsigned int* isEnabled);

/// Destroys an executable. It returns at once; launches that are under way run to their end, and
/// what they need is released after them.
/// Errors: xpuErrorInvalidValue for NULL or a destroyed executable.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecDestroy(xpuGraphExec_t graphExec);

#ifdef __cplusplus
}
#endif
