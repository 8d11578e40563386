// SPDX-License-Identifier: Apache-2.0
// Executables: a graph made ready once, to be launched many times.
//
// Making one is where the time goes: the graph is checked, planned and encoded into command lists.
// A launch is one operation in a stream: everything before it in the stream comes before every
// node, and everything after it comes after every node. Launches of one executable run one after
// the other, also in different streams; to overlap two, instantiate twice.
//
// Threads: calls on one executable are serialised; none may overlap with its destruction.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/graph.h>
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

/// Makes an executable of a graph on the current device. It is a snapshot: the graph may be edited
/// or destroyed at once. Kernels, events and modules that it uses are kept alive; memory that it
/// reads and writes is not. A graph that is being captured into may be instantiated; what is
/// captured later is not in it.
/// @param[out] pGraphExec  the executable; the caller destroys it.
/// @param[in] flags  of xpuGraphInstantiateFlags, or-ed.
/// Errors: xpuErrorInvalidValue for a cycle (xpuErrorInfo names its nodes) and unknown flags;
/// xpuErrorMemoryAllocation.
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
  xpuGraphInstantiateMultipleDevicesNotSupported = 4,  ///< `errNode_out` is for another device
  xpuGraphInstantiateConditionalHandleUnused = 5       ///< a handle belongs to no node
} xpuGraphInstantiateResult;

/// How to make an executable, and what was wrong if there is none.
/// Since 0.1.
typedef struct xpuGraphInstantiateParams {
  uint32_t struct_size;                  ///< in: sizeof(xpuGraphInstantiateParams)
  xpuGraphInstantiateResult result_out;  ///< out
  unsigned long long flags;              ///< of xpuGraphInstantiateFlags, or-ed
  xpuStream_t uploadStream;              ///< not used without the flag Upload
  xpuGraphNode_t errNode_out;            ///< out: the node at fault, NULL if it is no single node's
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

/// Queues one run of an executable. It does not wait on the host. The stream must be of the device
/// that was current when the executable was made. While the stream is captured, the launch becomes
/// a child graph node.
/// Errors: xpuErrorInvalidValue for NULL or a destroyed executable; xpuErrorInvalidResourceHandle
/// for a bad stream. A node that fails while it runs is reported by the next call that waits for
/// the stream.
/// Since 0.1.
XPU_API xpuError_t xpuGraphLaunch(xpuGraphExec_t graphExec, xpuStream_t stream);

/// Destroys an executable. It returns at once; launches that are under way run to their end, and
/// what they need is released after them.
/// Errors: xpuErrorInvalidValue for NULL or a destroyed executable.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecDestroy(xpuGraphExec_t graphExec);

#ifdef __cplusplus
}
#endif
