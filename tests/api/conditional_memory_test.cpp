// SPDX-License-Identifier: Apache-2.0
// Bodies that use what their graph allocates: the memory behind the addresses may be another one at
// each launch.
#include "branching.h"
#include "graph_memory.h"

using namespace xpu::test;

namespace {

// alloc -> store -> while { step } -> copy to `out` -> free
struct Summing {
  xpuGraph_t graph;
  int* at;
};
Summing make_summing(int* out, int* turns, int count) {
  Summing s = {new_graph(), nullptr};
  const Handle handle = new_handle(s.graph, 1);
  const Alloc a = add_alloc(s.graph, nullptr, kMiB);
  s.at = a.at;
  xpuGraphNode_t node = add_one(s.graph, a.node, "store", a.at, 0, 1);
  node = add_one(s.graph, node, "store", turns, 0, count);
  const Branch loop = add_while(s.graph, node, handle);
  const xpuGraphNode_t step = add_one(loop.body[0], nullptr, "step", a.at, 3, 1);
  add_one(loop.body[0], step, "count_down", handle, turns, 0);
  node = add_one(s.graph, loop.node, "copy_one", out, 0, a.at, 0);
  (void)add_free(s.graph, node, a.at);
  return s;
}

void a_body_follows_the_memory_of_its_graph(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(2);
  const Summing summing = make_summing(p, p + 1, 4);
  const xpuGraphExec_t exec = instantiate(summing.graph);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) assert_ok(xpuGraphLaunch(exec, s));
    assert_ok(xpuStreamSynchronize(s));
    if (shown(executes)) assert_int_equal((((1 * 3 + 1) * 3 + 1) * 3 + 1) * 3 + 1, fetch(p));
    // The next launch finds other memory at the address.
    assert_ok(xpuDeviceGraphMemTrim(0));
    void* taken = nullptr;
    assert_ok(xpuMalloc(&taken, kMiB));
    assert_ok(xpuFree(taken));
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(summing.graph));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

void a_body_has_no_memory_nodes_of_its_own(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  const xpuGraph_t body = add_if(graph, a.node, new_handle(graph)).body[0];
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddMemFreeNode(&node, body, nullptr, 0, a.at), xpuErrorNotSupported);
  assert_int_equal(0, node_count(body));
  assert_ok(xpuGraphDestroy(graph));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_body_follows_the_memory_of_its_graph, results(executes)),
      xpu_test(a_body_has_no_memory_nodes_of_its_own),
  };
  return run_all(tests, load_first);
}
