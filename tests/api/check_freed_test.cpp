// SPDX-License-Identifier: Apache-2.0
// XPUGRAPH_CHECK=2: a graph that points into freed memory is not launched, and the refusal says
// which node, which argument, which memory, and where it was freed. With less it is launched as
// ever, which these tests do with kernels that touch nothing, and without the CPU driver's strict
// mode, which would find them out.
#include <unistd.h>

#include <vector>

#include "capturing.h"
#include "foreign.h"
#include "graph_memory.h"

using namespace xpu::test;

static bool checked;
// Whether freed addresses are given out again: the CPU driver keeps what it has poisoned for a
// while.
static bool reused;
static xpuStream_t stream;
static char pageable[4096];
static void* heap;  // had before anything was freed, so that it never was device memory

static int* device_memory(size_t bytes) {
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, bytes));
  return static_cast<int*>(memory);
}

// A graph of one kernel that is given `p` and does not touch it.
static xpuGraph_t graph_over(int* p) {
  const xpuGraph_t graph = new_graph();
  add_one(graph, nullptr, "fill_range", p, 0, 1);
  return graph;
}

static void assert_launched(xpuGraphExec_t exec) {
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
}

static void assert_said(const char* what) {
  const xpuErrorInfo info = last_failure();
  if (strstr(info.sentence, what)) return;
  fail_msg("\"%s\" is not in: %s", what, info.sentence);
}

// "0x7f… of the 256 bytes", as the sentence spells it.
static void assert_said_memory(const void* base, size_t bytes) {
  char text[64];
  snprintf(text, sizeof text, "the %zu bytes at %p,", bytes, base);
  assert_said(text);
}

static void assert_refused(xpuGraphExec_t exec) {
  assert_code(xpuGraphLaunch(exec, stream), xpuErrorInvalidValue);
  assert_string_equal("xpuGraphLaunch", last_failure().function);
  assert_string_equal("graphExec", last_failure().argument);
}
// Refused if anything is checked, launched otherwise.
static bool refused(xpuGraphExec_t exec) {
  checked ? assert_refused(exec) : assert_launched(exec);
  return checked;
}

