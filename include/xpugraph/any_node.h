// SPDX-License-Identifier: Apache-2.0
// Nodes of any kind through one call: a tagged union of what the calls of node.h take.
//
// A program zeroes xpuGraphNodeParams, sets `struct_size`, `type` and the member of that kind. The
// member's own `struct_size`, if it has one, may be left 0: it is then that of the same version as
// the union. Everything else must stay 0, so that later versions can give it a meaning.
#pragma once

#include <xpugraph/conditional.h>
#include <xpugraph/error.h>
#include <xpugraph/exec.h>
#include <xpugraph/external_semaphore.h>
#include <xpugraph/graph.h>
#include <xpugraph/memop.h>
#include <xpugraph/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Who has the graph of a child graph node afterwards.
/// Since 0.1.
typedef enum xpuGraphChildGraphNodeOwnership XPU_ENUM {
  xpuGraphChildGraphOwnershipClone = 0,  ///< the caller; the node gets a copy
  /// The node. The graph's handle stays, for editing it; it cannot be destroyed, instantiated or
  /// made the child of another node any more.
  xpuGraphChildGraphOwnershipMove = 1
} xpuGraphChildGraphNodeOwnership;

/// A copy.
/// Since 0.1.
typedef struct xpuMemcpyNodeParams {
  int flags;                    ///< 0
  int reserved[3];              ///< 0
  xpuMemcpy3DParms copyParams;  ///< as for xpuGraphAddMemcpyNode()
} xpuMemcpyNodeParams;

/// A child graph.
/// Since 0.1.
typedef struct xpuChildGraphNodeParams {
  xpuGraph_t graph;
  xpuGraphChildGraphNodeOwnership ownership;
  uint32_t reserved;  ///< 0
} xpuChildGraphNodeParams;

/// A wait for an event.
/// Since 0.1.
typedef struct xpuEventWaitNodeParams {
  xpuEvent_t event;
} xpuEventWaitNodeParams;

/// A record of an event.
/// Since 0.1.
typedef struct xpuEventRecordNodeParams {
  xpuEvent_t event;
} xpuEventRecordNodeParams;

/// The end of an allocation.
/// Since 0.1.
typedef struct xpuMemFreeNodeParams {
  void* dptr;  ///< as for xpuGraphAddMemFreeNode()
} xpuMemFreeNodeParams;

/// What a node of any kind does.
/// Since 0.1.
typedef struct xpuGraphNodeParams {
  uint32_t struct_size;   ///< in: sizeof(xpuGraphNodeParams)
  xpuGraphNodeType type;  ///< says which of the members counts
  int reserved0[2];       ///< 0
  union {
    long long reserved1[29];  ///< the room of all; 0 behind the member that counts
    xpuKernelNodeParams kernel;
    xpuMemcpyNodeParams memcpy;
    xpuMemsetParams memset;
    xpuHostNodeParams host;
    xpuChildGraphNodeParams graph;
    xpuEventWaitNodeParams eventWait;
    xpuEventRecordNodeParams eventRecord;
    xpuExternalSemaphoreSignalNodeParams extSemSignal;
    xpuExternalSemaphoreWaitNodeParams extSemWait;
    xpuBatchMemOpNodeParams memOp;
    xpuMemAllocNodeParams alloc;  ///< its `dptr` is written
    xpuMemFreeNodeParams free;
    xpuConditionalNodeParams conditional;  ///< its `phGraph_out` is written
  };
  long long reserved2;  ///< 0
} xpuGraphNodeParams;

/// Adds a node of any kind.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] dependencyData  len = numDependencies; may be NULL, for plain edges.
/// @param[in,out] nodeParams  what the kind writes is written, nothing else.
/// Errors: those of the call of node.h for that kind; xpuErrorInvalidValue for an unknown type, for
/// bytes that must be 0 and for edge data that does not suit the nodes. Since 0.1.
XPU_API xpuError_t xpuGraphAddNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                   const xpuGraphNode_t* pDependencies,
                                   const xpuGraphEdgeData* dependencyData, size_t numDependencies,
                                   xpuGraphNodeParams* nodeParams);

/// Replaces what a node does; its edges stay.
/// @param[in] nodeParams  of the node's own type.
/// Errors: xpuErrorInvalidValue for another type than the node's; xpuErrorNotSupported for
/// allocations and their ends, for conditional nodes, and for child graphs, whose graph is edited
/// instead. Since 0.1.
XPU_API xpuError_t xpuGraphNodeSetParams(xpuGraphNode_t node, xpuGraphNodeParams* nodeParams);

/// Changes what a node of an executable does, from its next launch on.
/// @param[in] node  of the graph that the executable was made of; it must have been there then.
/// @param[in] nodeParams  of the node's own type. Of a child graph, whose ownership must be Clone,
/// the
///     nodes are taken over as by xpuGraphExecChildGraphNodeSetParams().
/// Errors: those of the call of exec.h for that type; as for xpuGraphNodeSetParams(). Since 0.1.
XPU_API xpuError_t xpuGraphExecNodeSetParams(xpuGraphExec_t graphExec, xpuGraphNode_t node,
                                             xpuGraphNodeParams* nodeParams);

#ifdef __cplusplus
}
#endif
