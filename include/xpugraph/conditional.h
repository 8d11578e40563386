// SPDX-License-Identifier: Apache-2.0
// Conditional nodes: graphs inside a graph that run once, again and again, or not at all, as device
// code decides while the graph runs.
//
// A conditional handle is a 32-bit value that a conditional node looks at when it is reached. The
// node has bodies: graphs that are empty when xpuGraphAddNode() (any_node.h) returns them, and are
// then filled by the calls of node.h or by xpuStreamBeginCaptureToGraph(). Bodies can have kernels,
// copies, fills, empty nodes, child graphs of such nodes, and conditional nodes.
//
// A handle is the device address of its value. A kernel takes it as a `ulong` or as a pointer, and
// sets it with a store; in OpenCL C:
//
//     #define xpuGraphSetConditional(handle, value) (*(global uint*)(handle) = (value))
//     kernel void countdown(ulong handle, global int* left) {
//       xpuGraphSetConditional(handle, --*left > 0);
//     }
//
// A node sees what was set by the nodes that it depends on; a loop also sees what its body set. If
// several kernels that may run at the same time set a handle, one of their values stays.
//
// A thread of the library looks at the value and submits the bodies, so a turn of a loop costs a
// wait of that thread, and a launch returns at once as every other does. What is behind the graph
// in its stream waits for all turns. A loop whose executable is destroyed goes on to its end; if
// that does not come within five seconds it is stopped, and its stream gives xpuErrorLaunchTimeout.
//
// A graph with conditional nodes or handles cannot be cloned, cannot be a child graph, also not by
// a launch into a captured stream, and has one executable at a time. A body cannot be instantiated
// or destroyed by itself.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The value of a conditional node, and its address for device code. It is valid as long as its
/// graph and the executables of that; it is not destroyed.
/// Since 0.1.
typedef unsigned long long xpuGraphConditionalHandle;

/// Flags of a conditional handle.
/// Since 0.1.
typedef enum xpuGraphConditionalHandleFlags XPU_ENUM {
  xpuGraphCondAssignDefault = 1  ///< each launch sets the value before its first node
} xpuGraphConditionalHandleFlags;

/// How a conditional node chooses.
/// Since 0.1.
typedef enum xpuGraphConditionalNodeType XPU_ENUM {
  /// Runs the first body if the value is not 0, and the second one, if there is one, if it is 0.
  xpuGraphCondTypeIf = 0,
  /// Runs the body as long as the value is not 0, which it looks at before every turn.
  xpuGraphCondTypeWhile = 1,
  /// Runs the body of that number; none, if there is none.
  xpuGraphCondTypeSwitch = 2
} xpuGraphConditionalNodeType;

/// A conditional node.
/// Since 0.1.
typedef struct xpuConditionalNodeParams {
  xpuGraphConditionalHandle handle;  ///< of the graph of the node, or of one around it
  xpuGraphConditionalNodeType type;
  unsigned int size;  ///< number of bodies: 1 or 2 for an if, 1 for a while, 1 or more for a switch
  /// out: an array of the bodies, `size` entries. It belongs to the library, as the graphs in it
  /// do, and is valid as long as the node.
  xpuGraph_t* phGraph_out;
} xpuConditionalNodeParams;

/// Makes a handle for a conditional node that will be in the graph or in a body of it. Exactly one
/// node must look at it when the graph is instantiated.
/// @param[out] pHandle_out  the handle.
/// @param[in] defaultLaunchValue  what each launch sets the value to, with
///     xpuGraphCondAssignDefault. Without that flag the value is undefined until a kernel sets it.
/// @param[in] flags  0 or xpuGraphCondAssignDefault.
/// Errors: xpuErrorInvalidValue for unknown flags; xpuErrorNotSupported for a graph inside a child
/// graph node; xpuErrorMemoryAllocation.
/// Since 0.1.
XPU_API xpuError_t xpuGraphConditionalHandleCreate(xpuGraphConditionalHandle* pHandle_out,
                                                   xpuGraph_t graph,
                                                   unsigned int defaultLaunchValue,
                                                   unsigned int flags);

#ifdef __cplusplus
}
#endif
