// SPDX-License-Identifier: Apache-2.0
// What an executable gives to the driver is what its nodes say: the arguments of every kernel are
// looked for in the driver's command memory, so this holds where nothing is executed, too.
#include <memory_scan.h>

#include "ground.h"

using namespace xpu::test;

namespace {

enum { kNodes = 1000 };
xpuGraphNode_t nodes[kNodes];
int* p;

// What node i is given.
class Given {
 public:
  explicit Given(uint64_t mark) : args_(p, static_cast<int64_t>(mark)) {
    params_ = node_params(kernel("mark"), dim(1), dim(1), args_.get());
  }
  const xpuKernelNodeParams* get() const { return &params_; }

 private:
  Args<int*, int64_t> args_;
  xpuKernelNodeParams params_;
};

// A chain, or nodes without an order: a barrier between each two, or none at all.
xpuGraph_t marked_graph(const Marks& marks, bool chain) {
  const xpuGraph_t graph = new_graph();
  for (uint32_t i = 0; i < kNodes; i++) {
    const bool first = i == 0 || !chain;
    assert_ok(xpuGraphAddKernelNode(&nodes[i], graph, first ? nullptr : &nodes[i - 1],
                                    first ? 0 : 1, Given(marks[i]).get()));
  }
  return graph;
}

void check_encoding(uint32_t set, bool chain) {
  const Marks marks = make_marks(set, kNodes);
  const xpuGraph_t graph = marked_graph(marks, chain);
  remember(marks);
  assert_int_equal(0, newly_found(marks));

  const xpuGraphExec_t exec = instantiate(graph);

  assert_int_equal(kNodes, newly_found(marks));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

void each_argument_of_a_chain_is_encoded(void**) { check_encoding(0, true); }
void each_argument_of_a_wide_graph_is_encoded(void**) { check_encoding(1, false); }

void edited_nodes_are_encoded_as_they_are_now(void**) {
  const Marks old = make_marks(2, kNodes), edited = make_marks(3, kNodes);
  const xpuGraph_t graph = marked_graph(old, true);
  const xpuGraphExec_t before = instantiate(graph);
  for (uint32_t i = 0; i < kNodes; i++)
    assert_ok(xpuGraphKernelNodeSetParams(nodes[i], Given(edited[i]).get()));
  remember(edited);
  assert_int_equal(0, newly_found(edited));

  const xpuGraphExec_t after = instantiate(graph);

  assert_int_equal(kNodes, newly_found(edited));
  assert_ok(xpuGraphExecDestroy(after));
  assert_ok(xpuGraphExecDestroy(before));
  assert_ok(xpuGraphDestroy(graph));
}

// What the driver gets after a change comes with the next launch: first in a new list, then as
// patches of that list.
void changed_nodes_reach_the_list_that_is_launched(void**) {
  const Marks old = make_marks(4, kNodes);
  const xpuGraph_t graph = marked_graph(old, true);
  const xpuGraphExec_t exec = instantiate(graph);
  for (uint32_t set = 5; set < 8; set++) {
    const Marks now = make_marks(set, kNodes);
    for (uint32_t i = 0; i < kNodes; i++)
      assert_ok(xpuGraphExecKernelNodeSetParams(exec, nodes[i], Given(now[i]).get()));
    remember(now);
    assert_int_equal(0, newly_found(now));

    assert_ok(xpuGraphLaunch(exec, nullptr));

    assert_int_equal(kNodes, newly_found(now));
    assert_ok(xpuDeviceSynchronize());
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

void so_does_an_update_from_a_graph(void**) {
  const Marks old = make_marks(8, kNodes);
  const xpuGraph_t graph = marked_graph(old, false);
  const xpuGraphExec_t exec = instantiate(graph);
  for (uint32_t set = 9; set < 11; set++) {
    const Marks now = make_marks(set, kNodes);
    const xpuGraph_t other = marked_graph(now, false);
    xpuGraphExecUpdateResultInfo info = {};
    info.struct_size = sizeof info;
    assert_ok(xpuGraphExecUpdate(exec, other, &info));
    assert_ok(xpuGraphDestroy(other));
    remember(now);
    assert_int_equal(0, newly_found(now));

    assert_ok(xpuGraphLaunch(exec, nullptr));

    assert_int_equal(kNodes, newly_found(now));
    assert_ok(xpuDeviceSynchronize());
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

int open_all(void**) {
  p = device_ints(2);
  return 0;
}
int close_all(void**) {
  assert_ok(xpuFree(p));
  return 0;
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(each_argument_of_a_chain_is_encoded),
      xpu_test(each_argument_of_a_wide_graph_is_encoded),
      xpu_test(edited_nodes_are_encoded_as_they_are_now),
      xpu_test(changed_nodes_reach_the_list_that_is_launched),
      xpu_test(so_does_an_update_from_a_graph),
  };
  return run_all(tests, open_all, close_all);
}
