// SPDX-License-Identifier: Apache-2.0
// Random updates between launches that nobody waits for, in several streams, beside a program that
// does the same on the host.
//
// The number of rounds is the first argument or XPU_TEST_ROUNDS. A round is some two launches:
// 600,000 of them, which `tools/test --long gcc` runs, are a million launches and take a minute or
// two.
#include <malloc.h>
#include <unistd.h>

#include "ground.h"

using namespace xpu::test;

static int rounds = 3000;

namespace {

enum { kCells = 24, kNodes = 14, kStreams = 3 };

struct Random {
  uint32_t state;
  uint32_t below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return static_cast<uint32_t>((uint64_t{state} * bound) >> 32);
  }
};

// What a node does, for the host as for the device: on cells, so that every order shows.
struct Does {
  enum Kind { step, add, copy, fill, none } kind = none;
  unsigned at = 0, from = 0, a = 0, b = 0;
  bool enabled = true;
};

void do_it(const Does& d, unsigned* cells) {
  if (!d.enabled) return;
  if (d.kind == Does::step) cells[d.at] = cells[d.at] * d.a + d.b;
  if (d.kind == Does::add) cells[d.at] += d.b;
  if (d.kind == Does::copy)
    for (unsigned i = 0; i < d.a; i++) cells[d.at + i] = cells[d.from + i];
  if (d.kind == Does::fill)
    for (unsigned i = 0; i < d.a; i++) cells[d.at + i] = d.b;
}

Does any_of(Does::Kind kind, Random& random) {
  Does d;
  d.kind = kind;
  d.at = random.below(kCells / 2);
  d.from = kCells / 2 + random.below(kCells / 2 - 3);
  d.a = kind == Does::step ? 1 + random.below(9) : 1 + random.below(3);
  d.b = random.below(1000);
  return d;
}

int* cells;

// Calls use(params) with the public struct of a kernel.
template <class Use>
void as_kernel(const Does& d, Use use) {
  Args<int*, int, int> step(cells + d.at, static_cast<int>(d.a), static_cast<int>(d.b));
  Args<int*, int, int> add(cells, static_cast<int>(d.at), static_cast<int>(d.b));
  const bool is_step = d.kind == Does::step;
  const xpuKernelNodeParams params = node_params(kernel(is_step ? "step" : "add"), dim(1), dim(1),
                                                 is_step ? step.get() : add.get());
  use(&params);
}
xpuMemsetParams as_fill(const Does& d) {
  return {sizeof(xpuMemsetParams), 0, cells + d.at, 0, d.b, 4, d.a, 1};
}

xpuGraphNode_t add_node(xpuGraph_t graph, xpuGraphNode_t after, const Does& d) {
  xpuGraphNode_t node = nullptr;
  const size_t count = after ? 1 : 0;
  if (d.kind == Does::copy) {
    assert_ok(xpuGraphAddMemcpyNode1D(&node, graph, &after, count, cells + d.at, cells + d.from,
                                      d.a * 4, xpuMemcpyDeviceToDevice));
  } else if (d.kind == Does::fill) {
    const xpuMemsetParams params = as_fill(d);
    assert_ok(xpuGraphAddMemsetNode(&node, graph, &after, count, &params));
  } else {
    as_kernel(d, [&](const xpuKernelNodeParams* params) {
      assert_ok(xpuGraphAddKernelNode(&node, graph, &after, count, params));
    });
  }
  return node;
}

// A chain, so that there is one order and one result.
xpuGraph_t chain_of(const Does* does, xpuGraphNode_t* nodes) {
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t last = nullptr;
  for (int i = 0; i < kNodes; i++) last = nodes[i] = add_node(graph, last, does[i]);
  return graph;
}

void set_one(xpuGraphExec_t exec, xpuGraphNode_t node, const Does& d) {
  if (d.kind == Does::copy) {
    assert_ok(xpuGraphExecMemcpyNodeSetParams1D(exec, node, cells + d.at, cells + d.from, d.a * 4,
                                                xpuMemcpyDeviceToDevice));
  } else if (d.kind == Does::fill) {
    const xpuMemsetParams params = as_fill(d);
    assert_ok(xpuGraphExecMemsetNodeSetParams(exec, node, &params));
  } else {
    as_kernel(d, [&](const xpuKernelNodeParams* params) {
      assert_ok(xpuGraphExecKernelNodeSetParams(exec, node, params));
    });
  }
}

Does::Kind kind_of(int node, Random& random) {
  if (node % 5 == 3) return Does::copy;
  if (node % 7 == 5) return Does::fill;
  return random.below(8) ? Does::step : Does::add;
}

void update_all(xpuGraphExec_t exec, Does* does, Random& random) {
  Does next[kNodes];
  xpuGraphNode_t nodes[kNodes];
  for (int i = 0; i < kNodes; i++) {
    next[i] = random.below(2) ? does[i] : any_of(kind_of(i, random), random);
    next[i].enabled = does[i].enabled;
  }
  const xpuGraph_t graph = chain_of(next, nodes);
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  assert_ok(xpuGraphExecUpdate(exec, graph, &info));
  assert_ok(xpuGraphDestroy(graph));
  memcpy(does, next, sizeof next);
}

