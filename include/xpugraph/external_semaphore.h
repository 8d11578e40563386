// SPDX-License-Identifier: Apache-2.0
// External semaphores: what another program or library signals and waits for, such as Vulkan, made
// known to streams and graphs.
//
// A semaphore comes in as a file descriptor. The driver must have Level Zero's
// ZE_extension_external_semaphores; otherwise xpuImportExternalSemaphore() is refused with
// xpuErrorNotSupported. Which descriptors a driver takes is its own business: Intel's takes those
// that Vulkan exports, and the CPU driver an eventfd (OpaqueFd) or a file of shared memory that
// begins with the 64-bit value (TimelineSemaphoreFd).
//
// In a graph, a signal or a wait is a node, and happens at every launch. A wait holds back the
// stream of the launch from where it stands; nodes that do not depend on it are queued before it.
// Values are parameters of the node: a timeline that is to move on at every launch needs new ones
// each time, by xpuGraphExecExternalSemaphores…NodeSetParams().
//
// Errors of all that take semaphores: xpuErrorInvalidResourceHandle (of nodes:
// xpuErrorInvalidValue) for a NULL or destroyed semaphore; xpuErrorInvalidValue for no semaphores,
// NULL arrays, bytes that must be 0 and semaphores of different devices.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/exec.h>
#include <xpugraph/graph.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuExternalSemaphore_st* xpuExternalSemaphore_t;

/// What a semaphore is imported from. CUDA's other types are refused with xpuErrorNotSupported.
/// Since 0.1.
typedef enum xpuExternalSemaphoreHandleType XPU_ENUM {
  /// A descriptor of a semaphore whose signal is used up by a wait; values mean nothing.
  xpuExternalSemaphoreHandleTypeOpaqueFd = 1,
  /// A descriptor of a timeline: a signal sets its value, and a wait is over once the value is
  /// reached or passed.
  xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9
} xpuExternalSemaphoreHandleType;

/// What a type of semaphore is imported from.
/// Since 0.1.
typedef union xpuExternalSemaphoreHandle {
  int fd;                          ///< of both types
  unsigned long long reserved[2];  ///< the room of all
} xpuExternalSemaphoreHandle;

/// A semaphore to import.
/// Since 0.1.
typedef struct xpuExternalSemaphoreHandleDesc {
  uint32_t struct_size;  ///< in: sizeof(xpuExternalSemaphoreHandleDesc)
  xpuExternalSemaphoreHandleType type;
  xpuExternalSemaphoreHandle handle;
  unsigned int flags;     ///< 0
  unsigned int reserved;  ///< 0
} xpuExternalSemaphoreHandleDesc;

/// The value of a timeline.
/// Since 0.1.
typedef struct xpuExternalSemaphoreFence {
  unsigned long long value;  ///< not read for other types
} xpuExternalSemaphoreFence;

/// What types of semaphores want to know.
/// Since 0.1.
typedef struct xpuExternalSemaphoreValues {
  xpuExternalSemaphoreFence fence;
  unsigned int reserved[14];  ///< 0
} xpuExternalSemaphoreValues;

/// What a signal does to a semaphore.
/// Since 0.1.
typedef struct xpuExternalSemaphoreSignalParams {
  xpuExternalSemaphoreValues params;  ///< `fence.value` is what a timeline gets
  unsigned int flags;                 ///< 0
  unsigned int reserved[15];          ///< 0
} xpuExternalSemaphoreSignalParams;

/// What a wait waits for.
/// Since 0.1.
typedef struct xpuExternalSemaphoreWaitParams {
  xpuExternalSemaphoreValues params;  ///< `fence.value` is what a timeline must reach
  unsigned int flags;                 ///< 0
  unsigned int reserved[15];          ///< 0
} xpuExternalSemaphoreWaitParams;

/// A node that signals semaphores, in the order of the array.
/// Since 0.1.
typedef struct xpuExternalSemaphoreSignalNodeParams {
  uint32_t struct_size;                 ///< in: sizeof(xpuExternalSemaphoreSignalNodeParams)
  unsigned int numExtSems;              ///< not 0
  xpuExternalSemaphore_t* extSemArray;  ///< len = numExtSems
  const xpuExternalSemaphoreSignalParams* paramsArray;  ///< len = numExtSems
} xpuExternalSemaphoreSignalNodeParams;

/// A node that waits for semaphores, for one after the other.
/// Since 0.1.
typedef struct xpuExternalSemaphoreWaitNodeParams {
  uint32_t struct_size;                 ///< in: sizeof(xpuExternalSemaphoreWaitNodeParams)
  unsigned int numExtSems;              ///< not 0
  xpuExternalSemaphore_t* extSemArray;  ///< len = numExtSems
  const xpuExternalSemaphoreWaitParams* paramsArray;  ///< len = numExtSems
} xpuExternalSemaphoreWaitNodeParams;

