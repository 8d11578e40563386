// SPDX-License-Identifier: Apache-2.0
// Making executables with a struct of wishes, and learning which node forbids one; the numbers of
// graphs, nodes and executables.
#include <stdlib.h>
#include <unistd.h>

#include "branching.h"

using namespace xpu::test;

static xpuGraphInstantiateParams wishes(unsigned long long flags = 0,
                                        xpuStream_t stream = nullptr) {
  xpuGraphInstantiateParams params;
  memset(&params, 0xa5, sizeof params);
  params.struct_size = sizeof params;
  params.flags = flags;
  params.uploadStream = stream;
  return params;
}

static void a_graph_becomes_an_executable_with_its_flags(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  (void)add_one(graph, nullptr, "store", p, 0, 6);
  const xpuStream_t stream = new_stream();
  xpuGraphInstantiateParams params =
      wishes(xpuGraphInstantiateFlagUpload | xpuGraphInstantiateFlagAutoFreeOnLaunch, stream);
  xpuGraphExec_t exec = nullptr;
  unsigned long long flags = 99;

  assert_ok(xpuGraphInstantiateWithParams(&exec, graph, &params));

  assert_int_equal(xpuGraphInstantiateSuccess, params.result_out);
  assert_null(params.errNode_out);
  assert_ptr_equal(stream, params.uploadStream);
  assert_ok(xpuGraphExecGetFlags(exec, &flags));
  assert_int_equal(xpuGraphInstantiateFlagAutoFreeOnLaunch, flags);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFree(p));
}

static void the_stream_counts_only_with_the_flag(void**) {
  const xpuGraph_t graph = new_graph();
  const auto none = reinterpret_cast<xpuStream_t>(graph);  // no stream at all
  xpuGraphExec_t exec = nullptr;
  xpuGraphInstantiateParams params = wishes(0, none);
  assert_ok(xpuGraphInstantiateWithParams(&exec, graph, &params));
  assert_ok(xpuGraphExecDestroy(exec));
  exec = nullptr;
  params = wishes(xpuGraphInstantiateFlagUpload, none);
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), xpuErrorInvalidResourceHandle);
  assert_string_equal("instantiateParams->uploadStream", last_failure().argument);
  assert_int_equal(xpuGraphInstantiateError, params.result_out);
  assert_null(params.errNode_out);
  assert_null(exec);
  // NULL is the default stream, which has no other order here.
  params = wishes(xpuGraphInstantiateFlagUpload, nullptr);
  assert_ok(xpuGraphInstantiateWithParams(&exec, graph, &params));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void link(xpuGraph_t graph, xpuGraphNode_t from, xpuGraphNode_t to) {
  assert_ok(xpuGraphAddDependencies(graph, &from, &to, nullptr, 1));
}
static xpuGraphNode_t add_empty(xpuGraph_t graph) {
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&node, graph, nullptr, 0));
  return node;
}

static void a_cycle_is_told_by_one_of_its_nodes(void**) {
  const xpuGraph_t graph = new_graph(), outer = new_graph();
  const xpuGraphNode_t first = add_empty(graph), a = add_empty(graph), b = add_empty(graph);
  link(graph, first, a);
  link(graph, a, b);
  link(graph, b, a);
  xpuGraphExec_t exec = nullptr;
  xpuGraphInstantiateParams params = wishes();
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateInvalidStructure, params.result_out);
  assert_true(params.errNode_out == a || params.errNode_out == b);
  assert_null(exec);

  // In a child graph it is a node of the child graph.
  xpuGraphNode_t node = nullptr, inner[3] = {};
  xpuGraph_t inside = nullptr;
  size_t count = 3;
  assert_ok(xpuGraphAddChildGraphNode(&node, outer, nullptr, 0, graph));
  assert_ok(xpuGraphChildGraphNodeGetGraph(node, &inside));
  assert_ok(xpuGraphGetNodes(inside, inner, &count));
  params = wishes();
  assert_code(xpuGraphInstantiateWithParams(&exec, outer, &params), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateInvalidStructure, params.result_out);
  assert_true(params.errNode_out == inner[1] || params.errNode_out == inner[2]);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(outer));
}

