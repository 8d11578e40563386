// SPDX-License-Identifier: Apache-2.0
// Conditional nodes in a line each.
#pragma once

#include "capturing.h"

namespace xpu::test {

using Handle = xpuGraphConditionalHandle;

inline Handle new_handle(xpuGraph_t graph, unsigned value = 0,
                         unsigned flags = xpuGraphCondAssignDefault) {
  Handle handle = 0;
  assert_ok(xpuGraphConditionalHandleCreate(&handle, graph, value, flags));
  assert_true(handle != 0);
  return handle;
}

struct Branch {
  xpuGraphNode_t node;
  xpuGraph_t* body;  // all of them
};

inline xpuGraphNodeParams conditional_params(Handle handle, xpuGraphConditionalNodeType type,
                                             unsigned size) {
  xpuGraphNodeParams params = {};
  params.struct_size = sizeof params;
  params.type = xpuGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

inline Branch add_branch(xpuGraph_t graph, xpuGraphNode_t after, Handle handle,
                         xpuGraphConditionalNodeType type, unsigned size = 1) {
  xpuGraphNodeParams params = conditional_params(handle, type, size);
  Branch made = {};
  assert_ok(xpuGraphAddNode(&made.node, graph, &after, nullptr, after ? 1 : 0, &params));
  made.body = params.conditional.phGraph_out;
  assert_non_null(made.body);
  return made;
}
inline Branch add_if(xpuGraph_t graph, xpuGraphNode_t after, Handle handle, unsigned size = 1) {
  return add_branch(graph, after, handle, xpuGraphCondTypeIf, size);
}
inline Branch add_while(xpuGraph_t graph, xpuGraphNode_t after, Handle handle) {
  return add_branch(graph, after, handle, xpuGraphCondTypeWhile);
}
inline Branch add_switch(xpuGraph_t graph, xpuGraphNode_t after, Handle handle, unsigned size) {
  return add_branch(graph, after, handle, xpuGraphCondTypeSwitch, size);
}

}  // namespace xpu::test
