// SPDX-License-Identifier: Apache-2.0
// Profiles: when each node of an executable ran, and for how long.
//
// A profile runs the executable once in an encoding of its own, in which the clock of a node's
// device is read around it, so nothing is slower before or after it. A node's duration contains
// neither the launch nor what other nodes do, but the readings cost time between nodes: compare
// durations, and take the time of a whole launch from events (xpuEventElapsedTime()).
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/exec.h>
#include <xpugraph/graph.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Values of xpuGraphNodeProfile that mean none.
/// Since 0.1.
#define XPU_PROFILE_NONE 0xffffffffu

/// One node in a profile.
/// Since 0.1.
typedef struct xpuGraphNodeProfile {
  uint32_t struct_size;   ///< sizeof(xpuGraphNodeProfile); of the first entry, for all of the array
  xpuGraphNodeType type;  ///< what the node does
  /// The node's number in its own graph, as pictures and error sentences have it.
  unsigned int localId;
  /// Where in the array the child graph node is in whose graph this node is; XPU_PROFILE_NONE: the
  /// graph itself.
  unsigned int parent;
  /// The lane it ran on: nodes of one lane share a queue of a device. XPU_PROFILE_NONE: it has
  /// nothing to run itself.
  unsigned int lane;
  /// 1: the device's clock was read. 0: nothing ran (empty nodes, memory nodes, nodes that are
  /// switched off), or the driver does not tell; the start is then where the nodes before it end,
  /// and the duration 0.
  unsigned int timed;
  /// The kernel's name, or in a word what another node does. The library's; valid until the
  /// executable is updated or destroyed.
  const char* name;
  unsigned long long startNs;     ///< nanoseconds since the run began
  unsigned long long durationNs;  ///< of a child graph node: from its first node's start to the end
} xpuGraphNodeProfile;

/// Runs an executable once, waits for the end of the run, and tells when each node ran. The run is
/// ordered as that of xpuGraphLaunch() and computes the same; a launch of this executable by
/// another thread waits until the profile is done. Only the clock of the device is read, and its
/// resolution is that of the device: on Intel's GPUs some 50 ns. Times of nodes on several devices
/// are brought to one clock by the host's, to about a microsecond. The stream is of the device that
/// the executable was made for. An event wait node takes as long as it waits, a host node from when
/// the device reaches it until it goes on.
/// @param[out] nodes  len = *numNodes; may be NULL. A row for each node, those of child graphs
///     behind their node, and each behind the nodes that it depends on.
/// @param[in,out] numNodes  in: room in `nodes`, not read if that is NULL; out: the number of rows.
///     May be NULL if `nodes` is.
/// @param[in] tracePath  a file to write the profile to, in Chrome's trace event format (JSON;
///     Perfetto and chrome://tracing open it): a thread for each lane, and more where nodes of a
///     lane overlap. It is replaced after the run. May be NULL. If `nodes` is NULL, too, only the
///     number of rows is told and nothing runs.
/// Errors: as for xpuGraphLaunch(); xpuErrorInvalidValue for too little room, if all three are NULL
/// and for a struct_size that no library has had; xpuErrorStreamCaptureUnsupported while the stream
/// is captured, which is invalidated; xpuErrorOperatingSystem if the file cannot be written. Where
/// the file cannot be opened, nothing has run. An error of the run itself comes from this call.
/// Since 0.1.
XPU_API xpuError_t xpuGraphExecProfile(xpuGraphExec_t graphExec, xpuStream_t stream,
                                       xpuGraphNodeProfile* nodes, size_t* numNodes,
                                       const char* tracePath);

#ifdef __cplusplus
}
#endif