// A graph that fits nearly everywhere: nothing of it may stay.
void update_refused(xpuGraphExec_t exec, const Does* does, Random& random) {
  Does next[kNodes];
  xpuGraphNode_t nodes[kNodes];
  for (int i = 0; i < kNodes; i++) next[i] = any_of(does[i].kind, random);
  const uint32_t wrong = random.below(kNodes);
  next[wrong] = any_of(does[wrong].kind == Does::fill ? Does::copy : Does::fill, random);
  const xpuGraph_t graph = chain_of(next, nodes);
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  assert_code(xpuGraphExecUpdate(exec, graph, &info), xpuErrorGraphExecUpdateFailure);
  assert_int_equal(xpuGraphExecUpdateErrorNodeTypeChanged, info.result);
  assert_ptr_equal(nodes[wrong], info.errorNode);
  (void)xpuGetLastError();
  assert_ok(xpuGraphDestroy(graph));
}

void update_something(xpuGraphExec_t exec, const xpuGraphNode_t* nodes, Does* does,
                      Random& random) {
  const uint32_t what = random.below(20);
  const uint32_t i = random.below(kNodes);
  if (what == 0) {
    update_all(exec, does, random);
  } else if (what == 1) {
    update_refused(exec, does, random);
  } else if (what < 5) {
    does[i].enabled = !does[i].enabled;
    assert_ok(xpuGraphNodeSetEnabled(exec, nodes[i], does[i].enabled));
  } else {
    // Mostly the same few nodes, as programs do.
    const uint32_t node = random.below(3) ? i % 3 : i;
    const bool kept = does[node].enabled;
    does[node] = any_of(kind_of(static_cast<int>(node), random), random);
    does[node].enabled = kept;
    set_one(exec, nodes[node], does[node]);
  }
}

size_t resident_kb() {
  malloc_trim(0);
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return static_cast<size_t>(resident) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

struct Trial {
  Random random;
  Does does[kNodes];
  xpuGraphNode_t nodes[kNodes];
  xpuGraph_t graph;
  xpuGraphExec_t exec;
  xpuStream_t streams[kStreams];
  unsigned expected[kCells];
};

Trial begin(uint32_t seed) {
  Trial t = {};
  t.random.state = seed;
  for (int i = 0; i < kNodes; i++) t.does[i] = any_of(kind_of(i, t.random), t.random);
  t.graph = chain_of(t.does, t.nodes);
  t.exec = instantiate(t.graph);
  for (xpuStream_t& s : t.streams) s = new_stream();
  for (unsigned i = 0; i < kCells; i++) {
    t.expected[i] = i * 17 + 1;
    launch_one(t.streams[0], "store", cells, static_cast<int>(i), static_cast<int>(t.expected[i]));
  }
  return t;
}

void go_on(Trial& t, int count) {
  for (int round = 0; round < count; round++) {
    for (uint32_t n = t.random.below(3); n > 0; n--)
      update_something(t.exec, t.nodes, t.does, t.random);
    const uint32_t stream = t.random.below(8) ? 0 : t.random.below(kStreams);
    assert_ok(xpuGraphLaunch(t.exec, t.streams[stream]));
    for (const Does& d : t.does) do_it(d, t.expected);
    if (t.random.below(50) == 0) assert_ok(xpuStreamSynchronize(t.streams[stream]));
  }
}

void end(Trial& t) {
  for (xpuStream_t s : t.streams) assert_ok(xpuStreamSynchronize(s));
  for (xpuStream_t s : t.streams) assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuGraphExecDestroy(t.exec));
  assert_ok(xpuGraphDestroy(t.graph));
}

void launches_do_what_the_nodes_did_when_they_were_made(void**) {
  for (uint32_t seed = 1; seed <= 4; seed++) {
    Trial t = begin(seed);
    go_on(t, rounds / 8);
    end(t);

    unsigned seen[kCells];
    fetch(seen, cells, sizeof seen);
    if (shown(executes)) assert_memory_equal(t.expected, seen, sizeof seen);
  }
}

void memory_is_the_same_however_often_nodes_change(void**) {
  Trial t = begin(99);
  go_on(t, rounds / 4);
  for (xpuStream_t s : t.streams) assert_ok(xpuStreamSynchronize(s));
  [[maybe_unused]] const size_t before = resident_kb();

  for (int part = 0; part < 4; part++) {
    go_on(t, rounds / 4);
    for (xpuStream_t s : t.streams) assert_ok(xpuStreamSynchronize(s));
  }

  [[maybe_unused]] const size_t after = resident_kb();
  end(t);
// A sanitizer keeps what was freed.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (after > before + 1024)
    fail_msg("%zu KiB before, %zu KiB after %d launches", before, after, rounds);
#endif
}

int open_all(void**) {
  cells = device_ints(kCells);
  return 0;
}
int close_all(void**) {
  assert_ok(xpuFree(cells));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const wanted = argc > 1 ? argv[1] : getenv("XPU_TEST_ROUNDS");
  if (wanted) rounds = atoi(wanted);
  const Test tests[] = {
      xpu_test(launches_do_what_the_nodes_did_when_they_were_made, results(executes)),
      xpu_test(memory_is_the_same_however_often_nodes_change),
  };
  return run_all(tests, open_all, close_all);
}
