// SPDX-License-Identifier: Apache-2.0
// Capture: recording what is given to streams into a graph instead of running it.
//
// Between begin and end, work given to the origin stream becomes nodes. Recording an event in a
// captured stream and letting another stream wait for it brings that stream into the capture (a
// fork); before the end, the origin must wait for what was captured there (a join).
//
// Two kinds of calls are refused. Calls that would wait for captured work, or order eager work with
// it, are refused in every mode. Calls that act at once and would be missing from the graph
// (allocation, loading modules, waiting for other streams) are refused with
// xpuErrorStreamCaptureUnsupported, depending on the calling thread's mode, which is
// - global at first: while this thread has a capture begun global or thread-local, or while any
//   other thread has one begun global;
// - thread-local: while this thread has a capture begun global or thread-local;
// - relaxed: never.
//
// A refused call invalidates the captures concerned: all that is left then is to end them.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/graph.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How much a capture, or a thread, forbids.
/// Since 0.1.
typedef enum xpuStreamCaptureMode XPU_ENUM {
  xpuStreamCaptureModeGlobal = 0,
  xpuStreamCaptureModeThreadLocal = 1,
  xpuStreamCaptureModeRelaxed = 2
} xpuStreamCaptureMode;

/// Whether a stream is captured.
/// Since 0.1.
typedef enum xpuStreamCaptureStatus XPU_ENUM {
  xpuStreamCaptureStatusNone = 0,
  xpuStreamCaptureStatusActive = 1,
  xpuStreamCaptureStatusInvalidated = 2  ///< captured, and something illegal happened
} xpuStreamCaptureStatus;

/// What xpuStreamUpdateCaptureDependencies() does with its nodes.
/// Since 0.1.
typedef enum xpuStreamUpdateCaptureDependenciesFlags XPU_ENUM {
  xpuStreamAddCaptureDependencies = 0,
  xpuStreamSetCaptureDependencies = 1
} xpuStreamUpdateCaptureDependenciesFlags;

/// Begins to capture a stream into a new graph. Work already in the stream is not part of it.
/// Errors: xpuErrorStreamCaptureUnsupported for the legacy default stream; xpuErrorIllegalState if
/// the stream is captured already.
/// Since 0.1.
XPU_API xpuError_t xpuStreamBeginCapture(xpuStream_t stream, xpuStreamCaptureMode mode);

/// A pool that captures allocate from and that their graphs share; a token, passed by value. Both
/// numbers zero: no pool. See xpuGraphPoolCreate().
/// Since 0.1.
typedef struct xpuGraphPool {
  uint64_t first;
  uint64_t second;
} xpuGraphPool;

/// How xpuStreamBeginCaptureWithParams() captures.
/// Since 0.1.
typedef struct xpuStreamCaptureParams {
  uint32_t struct_size;  ///< in: sizeof(xpuStreamCaptureParams)
  xpuStreamCaptureMode mode;
  xpuGraphPool pool;  ///< where allocations come from; zeros: they become nodes of the graph
} xpuStreamCaptureParams;

/// As xpuStreamBeginCapture(), with a private pool: what xpuMallocAsync() allocates in any stream
/// that takes part in the capture comes from the pool. Its address is there at once, memory behind
/// it from the end of the capture on, and it stays while the pool lives, until xpuFreeAsync() or
/// xpuFree(). What is freed during the capture is used again for work that is captured behind the
/// free. The graph and its executables hold the pool. A capture that fails leaves the pool as it
/// was. Errors: as for xpuStreamBeginCapture(); xpuErrorInvalidValue for a pool that is not there;
/// xpuErrorIllegalState while another capture uses the pool.
/// Since 0.1.
XPU_API xpuError_t xpuStreamBeginCaptureWithParams(xpuStream_t stream,
                                                   const xpuStreamCaptureParams* params);

/// Makes a private pool, for captures one after another. Graphs that were captured into one pool
/// share its memory: they must be launched in the order in which they were captured and must not
/// overlap; a later graph may overwrite what an earlier one left, except in what was still
/// allocated when the later capture began.
/// @param[out] pool  the token; the caller holds the pool until xpuGraphPoolRelease().
/// Since 0.1.
XPU_API xpuError_t xpuGraphPoolCreate(xpuGraphPool* pool);
/// Holds a pool once more. It may be done for a pool that graphs alone hold.
/// Errors: xpuErrorInvalidValue for a pool that is not there.
/// Since 0.1.
XPU_API xpuError_t xpuGraphPoolRetain(xpuGraphPool pool);
/// Lets go of a pool once. With its last holder, graphs included, the pool and all that is
/// allocated in it goes. Errors: xpuErrorInvalidValue for a pool that is not there or that nobody
/// holds but graphs. Since 0.1.
XPU_API xpuError_t xpuGraphPoolRelease(xpuGraphPool pool);

/// What a private pool holds, on all devices together.
/// Since 0.1.
typedef struct xpuGraphPoolUsage {
  uint32_t struct_size;  ///< in: sizeof(xpuGraphPoolUsage)
  uint32_t reserved;     ///< 0
  size_t liveBytes;      ///< allocated and not freed, in multiples of 512
  size_t peakBytes;      ///< what the addresses given out so far span
  size_t reservedBytes;  ///< of memory; the peak, as the driver rounds it, from the end of a
                         ///< capture on
} xpuGraphPoolUsage;