static void end_of(xpuGraphExec_t exec, xpuGraph_t graph) {
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

// Memory of each kind: how it is had and freed, and what the refusal calls that.
struct Kind {
  const char* free_name;
  xpuError_t (*allocate)(void** memory, size_t bytes);
  xpuError_t (*free)(void* memory);
};
static const Kind kKinds[] = {
    {"xpuFree", [](void** m, size_t n) { return xpuMalloc(m, n); }, xpuFree},
    {"xpuFreeHost", [](void** m, size_t n) { return xpuMallocHost(m, n); }, xpuFreeHost},
    {"xpuFree", [](void** m, size_t n) { return xpuMallocManaged(m, n, xpuMemAttachGlobal); },
     xpuFree},
};

static void memory_of_every_kind_is_missed(void**) {
  for (const Kind& kind : kKinds) {
    void* p = nullptr;
    assert_ok(kind.allocate(&p, 3000));
    const xpuGraph_t graph = graph_over(static_cast<int*>(p) + 4);
    const xpuGraphExec_t exec = instantiate(graph);
    assert_launched(exec);

    assert_ok(kind.free(p));

    if (refused(exec)) {
      char thread[32], by[64];
      snprintf(thread, sizeof thread, "in thread %d", gettid());
      snprintf(by, sizeof by, "freed by %s, called from ", kind.free_name);
      assert_said("node 0 (kernel 'fill_range')");
      assert_said("argument 0 is ");
      assert_said("byte 16 of ");
      assert_said_memory(p, 3000);
      assert_said(by);
      assert_said("api_check_freed+0x");
      assert_said(thread);
      assert_refused(exec);
    }
    end_of(exec, graph);
  }
}

// Memory that a graph was made over and that was freed then, and what was allocated after it.
struct Freed {
  int* p = nullptr;
  xpuGraph_t graph = nullptr;
  xpuGraphExec_t exec = nullptr;
  std::vector<int*> others;
  bool again = false;  // the last of them lies around `p`
};

static void end_of(const Freed& freed) {
  for (int* other : freed.others) assert_ok(xpuFree(other));
  end_of(freed.exec, freed.graph);
}

// Allocates until something contains `p`, `most` times at most. Less than what was there: the heap
// needs room to align it.
static Freed freed_once(size_t bytes, size_t most) {
  Freed freed;
  freed.p = device_memory(bytes);
  freed.graph = graph_over(freed.p);
  freed.exec = instantiate(freed.graph);
  assert_ok(xpuFree(freed.p));
  while (freed.others.size() < most && !freed.again) {
    int* const other = device_memory(1000);
    freed.others.push_back(other);
    freed.again = reinterpret_cast<uintptr_t>(freed.p) - reinterpret_cast<uintptr_t>(other) < 1000;
  }
  return freed;
}

// The heap may have many other places that fit (a compiler in the process leaves thousands), and
// what the library notes at a free may take this one: then elsewhere.
static Freed freed_and_given_out_again(size_t bytes) {
  Freed freed = freed_once(bytes, reused ? 50'000 : 64);
  for (int more = 0; reused && !freed.again && more < 10; more++) {
    end_of(freed);
    freed = freed_once(bytes, 50'000);
  }
  assert_int_equal(reused, freed.again);
  return freed;
}

static void an_address_that_was_given_out_again_is_not_what_it_was(void**) {
  const Freed freed = freed_and_given_out_again(5000);
  if (refused(freed.exec)) {
    assert_said_memory(freed.p, 5000);
    assert_said("freed by xpuFree");
  }
  // A graph that is made now means what is there now.
  if (freed.again) {
    const xpuGraph_t fresh = graph_over(freed.p);
    const xpuGraphExec_t runs = instantiate(fresh);
    assert_launched(runs);
    end_of(runs, fresh);
  }
  end_of(freed);
}

static void nodes_that_were_pointed_elsewhere_are_fine(void**) {
  int* const old = device_memory(1024);
  int* const fresh = device_memory(1024);
  const xpuGraph_t graph = graph_over(old);
  xpuGraphNode_t node = node_at(graph, 0);
  const xpuGraphExec_t before = instantiate(graph);
  Args<int*, int, int> args(fresh, 1, 7);
  const xpuKernelNodeParams params = node_params(kernel("fill_range"), dim(1), dim(1), args.get());

  assert_ok(xpuGraphKernelNodeSetParams(node, &params));
  assert_ok(xpuFree(old));
  const xpuGraphExec_t after = instantiate(graph);

  assert_launched(after);
  assert_int_equal(7, fetch(fresh));
  (void)refused(before);  // it keeps what it was made of
  assert_launched(after);
  assert_ok(xpuFree(fresh));
  if (checked) assert_refused(after);  // otherwise it would write there
  assert_ok(xpuGraphExecDestroy(before));
  end_of(after, graph);
}

static void every_argument_is_looked_at(void**) {
  int* p[3] = {device_memory(64), device_memory(64), device_memory(64)};
  for (int freed = 0; freed < 3; freed++) {
    const xpuGraph_t graph = new_graph();
    add_one(graph, nullptr, "noop");
    add_one(graph, nullptr, "vector_add", p[0], p[1], p[2], 0);
    const xpuGraphExec_t exec = instantiate(graph);
    assert_launched(exec);
    assert_ok(xpuFree(p[freed]));
    if (refused(exec)) {
      char argument[32];
      snprintf(argument, sizeof argument, "argument %d is ", freed);
      assert_said("node 1 (kernel 'vector_add')");
      assert_said(argument);
    }
    p[freed] = device_memory(64);
    end_of(exec, graph);
  }
  for (int* memory : p) assert_ok(xpuFree(memory));
}

// They would write into freed memory, so without the check there is nothing to see.
static void copies_and_fills_are_looked_at(void**) {
  if (!checked) return;
  for (const char* side : {"dst", "src", "fill", "batch"}) {
    int* p = device_memory(512);
    const xpuGraph_t graph = new_graph();
    xpuGraphNode_t node = nullptr;
    if (*side == 'f') {
      const xpuMemsetParams fill = {sizeof fill, 0, p + 1, 0, 0, 4, 8, 1};
      assert_ok(xpuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    } else if (*side == 'b') {
      xpuStreamBatchMemOpParams one = {};
      one.writeValue.operation = xpuStreamMemOpWriteValue32;
      one.writeValue.address = p + 1;
      const xpuBatchMemOpNodeParams batch = {sizeof batch, 1, &one, 0, 0};
      assert_ok(xpuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &batch));
    } else {
      void* const dst = *side == 'd' ? static_cast<void*>(p + 1) : pageable;
      const void* const src = *side == 'd' ? static_cast<void*>(pageable) : p + 1;
      assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, nullptr, 0, dst, src, 32, xpuMemcpyDefault));
    }
    const xpuGraphExec_t exec = instantiate(graph);
    assert_launched(exec);
    assert_ok(xpuFree(p));
    assert_refused(exec);
    assert_said(*side == 'f'   ? "node 0 (memset)"
                : *side == 'b' ? "node 0 (batch of memory operations)"
                               : "node 0 (memcpy)");
    assert_said(*side == 's'   ? "src is "
                : *side == 'b' ? "the address of operation 0 is "
                               : "dst is ");
    assert_said("byte 4 of the 512 bytes");
    end_of(exec, graph);
  }
}

static void captured_work_is_looked_at(void**) {
  int* const p = device_memory(512);
  begin(stream);
  launch_one(stream, "fill_range", p, 0, 1);
  const xpuGraph_t graph = end(stream);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_launched(exec);
  assert_ok(xpuFree(p));
  if (refused(exec)) assert_said("node 0 (kernel 'fill_range')");
  end_of(exec, graph);
}

static void nodes_of_child_graphs_are_looked_at(void**) {
  int* const p = device_memory(512);
  const xpuGraph_t inner = graph_over(p), middle = new_graph(), graph = new_graph();
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddChildGraphNode(&node, middle, nullptr, 0, inner));
  add_one(graph, nullptr, "noop");
  assert_ok(xpuGraphAddChildGraphNode(&node, graph, nullptr, 0, middle));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_launched(exec);
  assert_ok(xpuFree(p));
  if (refused(exec))
    assert_said("in node 1 (child graph), in node 0 (child graph), node 0 (kernel 'fill_range'): ");
  assert_ok(xpuGraphDestroy(inner));
  assert_ok(xpuGraphDestroy(middle));
  end_of(exec, graph);
}

