// SPDX-License-Identifier: Apache-2.0
// Graphs as a value: nodes of work, and edges that say what must come before what.
//
// A graph is a template. It runs only after xpuGraphInstantiate() (exec.h) has made an executable
// of it, which is a snapshot: editing or destroying the graph later does not change it.
//
// Threads: calls on one graph, or on its nodes, must not overlap; different graphs are independent.
#pragma once

#include <xpugraph/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuGraph_st* xpuGraph_t;
typedef struct xpuGraphNode_st* xpuGraphNode_t;

/// What a node does. The numbers that are left out are not given out yet.
/// Since 0.1.
typedef enum xpuGraphNodeType XPU_ENUM {
  xpuGraphNodeTypeKernel = 0,
  xpuGraphNodeTypeMemcpy = 1,
  xpuGraphNodeTypeMemset = 2,
  xpuGraphNodeTypeHost = 3,
  xpuGraphNodeTypeGraph = 4,  ///< a child graph
  xpuGraphNodeTypeEmpty = 5,  ///< nothing; joins edges
  xpuGraphNodeTypeWaitEvent = 6,
  xpuGraphNodeTypeEventRecord = 7,
  xpuGraphNodeTypeExtSemaphoreSignal = 8,  ///< see external_semaphore.h
  xpuGraphNodeTypeExtSemaphoreWait = 9,
  xpuGraphNodeTypeMemAlloc = 10,
  xpuGraphNodeTypeMemFree = 11,
  xpuGraphNodeTypeBatchMemOp = 12,  ///< see memop.h
  xpuGraphNodeTypeConditional = 13  ///< see conditional.h
} xpuGraphNodeType;

/// Kinds of edges.
/// Since 0.1.
typedef enum xpuGraphDependencyType XPU_ENUM {
  xpuGraphDependencyTypeDefault = 0,
  xpuGraphDependencyTypeProgrammatic = 1  ///< between kernels; may start early, here it never does
} xpuGraphDependencyType;

/// Values of `from_port` of a kernel node.
/// Since 0.1.
typedef enum xpuGraphKernelNodePort XPU_ENUM {
  xpuGraphKernelNodePortDefault = 0,
  xpuGraphKernelNodePortProgrammatic = 1,     ///< needs xpuGraphDependencyTypeProgrammatic
  xpuGraphKernelNodePortLaunchCompletion = 2  ///< from a kernel
} xpuGraphKernelNodePort;

/// What an edge carries; all zero is a full ordering with all memory visible. Every kind of edge
/// gives at least that here.
/// Since 0.1.
typedef struct xpuGraphEdgeData {
  unsigned char from_port;    ///< of xpuGraphKernelNodePort
  unsigned char to_port;      ///< 0
  unsigned char type;         ///< of xpuGraphDependencyType
  unsigned char reserved[5];  ///< 0
} xpuGraphEdgeData;

/// What xpuGraphDebugDotPrint() writes beside the topology, node types, ids, kernel names and copy
/// directions; or-ed. Unknown bits are ignored.
/// Since 0.1.
typedef enum xpuGraphDebugDotFlags XPU_ENUM {
  xpuGraphDebugDotFlagsVerbose = 1 << 0,  ///< all of them
  xpuGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  xpuGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  xpuGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  xpuGraphDebugDotFlagsHostNodeParams = 1 << 5,
  xpuGraphDebugDotFlagsEventNodeParams = 1 << 6,
  xpuGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  xpuGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  xpuGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  xpuGraphDebugDotFlagsHandles = 1 << 10,
  xpuGraphDebugDotFlagsMemAllocNodeParams = 1 << 11,
  xpuGraphDebugDotFlagsMemFreeNodeParams = 1 << 12,
  xpuGraphDebugDotFlagsBatchMemOpNodeParams = 1 << 13,
  xpuGraphDebugDotFlagsConditionalNodeParams = 1 << 15
} xpuGraphDebugDotFlags;

/// Makes an empty graph.
/// @param[out] pGraph  the graph; the caller destroys it.
/// @param[in] flags  0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphCreate(xpuGraph_t* pGraph, unsigned int flags);

/// Destroys a graph and its nodes. Executables made from it are not affected.
/// Errors: xpuErrorInvalidValue for NULL, a destroyed graph and a graph owned by a child graph
/// node; xpuErrorIllegalState while it is being captured into. Since 0.1.
XPU_API xpuError_t xpuGraphDestroy(xpuGraph_t graph);