static void a_cycle_in_a_body_is_told_by_the_conditional_node(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNodeParams body = {};
  body.struct_size = sizeof body;
  body.type = xpuGraphNodeTypeConditional;
  body.conditional.size = 1;
  assert_ok(xpuGraphConditionalHandleCreate(&body.conditional.handle, graph, 0, 0));
  xpuGraphExec_t exec = nullptr;
  xpuGraphInstantiateParams params = wishes();
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateConditionalHandleUnused, params.result_out);
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddNode(&node, graph, nullptr, nullptr, 0, &body));
  const xpuGraphNode_t a = add_empty(body.conditional.phGraph_out[0]);
  const xpuGraphNode_t b = add_empty(body.conditional.phGraph_out[0]);
  link(body.conditional.phGraph_out[0], a, b);
  link(body.conditional.phGraph_out[0], b, a);
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateInvalidStructure, params.result_out);
  assert_ptr_equal(node, params.errNode_out);
  assert_null(exec);
  assert_ok(xpuGraphDestroy(graph));
}

static void a_body_on_another_device_is_told(void**) {
  int devices = 0;
  assert_ok(xpuGetDeviceCount(&devices));
  if (devices < 2) skip();
  const xpuGraph_t graph = new_graph();
  const Branch branch = add_if(graph, nullptr, new_handle(graph));
  (void)add_one(branch.body[0], nullptr, "noop");
  xpuGraphExec_t exec = nullptr;
  xpuGraphInstantiateParams params = wishes();
  assert_ok(xpuSetDevice(1));
  const xpuError_t got = xpuGraphInstantiateWithParams(&exec, graph, &params);
  assert_ok(xpuSetDevice(0));
  assert_int_equal(xpuErrorInvalidValue, got);
  assert_int_equal(xpuGraphInstantiateMultipleDevicesNotSupported, params.result_out);
  assert_ptr_equal(branch.node, params.errNode_out);
  assert_ok(xpuGraphDestroy(graph));
}

static void what_cannot_be_made_says_error_and_no_node(void**) {
  const xpuGraph_t graph = new_graph();
  xpuGraphExec_t exec = nullptr;
  const struct {
    unsigned long long flags;
    xpuError_t code;
  } rows[] = {
      {1u << 20, xpuErrorInvalidValue},
      {xpuGraphInstantiateFlagDeviceLaunch, xpuErrorNotSupported},
      {xpuGraphInstantiateFlagDeviceLaunch | xpuGraphInstantiateFlagAutoFreeOnLaunch,
       xpuErrorInvalidValue},
  };
  for (const auto& row : rows) {
    xpuGraphInstantiateParams params = wishes(row.flags);
    assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), row.code);
    assert_string_equal("instantiateParams->flags", last_failure().argument);
    assert_int_equal(xpuGraphInstantiateError, params.result_out);
    assert_null(params.errNode_out);
  }
  xpuGraphInstantiateParams params = wishes();
  assert_code(xpuGraphInstantiateWithParams(nullptr, graph, &params), xpuErrorInvalidValue);
  assert_code(xpuGraphInstantiateWithParams(&exec, nullptr, &params), xpuErrorInvalidValue);
  assert_int_equal(xpuGraphInstantiateError, params.result_out);
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, nullptr), xpuErrorInvalidValue);
  params.struct_size = 8;
  assert_code(xpuGraphInstantiateWithParams(&exec, graph, &params), xpuErrorInvalidValue);
  assert_string_equal("instantiateParams", last_failure().argument);
  assert_null(exec);
  assert_ok(xpuGraphDestroy(graph));
}

// ---- numbers

static unsigned local_id(xpuGraphNode_t node) {
  unsigned id = 77;
  assert_ok(xpuGraphNodeGetLocalId(node, &id));
  return id;
}
static unsigned graph_id(xpuGraph_t graph) {
  unsigned id = 0;
  assert_ok(xpuGraphGetId(graph, &id));
  return id;
}

static bool file_has(const char* path, const char* text) {
  static char content[1 << 16];
  FILE* file = fopen(path, "r");
  if (!file) return false;
  content[fread(content, 1, sizeof content - 1, file)] = '\0';
  fclose(file);
  return strstr(content, text) != nullptr;
}