static void a_clone_points_where_its_source_did(void**) {
  int* const p = device_memory(512);
  const xpuGraph_t graph = graph_over(p);
  xpuGraph_t clone = nullptr;
  assert_ok(xpuGraphClone(&clone, graph));
  const xpuGraphExec_t exec = instantiate(clone);
  assert_ok(xpuFree(p));
  (void)refused(exec);
  assert_ok(xpuGraphDestroy(graph));
  end_of(exec, clone);
}

static void other_frees_do_not_matter(void**) {
  int* const p = device_memory(512);
  int* const q = device_memory(512);
  const xpuGraph_t graph = graph_over(p);
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuFree(q));
  for (int i = 0; i < 100; i++) assert_ok(xpuFree(device_memory(300 + 7 * i)));
  assert_launched(exec);
  assert_ok(xpuFree(p));
  (void)refused(exec);
  end_of(exec, graph);
}

// Only what was freed lately is remembered, but not what was allocated after a node.
static void memory_that_was_freed_long_ago_is_missed_if_it_is_used_again(void**) {
  const Freed freed = freed_and_given_out_again(4000);
  for (int i = 0; i < 5000; i++) assert_ok(xpuFree(device_memory(64)));
  if (reused && refused(freed.exec)) assert_said("allocated after the node was given the pointer");
  end_of(freed);
}

