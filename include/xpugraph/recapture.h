// SPDX-License-Identifier: Apache-2.0
// Recapture: capturing once more into a graph that was captured before, so that its nodes stay and
// only what they do is set anew.
//
// The work must be given in the same order, in streams that are forked and joined in the same way:
// each captured call stands for the next node of the graph, in the order in which they were
// created. Of that node must be the same
// - its kind, and the nodes that it depends on, with the data of the edges;
// - for xpuMallocAsync() the size and the devices: it gives the address of that node; for
//   xpuFreeAsync() the address;
// - for xpuGraphLaunch() the nodes and edges of the executable, in its child graphs too.
// Everything else may differ, the kernel of a kernel node too, if the program's function allows it.
//
// Empty nodes and conditional nodes, which no captured call makes, are passed over and stay as they
// are; xpuStreamUpdateCaptureDependencies() brings them in front, as it brings any node that a
// program had added by itself. The bodies of conditional nodes are captured again by themselves,
// also while the graph around them is. All allocations are nodes: a graph whose allocations come
// from a private pool is captured again without allocating.
//
// Executables do not change by it. xpuGraphExecUpdate() brings a graph that was captured again into
// one that was made of it.
#pragma once

#include <xpugraph/any_node.h>
#include <xpugraph/capture.h>
#include <xpugraph/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Asked about each node that would do something else than before, in the thread and during the
/// call that is captured. It must not call the library, but for questions about errors: calls are
/// refused with xpuErrorNotPermitted. No lock of the library is held.
/// @param[in] data  the `userData`.
/// @param[in] node  the node; it stays.
/// @param[in] originalParams  what it did until now; valid during the call, with all it points to.
/// @param[in] recaptureParams  what it is to do, of the same type; valid as long. A child graph is
///     told by the handles of two graphs, and asked about as a whole.
/// @return xpuSuccess to allow it; anything else fails the recapture.
/// Since 0.1.
typedef xpuError_t (*xpuGraphRecaptureCallback_t)(void* data, xpuGraphNode_t node,
                                                  const xpuGraphNodeParams* originalParams,
                                                  const xpuGraphNodeParams* recaptureParams);

/// Whom a recapture asks.
/// Since 0.1.
typedef struct xpuGraphRecaptureCallbackData {
  xpuGraphRecaptureCallback_t callbackFunc;  ///< NULL: every change is allowed
  void* userData;                            ///< given to it
} xpuGraphRecaptureCallbackData;

/// Begins to capture a stream into a graph that has its nodes already. The graph gives up its
/// references to user objects first; new ones may be given to it at any time. Until
/// xpuStreamEndCapture() the graph, and the child graphs in it, can be looked at, but not changed,
/// copied, instantiated or used for an update (xpuErrorIllegalState).
///
/// A captured call that is not what made the next node, or that the program's function does not
/// allow, fails with xpuErrorGraphRecaptureFailure; so does the end if nodes are missing. A
/// recapture that fails so, or in another way, or is given up, leaves the graph undefined:
/// xpuGraphDestroy() is all that is allowed then, everything else is refused with
/// xpuErrorIllegalState, for its nodes and for graphs inside of it, too. Executables made of it are
/// as before.
/// @param[in] graph  may be the body of a conditional node or a child graph.
/// @param[in] callbackData  copied; NULL allows every change. The function may be called until the
///     end of the capture, in every thread that captures.
/// Errors: as for xpuStreamBeginCapture(); xpuErrorIllegalState if the graph, or one inside of it,
/// is being captured into. The graph is as before then. Since 0.1.
XPU_API xpuError_t
xpuStreamBeginRecaptureToGraph(xpuStream_t stream, xpuStreamCaptureMode mode, xpuGraph_t graph,
                               const xpuGraphRecaptureCallbackData* callbackData);

#ifdef __cplusplus
}
#endif