/// Makes a semaphore known to the current device.
/// @param[out] extSem_out  the semaphore; the caller destroys it.
/// @param[in] semHandleDesc  the descriptor in it belongs to the library from then on, which closes
///     it; it stays the caller's if the call fails.
/// Errors: xpuErrorNotSupported if the driver has no external semaphores, and for other types;
/// xpuErrorInvalidValue for a descriptor that is not open or not of that type.
/// Source: cudaImportExternalSemaphore. Since 0.1.
XPU_API xpuError_t xpuImportExternalSemaphore(xpuExternalSemaphore_t* extSem_out,
                                              const xpuExternalSemaphoreHandleDesc* semHandleDesc);

/// Forgets a semaphore. It returns at once; signals and waits that are queued still happen, and
/// graphs that have the semaphore in a node keep what they need of it.
/// Errors: xpuErrorInvalidResourceHandle for NULL or a destroyed semaphore.
/// Since 0.1.
XPU_API xpuError_t xpuDestroyExternalSemaphore(xpuExternalSemaphore_t extSem);

/// Signals semaphores when the work that is in the stream now is done. In a capture it becomes a
/// node.
/// @param[in] extSemArray  len = numExtSems.
/// @param[in] paramsArray  len = numExtSems; copied.
/// @param[in] numExtSems  not 0.
/// @param[in] stream  of the semaphores' device.
/// Since 0.1.
XPU_API xpuError_t xpuSignalExternalSemaphoresAsync(
    const xpuExternalSemaphore_t* extSemArray, const xpuExternalSemaphoreSignalParams* paramsArray,
    unsigned int numExtSems, xpuStream_t stream);

/// Makes what is given to the stream from now on wait for semaphores, for one after the other. The
/// host does not wait. In a capture it becomes a node.
/// @param[in] extSemArray  len = numExtSems.
/// @param[in] paramsArray  len = numExtSems; copied.
/// @param[in] numExtSems  not 0.
/// @param[in] stream  of the semaphores' device.
/// Since 0.1.
XPU_API xpuError_t xpuWaitExternalSemaphoresAsync(const xpuExternalSemaphore_t* extSemArray,
                                                  const xpuExternalSemaphoreWaitParams* paramsArray,
                                                  unsigned int numExtSems, xpuStream_t stream);

/// Adds signals of semaphores.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] nodeParams  copied during the call; the graph keeps what it needs of the semaphores.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddExternalSemaphoresSignalNode(
    xpuGraphNode_t* pGraphNode, xpuGraph_t graph, const xpuGraphNode_t* pDependencies,
    size_t numDependencies, const xpuExternalSemaphoreSignalNodeParams* nodeParams);

/// Adds waits for semaphores.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] nodeParams  copied during the call; the graph keeps what it needs of the semaphores.
/// Since 0.1.
XPU_API xpuError_t xpuGraphAddExternalSemaphoresWaitNode(
    xpuGraphNode_t* pGraphNode, xpuGraph_t graph, const xpuGraphNode_t* pDependencies,
    size_t numDependencies, const xpuExternalSemaphoreWaitNodeParams* nodeParams);

/// Reads a node that signals semaphores.
/// @param[in,out] params_out  `struct_size` is read, the rest is written. The arrays belong to the
///     node and are valid until it is set or destroyed; a semaphore that was destroyed is a dead
///     handle.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExternalSemaphoresSignalNodeGetParams(
    xpuGraphNode_t hNode, xpuExternalSemaphoreSignalNodeParams* params_out);

/// Reads a node that waits for semaphores.
/// @param[in,out] params_out  as for xpuGraphExternalSemaphoresSignalNodeGetParams().
/// Since 0.1.
XPU_API xpuError_t xpuGraphExternalSemaphoresWaitNodeGetParams(
    xpuGraphNode_t hNode, xpuExternalSemaphoreWaitNodeParams* params_out);

/// Replaces a node that signals semaphores; their number may change.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExternalSemaphoresSignalNodeSetParams(
    xpuGraphNode_t hNode, const xpuExternalSemaphoreSignalNodeParams* nodeParams);

/// Replaces a node that waits for semaphores; their number may change.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExternalSemaphoresWaitNodeSetParams(
    xpuGraphNode_t hNode, const xpuExternalSemaphoreWaitNodeParams* nodeParams);

/// Changes what a node of an executable signals, from its next launch on.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] nodeParams  as many semaphores as before, of the executable's device.
/// Errors: xpuErrorInvalidValue for another number of semaphores and for another device.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecExternalSemaphoresSignalNodeSetParams(
    xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
    const xpuExternalSemaphoreSignalNodeParams* nodeParams);

/// Changes what a node of an executable waits for, from its next launch on.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] nodeParams  as many semaphores as before, of the executable's device.
/// Errors: xpuErrorInvalidValue for another number of semaphores and for another device.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecExternalSemaphoresWaitNodeSetParams(
    xpuGraphExec_t hGraphExec, xpuGraphNode_t hNode,
    const xpuExternalSemaphoreWaitNodeParams* nodeParams);

#ifdef __cplusplus
}
#endif
