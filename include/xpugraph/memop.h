// SPDX-License-Identifier: Apache-2.0
// Values in memory: streams and graphs write them and wait for them. CUDA has these calls in its
// driver API.
//
// A write is done when the work before it is; a wait holds up what comes after it in the stream, or
// behind the node, until the value in memory is right. Memory is of xpuMalloc(), xpuMallocHost() or
// their relatives, of a graph or of a pool, and addresses are multiples of 4, or of 8 for 64 bits.
// Waits need a driver with zexCommandListAppendWaitOnMemory, which Intel's and the CPU driver have;
// with others they are refused with xpuErrorNotSupported. So are, on all, waits for bits
// (xpuStreamWaitValueAnd, Nor), barriers and flushes.
//
// In a graph such a node happens at every launch. A wait holds back the stream of the launch from
// where it stands; nodes that do not depend on it are queued before it.
//
// Errors of all: xpuErrorInvalidValue for an address that is no such memory or no such multiple,
// unknown flags and operations, and bytes that must be 0.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/exec.h>
#include <xpugraph/graph.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a wait compares with.
/// Since 0.1.
typedef enum xpuStreamWaitValue_flags XPU_ENUM {
  /// Until the value in memory is as large or larger, both without a sign; CUDA's comparison goes
  /// round at the end of the numbers, this one does not.
  xpuStreamWaitValueGeq = 0,
  xpuStreamWaitValueEq = 1,
  xpuStreamWaitValueAnd = 2,            ///< refused with xpuErrorNotSupported
  xpuStreamWaitValueNor = 3,            ///< refused with xpuErrorNotSupported
  xpuStreamWaitValueFlush = 0x40000000  ///< refused with xpuErrorNotSupported
} xpuStreamWaitValue_flags;

/// Flags of a write.
/// Since 0.1.
typedef enum xpuStreamWriteValue_flags XPU_ENUM {
  xpuStreamWriteValueDefault = 0,
  xpuStreamWriteValueNoMemoryBarrier = 1  ///< allowed, and no different here
} xpuStreamWriteValue_flags;

/// Operations of a batch.
/// Since 0.1.
typedef enum xpuStreamBatchMemOpType XPU_ENUM {
  xpuStreamMemOpWaitValue32 = 1,
  xpuStreamMemOpWriteValue32 = 2,
  xpuStreamMemOpFlushRemoteWrites = 3,  ///< refused with xpuErrorNotSupported
  xpuStreamMemOpWaitValue64 = 4,
  xpuStreamMemOpWriteValue64 = 5,
  xpuStreamMemOpBarrier = 6  ///< refused with xpuErrorNotSupported
} xpuStreamBatchMemOpType;

/// A wait or a write.
/// Since 0.1.
typedef struct xpuStreamMemOpValueParams {
  xpuStreamBatchMemOpType operation;
  unsigned int flags;  ///< of xpuStreamWaitValue_flags or xpuStreamWriteValue_flags
  void* address;
  unsigned long long value64;  ///< of 32 bits its low half, which `value` is in CUDA
  void* alias;                 ///< NULL
} xpuStreamMemOpValueParams;

/// One operation of a batch. Which member counts, `operation` says, with which both begin.
/// Since 0.1.
typedef union xpuStreamBatchMemOpParams {
  xpuStreamBatchMemOpType operation;
  xpuStreamMemOpValueParams waitValue;
  xpuStreamMemOpValueParams writeValue;
  unsigned long long pad[6];  ///< the room of all; 0 behind the member that counts
} xpuStreamBatchMemOpParams;

/// A node that does operations one after the other.
/// Since 0.1.
typedef struct xpuBatchMemOpNodeParams {
  uint32_t struct_size;                         ///< in: sizeof(xpuBatchMemOpNodeParams)
  unsigned int count;                           ///< 1 to 256
  const xpuStreamBatchMemOpParams* paramArray;  ///< len = count
  unsigned int flags;                           ///< 0
  unsigned int reserved;                        ///< 0
} xpuBatchMemOpNodeParams;