/// @param[out] usage  what the pool holds.
/// Errors: xpuErrorInvalidValue for a pool that is not there.
/// Since 0.1.
XPU_API xpuError_t xpuGraphPoolGetUsage(xpuGraphPool pool, xpuGraphPoolUsage* usage);

/// Begins to capture a stream into an existing graph; the first captured nodes depend on the given
/// ones. Until the end the graph cannot be destroyed, nor nodes be removed from it.
/// @param[in] dependencies  len = numDependencies; may be NULL if that is 0.
/// @param[in] dependencyData  len = numDependencies; may be NULL, for plain edges.
/// Errors: as for xpuStreamBeginCapture(); xpuErrorIllegalState if the graph is being captured into
/// already; xpuErrorInvalidValue for nodes of another graph.
/// Since 0.1.
XPU_API xpuError_t xpuStreamBeginCaptureToGraph(xpuStream_t stream, xpuGraph_t graph,
                                                const xpuGraphNode_t* dependencies,
                                                const xpuGraphEdgeData* dependencyData,
                                                size_t numDependencies, xpuStreamCaptureMode mode);

/// Ends a capture and returns its streams to normal, also if it fails.
/// @param[out] pGraph  the graph, which the caller destroys; after xpuStreamBeginCaptureToGraph()
///     the graph that was given, and then it may be NULL. Set to NULL if the capture is lost.
/// Errors, with the capture lost: xpuErrorStreamCaptureUnjoined if captured work does not lead back
/// to the stream; xpuErrorStreamCaptureInvalidated, and xpuGetLastErrorInfo() tells which call in
/// which thread was the cause.
/// Errors, with the capture going on: xpuErrorStreamCaptureUnmatched if another stream began it;
/// xpuErrorStreamCaptureWrongThread if another thread did, except in relaxed mode;
/// xpuErrorInvalidValue if `pGraph` is NULL and must not be; xpuErrorIllegalState if nothing is
/// captured.
/// Since 0.1.
XPU_API xpuError_t xpuStreamEndCapture(xpuStream_t stream, xpuGraph_t* pGraph);

/// Gives a capture up, from any stream that takes part in it, in any thread, whatever its state.
/// All its streams are ordinary again, and what was captured is gone: the graph with its nodes,
/// unless it was there before (xpuStreamBeginCaptureToGraph()) and then keeps them; memory of a
/// private pool is as it was before the capture. A stream that is not captured stays as it is, so
/// that it can be called wherever a capture may have been left behind. CUDA has no such call.
/// Errors: xpuErrorInvalidResourceHandle for a bad stream.
/// Since 0.1.
XPU_API xpuError_t xpuStreamAbortCapture(xpuStream_t stream);

/// Tells whether a stream is captured.
/// @param[out] pCaptureStatus  the status.
/// Errors: xpuErrorStreamCaptureImplicit for the legacy default stream while a stream that it is
/// ordered with is captured.
/// Since 0.1.
XPU_API xpuError_t xpuStreamIsCapturing(xpuStream_t stream, xpuStreamCaptureStatus* pCaptureStatus);

/// Tells about the capture of a stream. Outputs other than the status are written only while it is
/// active. The arrays belong to the library and are valid until the next call on the stream.
/// @param[out] captureStatus_out  the status.
/// @param[out] id_out  a number that no other capture of this process has; may be NULL.
/// @param[out] graph_out  the graph; it may be edited, but not destroyed and no nodes removed until
///     the end. May be NULL.
/// @param[out] dependencies_out  len = *numDependencies_out; the nodes that the next one in the
///     stream will depend on. May be NULL.
/// @param[out] edgeData_out  len = *numDependencies_out; may be NULL.
/// @param[out] numDependencies_out  may be NULL.
/// Errors: xpuErrorLossyQuery if `edgeData_out` is NULL while an edge would carry some; otherwise
/// as for xpuStreamIsCapturing().
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetCaptureInfo(xpuStream_t stream,
                                           xpuStreamCaptureStatus* captureStatus_out,
                                           unsigned long long* id_out, xpuGraph_t* graph_out,
                                           const xpuGraphNode_t** dependencies_out,
                                           const xpuGraphEdgeData** edgeData_out,
                                           size_t* numDependencies_out);

/// Changes the nodes that the next one in a captured stream will depend on. Nodes that are dropped
/// so do not count as unjoined.
/// @param[in] dependencies  len = numDependencies; may be NULL if that is 0. Nodes of the captured
///     graph.
/// @param[in] dependencyData  len = numDependencies; may be NULL, for plain edges.
/// @param[in] flags  one of xpuStreamUpdateCaptureDependenciesFlags.
/// Errors: xpuErrorIllegalState if the stream is not captured.
/// Since 0.1.
XPU_API xpuError_t xpuStreamUpdateCaptureDependencies(xpuStream_t stream,
                                                      const xpuGraphNode_t* dependencies,
                                                      const xpuGraphEdgeData* dependencyData,
                                                      size_t numDependencies, unsigned int flags);

/// Swaps the calling thread's mode, which begins as global. Call it again with the same variable to
/// go back.
/// @param[in,out] mode  in: the new mode; out: the old one.
/// Since 0.1.
XPU_API xpuError_t xpuThreadExchangeStreamCaptureMode(xpuStreamCaptureMode* mode);

#ifdef __cplusplus
}
#endif