/// Makes a deep copy of a graph, child graphs included. Its nodes are new; see
/// xpuGraphNodeFindInClone().
/// @param[out] pGraphClone  the copy; the caller destroys it.
/// Since 0.1.
XPU_API xpuError_t xpuGraphClone(xpuGraph_t* pGraphClone, xpuGraph_t originalGraph);

/// Finds the copy of a node in a clone.
/// @param[out] pNode  the node of `clonedGraph`.
/// @param[in] originalNode  a node of the graph from which `clonedGraph` was cloned directly.
/// Errors: xpuErrorInvalidValue if the node came later, its copy was removed, or the graph is no
/// clone of its graph.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeFindInClone(xpuGraphNode_t* pNode, xpuGraphNode_t originalNode,
                                           xpuGraph_t clonedGraph);

/// Adds edges: `to[i]` runs after `from[i]`. Nothing is added unless all can be. A cycle is found
/// only by xpuGraphInstantiate().
/// @param[in] from  len = numDependencies.
/// @param[in] to  len = numDependencies.
/// @param[in] edgeData  len = numDependencies; may be NULL, for plain edges.
/// Errors: xpuErrorInvalidValue for a node of another graph, an edge to itself, an edge that exists
/// or is given twice, or edge data that does not suit the nodes.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddDependencies(xpuGraph_t graph, const xpuGraphNode_t* from,
                                           const xpuGraphNode_t* to,
                                           const xpuGraphEdgeData* edgeData,
                                           size_t numDependencies);

/// Removes edges. Nothing is removed unless all can be.
/// @param[in] from  len = numDependencies.
/// @param[in] to  len = numDependencies.
/// @param[in] edgeData  len = numDependencies; may be NULL. An edge is known by its two nodes.
/// Errors: xpuErrorInvalidValue for an edge that does not exist or is given twice.
/// Since 0.1.
XPU_API xpuError_t xpuGraphRemoveDependencies(xpuGraph_t graph, const xpuGraphNode_t* from,
                                              const xpuGraphNode_t* to,
                                              const xpuGraphEdgeData* edgeData,
                                              size_t numDependencies);

/// Removes a node and its edges. Its handle stays recognisable as dead.
/// Errors: xpuErrorInvalidValue for NULL or a node that is gone; xpuErrorIllegalState while its
/// graph is being captured into. Since 0.1.
XPU_API xpuError_t xpuGraphDestroyNode(xpuGraphNode_t node);

/// The type of a node.
/// @param[out] pType  the type.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetType(xpuGraphNode_t node, xpuGraphNodeType* pType);

/// The nodes of a graph in the order in which they were added; those of child graphs are not
/// listed.
/// @param[out] nodes  len = *numNodes; may be NULL, and then only the count is told.
/// @param[in,out] numNodes  in: room in `nodes`; out: the number written, or of all nodes if
///     `nodes` is NULL. Room beyond that is set to NULL; less room gives the first ones.
/// Errors: xpuErrorInvalidValue if `nodes` is given and the room is 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphGetNodes(xpuGraph_t graph, xpuGraphNode_t* nodes, size_t* numNodes);

/// The nodes that nothing comes before.
/// @param[out] pRootNodes  len = *pNumRootNodes; may be NULL.
/// @param[in,out] pNumRootNodes  as for xpuGraphGetNodes().
/// Since 0.1.
XPU_API xpuError_t xpuGraphGetRootNodes(xpuGraph_t graph, xpuGraphNode_t* pRootNodes,
                                        size_t* pNumRootNodes);

/// The edges of a graph.
/// @param[out] from  len = *numEdges; may be NULL together with `to` and `edgeData`.
/// @param[out] to  len = *numEdges.
/// @param[out] edgeData  len = *numEdges; may be NULL.
/// @param[in,out] numEdges  as for xpuGraphGetNodes().
/// Errors: xpuErrorLossyQuery if `edgeData` is NULL while an edge carries some;
/// xpuErrorInvalidValue if only some of the arrays are given.
/// Since 0.1.
XPU_API xpuError_t xpuGraphGetEdges(xpuGraph_t graph, xpuGraphNode_t* from, xpuGraphNode_t* to,
                                    xpuGraphEdgeData* edgeData, size_t* numEdges);