/// Writes 32 bits when the work that is in the stream now is done.
/// @param[in] addr  a multiple of 4.
/// @param[in] flags  of xpuStreamWriteValue_flags.
/// Source: cuStreamWriteValue32. Since 0.1.
XPU_API xpuError_t xpuStreamWriteValue32(xpuStream_t stream, void* addr, unsigned int value,
                                         unsigned int flags);

/// Writes 64 bits.
/// @param[in] addr  a multiple of 8.
/// @param[in] flags  of xpuStreamWriteValue_flags.
/// Since 0.1.
XPU_API xpuError_t xpuStreamWriteValue64(xpuStream_t stream, void* addr, unsigned long long value,
                                         unsigned int flags);

/// Makes what is given to the stream from now on wait until 32 bits in memory are right.
/// @param[in] addr  a multiple of 4.
/// @param[in] flags  of xpuStreamWaitValue_flags.
/// Since 0.1.
XPU_API xpuError_t xpuStreamWaitValue32(xpuStream_t stream, void* addr, unsigned int value,
                                        unsigned int flags);

/// Makes what is given to the stream from now on wait until 64 bits in memory are right. Some of
/// Intel's devices cannot (xpuErrorNotSupported).
/// @param[in] addr  a multiple of 8.
/// @param[in] flags  of xpuStreamWaitValue_flags.
/// Since 0.1.
XPU_API xpuError_t xpuStreamWaitValue64(xpuStream_t stream, void* addr, unsigned long long value,
                                        unsigned int flags);

/// Does several of these, one after the other.
/// @param[in] count  1 to 256.
/// @param[in] paramArray  len = count; copied.
/// @param[in] flags  0.
/// Source: cuStreamBatchMemOp. Since 0.1.
XPU_API xpuError_t xpuStreamBatchMemOp(xpuStream_t stream, unsigned int count,
                                       const xpuStreamBatchMemOpParams* paramArray,
                                       unsigned int flags);

/// Adds a node that does operations one after the other.
/// @param[out] pGraphNode  the node; it lives as long as the graph.
/// @param[in] pDependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] nodeParams  copied during the call. The operations are of the device that is current
///     then.
/// Source: cuGraphAddBatchMemOpNode. Since 0.1.
XPU_API xpuError_t xpuGraphAddBatchMemOpNode(xpuGraphNode_t* pGraphNode, xpuGraph_t graph,
                                             const xpuGraphNode_t* pDependencies,
                                             size_t numDependencies,
                                             const xpuBatchMemOpNodeParams* nodeParams);

/// Reads a node of operations.
/// @param[in,out] params_out  `struct_size` is read, the rest is written. The array belongs to the
///     node and is valid until it is set or destroyed.
/// Since 0.1.
XPU_API xpuError_t xpuGraphBatchMemOpNodeGetParams(xpuGraphNode_t hNode,
                                                   xpuBatchMemOpNodeParams* params_out);

/// Replaces what a node of operations does; their number may change.
/// Since 0.1.
XPU_API xpuError_t xpuGraphBatchMemOpNodeSetParams(xpuGraphNode_t hNode,
                                                   const xpuBatchMemOpNodeParams* nodeParams);

/// Changes the addresses, values and flags of a node of an executable, from its next launch on.
/// @param[in] hNode  as `node` of xpuGraphExecKernelNodeSetParams().
/// @param[in] nodeParams  as many operations as before, each of the same type.
/// Errors: xpuErrorInvalidValue for other operations than before.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecBatchMemOpNodeSetParams(xpuGraphExec_t hGraphExec,
                                                       xpuGraphNode_t hNode,
                                                       const xpuBatchMemOpNodeParams* nodeParams);

#ifdef __cplusplus
}
#endif