static void numbers_are_those_of_the_picture(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t gone = add_empty(graph), a = add_empty(graph), b = add_empty(graph);
  link(graph, a, b);
  assert_ok(xpuGraphDestroyNode(gone));
  char path[] = "/tmp/xpugraph_numbers_XXXXXX", edge[128];
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  assert_ok(xpuGraphDebugDotPrint(graph, path, 0));
  const unsigned id = graph_id(graph);
  snprintf(edge, sizeof edge, "\"graph_%u_node_%u\" -> \"graph_%u_node_%u\"", id, local_id(a), id,
           local_id(b));
  const bool found = file_has(path, edge);
  (void)unlink(path);
  assert_int_equal(1, local_id(a));
  assert_int_equal(2, local_id(b));
  assert_true(found);
  assert_ok(xpuGraphDestroy(graph));
}

static void each_graph_node_and_executable_has_its_own_number(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t node = add_empty(graph);
  xpuGraph_t clone = nullptr, of = nullptr, inside = nullptr;
  xpuGraphNode_t twin = nullptr, child = nullptr, within = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuGraphNodeFindInClone(&twin, node, clone));
  const xpuGraphExec_t one = instantiate(graph), two = instantiate(graph);
  unsigned ids[4] = {graph_id(graph), graph_id(clone), 0, 0};
  assert_ok(xpuGraphExecGetId(one, &ids[2]));
  assert_ok(xpuGraphExecGetId(two, &ids[3]));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) assert_int_not_equal(ids[i], ids[j]);

  unsigned long long tools[2] = {};
  assert_ok(xpuGraphNodeGetToolsId(node, &tools[0]));
  assert_ok(xpuGraphNodeGetToolsId(twin, &tools[1]));
  assert_true(tools[0] != 0 && tools[0] != tools[1]);
  assert_int_equal(local_id(node), local_id(twin));

  assert_ok(xpuGraphNodeGetContainingGraph(twin, &of));
  assert_ptr_equal(clone, of);
  assert_ok(xpuGraphAddChildGraphNode(&child, graph, nullptr, 0, clone));
  assert_ok(xpuGraphChildGraphNodeGetGraph(child, &inside));
  size_t count = 1;
  assert_ok(xpuGraphGetNodes(inside, &within, &count));
  assert_ok(xpuGraphNodeGetContainingGraph(within, &of));
  assert_ptr_equal(inside, of);
  assert_ok(xpuGraphNodeGetContainingGraph(child, &of));
  assert_ptr_equal(graph, of);

  assert_ok(xpuGraphExecDestroy(one));
  assert_ok(xpuGraphExecDestroy(two));
  assert_ok(xpuGraphDestroy(clone));
  assert_ok(xpuGraphDestroy(graph));
}

static void numbers_are_not_told_of_what_is_not_there(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t node = add_empty(graph);
  const xpuGraphExec_t exec = instantiate(graph);
  unsigned id = 5;
  unsigned long long wide = 5;
  xpuGraph_t of = nullptr;
  assert_code(xpuGraphGetId(nullptr, &id), xpuErrorInvalidValue);
  assert_code(xpuGraphGetId(graph, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphExecGetId(nullptr, &id), xpuErrorInvalidValue);
  assert_code(xpuGraphExecGetId(exec, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetLocalId(nullptr, &id), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetLocalId(node, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetToolsId(nullptr, &wide), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetToolsId(node, nullptr), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetContainingGraph(nullptr, &of), xpuErrorInvalidValue);
  assert_code(xpuGraphNodeGetContainingGraph(node, nullptr), xpuErrorInvalidValue);
  assert_ok(xpuGraphDestroyNode(node));
  assert_code(xpuGraphNodeGetLocalId(node, &id), xpuErrorInvalidValue);
  assert_string_equal("hNode", last_failure().argument);
  assert_int_equal(5, id);
  assert_int_equal(5, wide);
  assert_null(of);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

int main(void) {
  const Test tests[] = {
      xpu_test(a_graph_becomes_an_executable_with_its_flags, results(executes)),
      xpu_test(the_stream_counts_only_with_the_flag),
      xpu_test(a_cycle_is_told_by_one_of_its_nodes),
      xpu_test(a_cycle_in_a_body_is_told_by_the_conditional_node),
      xpu_test(a_body_on_another_device_is_told),
      xpu_test(what_cannot_be_made_says_error_and_no_node),
      xpu_test(numbers_are_those_of_the_picture),
      xpu_test(each_graph_node_and_executable_has_its_own_number),
      xpu_test(numbers_are_not_told_of_what_is_not_there),
  };
  return run_all(tests, load_first);
}