/// The nodes that a node waits for, in the order in which the edges were added.
/// @param[out] pDependencies  len = *pNumDependencies; may be NULL.
/// @param[out] edgeData  len = *pNumDependencies; may be NULL.
/// @param[in,out] pNumDependencies  as for xpuGraphGetNodes().
/// Errors: as for xpuGraphGetEdges().
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetDependencies(xpuGraphNode_t node, xpuGraphNode_t* pDependencies,
                                               xpuGraphEdgeData* edgeData,
                                               size_t* pNumDependencies);

/// The nodes that wait for a node, in the order in which the edges were added.
/// @param[out] pDependentNodes  len = *pNumDependentNodes; may be NULL.
/// @param[out] edgeData  len = *pNumDependentNodes; may be NULL.
/// @param[in,out] pNumDependentNodes  as for xpuGraphGetNodes().
/// Errors: as for xpuGraphGetEdges().
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetDependentNodes(xpuGraphNode_t node,
                                                 xpuGraphNode_t* pDependentNodes,
                                                 xpuGraphEdgeData* edgeData,
                                                 size_t* pNumDependentNodes);

/// The number of a graph: that of its picture and of sentences about errors.
/// @param[out] graphID  never used again by the process before 2^32 others.
/// Since 0.1.
XPU_API xpuError_t xpuGraphGetId(xpuGraph_t hGraph, unsigned int* graphID);

/// The graph that a node is in; for a node of a child graph that is the child graph.
/// @param[out] phGraph  the graph.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetContainingGraph(xpuGraphNode_t hNode, xpuGraph_t* phGraph);

/// The number of a node in its graph: that of the graph's picture and of sentences about errors. A
/// node and its copy in a clone have the same.
/// @param[out] nodeId  counted from 0 as nodes are added; not used again in this graph.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetLocalId(xpuGraphNode_t hNode, unsigned int* nodeId);

/// A number for tools, which no other node of the process has or will have.
/// @param[out] toolsNodeId  not 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphNodeGetToolsId(xpuGraphNode_t hNode, unsigned long long* toolsNodeId);

/// Writes a picture of a graph in Graphviz's DOT language.
/// @param[in] path  the file; it is replaced.
/// @param[in] flags  of xpuGraphDebugDotFlags, or-ed.
/// Errors: xpuErrorOperatingSystem if the file cannot be written.
/// Since 0.1.
XPU_API xpuError_t xpuGraphDebugDotPrint(xpuGraph_t graph, const char* path, unsigned int flags);

/// How xpuGraphMemoryReport() tells what it knows.
/// Since 0.1.
typedef enum xpuGraphMemoryReportFormat XPU_ENUM {
  xpuGraphMemoryReportText = 0,  ///< a table for people; its form may change
  xpuGraphMemoryReportJson = 1,  ///< an object for programs
  xpuGraphMemoryReportSvg = 2    ///< a picture: levels to the right, addresses upwards
} xpuGraphMemoryReportFormat;

/// Tells where the allocation nodes of a graph are placed, from which node to which each lives, and
/// how close that is to the least possible. What is captured into a private pool has no nodes; see
/// xpuGraphPoolGetUsage(). Nothing runs and nothing is reserved.
///
/// The JSON object has `graph`, `levels`, `allocations` (`node`, `bytes`, `rounded` to what was
/// placed, `device`, `range` and `offset` in it, `address` as a hexadecimal string, `begins`: a
/// node, `ends`: a node or "stays", `first_level`, `last_level`) and `devices` (`device`, `peak`
/// of addresses, `reserved`: memory of an executable in whole pages, `lower_bound`: the most bytes
/// that can be alive at once in any order that the edges allow, `exact`: false if that is only a
/// bound from below, beyond 512 allocations, `waste`: reserved less lower bound). Nodes are named
/// as in the picture of xpuGraphDebugDotPrint(); a level is the length of the longest way to a
/// node. Members may be added.
/// @param[out] text  the report, with a 0 behind it; NULL to learn the size.
/// @param[in,out] size  bytes: in: the room in `text`, not read if that is NULL; out: what the
/// report
///     has, the 0 included.
/// Errors: xpuErrorInvalidValue for an unknown format, too little room (nothing is written then)
/// and a graph with a cycle. Since 0.1.
XPU_API xpuError_t xpuGraphMemoryReport(xpuGraph_t graph, xpuGraphMemoryReportFormat format,
                                        char* text, size_t* size);

#ifdef __cplusplus
}
#endif