static void host_memory_that_is_not_ours_is_left_alone(void**) {
  int* const p = device_memory(64);
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, nullptr, 0, p, heap, 64, xpuMemcpyDefault));
  assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, nullptr, 0, pageable, p, 64, xpuMemcpyDefault));
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 3; i++) {
    assert_launched(exec);
    assert_ok(xpuFree(device_memory(64)));  // so that it is looked at again
  }
  end_of(exec, graph);
  assert_ok(xpuFree(p));
}

// Memory that the program allocated in the library's context without the library.
static void native_memory_is_left_alone(void**) {
  find_in_driver(getenv("XPU_TEST_DRIVER"));
  assert_ok(xpuDeviceGetNative(0, &foreign.driver, &foreign.device, &foreign.context));
  int* const p = foreign_memory(64, xpuMemoryTypeDevice);
  const xpuGraph_t graph = graph_over(p);
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 3; i++) {
    assert_launched(exec);
    assert_ok(xpuFree(device_memory(64)));
  }
  end_of(exec, graph);
  assert_ze(foreign.MemFree(foreign.context, p));
}

// The address comes back with each launch of the graph that allocates it.
static void memory_of_a_graph_is_missed_while_it_is_not_allocated(void**) {
  const xpuGraph_t owner = new_graph();
  const Alloc allocated = add_alloc(owner, nullptr, 2000);
  int* const p = allocated.at;
  add_one(owner, allocated.node, "fill_range", p, 0, 1);
  const xpuGraphExec_t owns = instantiate(owner);
  const xpuGraph_t graph = graph_over(p + 1);
  const xpuGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 2; i++) {
    assert_launched(owns);
    assert_launched(exec);
    assert_ok(xpuFree(p));
    if (refused(exec)) {
      assert_said("byte 4 of ");
      assert_said_memory(p, 2000);
      assert_said("freed by xpuFree");
    }
  }
  end_of(owns, owner);
  (void)refused(exec);
  end_of(exec, graph);
}

static int open_all(void** state) {
  const char* level = getenv("XPUGRAPH_CHECK");
  checked = level && atoi(level) >= 2;
  const char* poison = getenv("ZE_CPU_POISON");
  reused = poison && atoi(poison) == 0;
#ifdef __SANITIZE_ADDRESS__
  reused = false;
#endif
  heap = malloc(4096);
  stream = new_stream();
  return load_first(state);
}
static int close_all(void**) {
  free(heap);
  return xpuStreamDestroy(stream);
}

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_every_kind_is_missed),
      cmocka_unit_test(an_address_that_was_given_out_again_is_not_what_it_was),
      cmocka_unit_test(nodes_that_were_pointed_elsewhere_are_fine),
      cmocka_unit_test(every_argument_is_looked_at),
      cmocka_unit_test(copies_and_fills_are_looked_at),
      cmocka_unit_test(captured_work_is_looked_at),
      cmocka_unit_test(nodes_of_child_graphs_are_looked_at),
      cmocka_unit_test(a_clone_points_where_its_source_did),
      cmocka_unit_test(other_frees_do_not_matter),
      cmocka_unit_test(memory_that_was_freed_long_ago_is_missed_if_it_is_used_again),
      cmocka_unit_test(host_memory_that_is_not_ours_is_left_alone),
      cmocka_unit_test(native_memory_is_left_alone),
      cmocka_unit_test(memory_of_a_graph_is_missed_while_it_is_not_allocated),
  };
  return cmocka_run_group_tests(tests, open_all, close_all) ? 1 : 0;
}
