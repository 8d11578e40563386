// SPDX-License-Identifier: Apache-2.0
// How long the memory of graphs is held: destruction in every order, executables one after another,
// several devices. On a driver that counts, nothing is left in the end.
#include "graph_memory.h"

#include <dlfcn.h>

using namespace xpu::test;

// ---- lives

static void memory_outlives_graph_and_executable(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(13, kMiB);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  destroy(k.graph);
  destroy(exec);
  trim();
  assert_ok(xpuStreamSynchronize(stream));
  trim();
  if (shown(executes)) assert_int_equal(13, fetch(k.at));
  assert_ok(xpuFree(k.at));
  assert_code(xpuFree(k.at), xpuErrorInvalidValue);
  (void)xpuGetLastError();
  assert_int_equal(0, used());
  assert_int_equal(0, reserved());
  destroy(stream);
}

// Both use the same memory; the second must wait although its stream does not.
static void a_new_executable_follows_the_old_ones_last_launch(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  int *out = device_ints(1), *blocked = device_ints(1);
  for (int round = 0; round < 5; round++) {
    Gate gate;
    const xpuGraph_t graph = new_graph();
    const Alloc a = add_alloc(graph, nullptr, 4096);
    xpuGraphNode_t last = add_one(graph, a.node, "note", out, round);
    last = add_one(graph, last, "store", a.at, 0, round);
    (void)add_free(graph, last, a.at);
    assert_ok(xpuMemset(out, 0, 4));
    assert_ok(xpuDeviceSynchronize());  // the streams are not ordered with it
    const xpuGraphExec_t first = instantiate(graph);
    gate.shut(s);
    assert_ok(xpuGraphLaunch(first, s));
    destroy(first);
    const xpuGraphExec_t second = instantiate(graph);
    assert_ok(xpuGraphLaunch(second, t));
    if (shown(waits)) assert_int_equal(xpuErrorNotReady, xpuStreamQuery(t));
    launch_one(t, "store", blocked, 0, 1);
    sleep_ms(5);
    if (shown(waits)) assert_int_equal(xpuErrorNotReady, xpuStreamQuery(t));
    gate.open = 1;
    assert_ok(xpuStreamSynchronize(t));
    assert_ok(xpuStreamSynchronize(s));
    if (shown(executes)) assert_int_equal(2, fetch(out + 0));
    destroy(second);
    destroy(graph);
  }
  destroy(s);
  destroy(t);
  assert_ok(xpuFree(out));
  assert_ok(xpuFree(blocked));
}

// Graph, executable, freeing graph, its executable and the allocation: each order that is allowed.
enum { kGraph, kExec, kFreeing, kFreeingExec, kMemory, kThings };

static void end_in_order(const int* order, bool in_flight) {
  const xpuStream_t stream = new_stream();
  Gate gate;
  const Kept k = kept_graph(2, kMiB);
  const xpuGraph_t freeing = freeing_graph(k.at);
  const xpuGraphExec_t exec = instantiate(k.graph), ending = instantiate(freeing);
  if (in_flight) gate.shut(stream);
  assert_ok(xpuGraphLaunch(exec, stream));
  bool freeing_alive = true;
  for (int i = 0; i < kThings; i++) {
    if (order[i] == kGraph) destroy(k.graph);
    if (order[i] == kExec) destroy(exec);
    if (order[i] == kFreeing) destroy(freeing);
    if (order[i] == kFreeingExec) {
      destroy(ending);
      freeing_alive = false;
    }
    if (order[i] == kMemory && freeing_alive) assert_ok(xpuGraphLaunch(ending, stream));
    if (order[i] == kMemory && !freeing_alive) assert_ok(xpuFreeAsync(k.at, stream));
  }
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(stream));
  destroy(stream);
  trim();
  assert_int_equal(0, used());
  assert_int_equal(0, reserved());
}

static void for_each_order(bool in_flight) {
  int order[kThings] = {0, 1, 2, 3, 4};
  int stack[kThings] = {}, i = 0;
  end_in_order(order, in_flight);
  while (i < kThings) {  // Heap's algorithm
    if (stack[i] >= i) {
      stack[i++] = 0;
      continue;
    }
    const int from = i % 2 ? stack[i] : 0, swapped = order[from];
    order[from] = order[i];
    order[i] = swapped;
    end_in_order(order, in_flight);
    stack[i]++;
    i = 0;
  }
}

static void everything_ends_in_any_order(void**) { for_each_order(false); }
static void everything_ends_in_any_order_while_it_runs(void**) { for_each_order(true); }

static void graphs_that_are_never_launched_hold_nothing(void**) {
  for (int i = 0; i < 20; i++) {
    const Kept k = kept_graph(1, 4 * kMiB);
    if (i % 2) destroy(instantiate(k.graph));
    destroy(k.graph);
  }
  assert_int_equal(0, used());
  assert_int_equal(0, reserved());
}

// Hundreds of graphs at once: addresses do not run out.
static void many_graphs_live_side_by_side(void**) {
  enum { kMany = 300 };
  static Kept kept[kMany];
  static xpuGraphExec_t execs[kMany];
  const xpuStream_t stream = new_stream();
  for (int i = 0; i < kMany; i++) {
    kept[i] = kept_graph(i);
    execs[i] = instantiate(kept[i].graph);
    assert_ok(xpuGraphLaunch(execs[i], stream));
  }
  assert_ok(xpuStreamSynchronize(stream));
  for (int i = 0; i < kMany; i++) {
    if (shown(executes)) assert_int_equal(i, fetch(kept[i].at));
    assert_ok(xpuFreeAsync(kept[i].at, stream));
    destroy(execs[i]);
    destroy(kept[i].graph);
  }
  assert_ok(xpuStreamSynchronize(stream));
  destroy(stream);
  assert_int_equal(0, reserved());
}

// More than a range of addresses holds: the graph gets another range.
static void a_graph_outgrows_its_first_range(void**) {
  enum { kBuffers = 5 };
  const size_t bytes = can_map() ? 400 * kMiB : 3 * kMiB;
  const xpuGraph_t graph = new_graph();
  Alloc a[kBuffers];
  for (int i = 0; i < kBuffers; i++) a[i] = add_alloc(graph, nullptr, bytes);
  for (int i = 0; i < kBuffers; i++)
    for (int j = 0; j < i; j++) assert_false(overlap(a[i].at, bytes, a[j].at, bytes));
  destroy(graph);
  assert_int_equal(0, reserved());
}

// ---- several devices

static void memory_is_on_the_device_that_is_asked_for(void**) {
  int devices = 0;
  assert_ok(xpuGetDeviceCount(&devices));
  if (devices < 2) skip();
  const size_t before = told(xpuGraphMemAttrReservedMemCurrent, 1), first = reserved();
  const xpuGraph_t graph = new_graph();
  xpuMemAccessDesc peer = {{xpuMemLocationTypeDevice, 0}, xpuMemAccessFlagsProtReadWrite};
  xpuMemAllocNodeParams there = alloc_params(kMiB, 1);
  there.accessDescs = &peer;
  there.accessDescCount = 1;
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemAllocNode(&node, graph, nullptr, 0, &there));
  const Alloc here = add_alloc(graph, node, kMiB);
  int* const at = static_cast<int*>(there.dptr);
  xpuGraphNode_t last = add_one(graph, here.node, "store", at, 0, 77);
  last = add_one(graph, last, "copy_one", here.at, 0, at, 0);
  const xpuStream_t stream = new_stream();
  const xpuGraphExec_t exec = instantiate(graph);
  assert_true(told(xpuGraphMemAttrReservedMemCurrent, 1) - before >= kMiB);
  assert_true(reserved() - first >= kMiB);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(77, fetch(here.at));
  xpuPointerAttributes known = {};
  known.struct_size = sizeof known;
  assert_ok(xpuPointerGetAttributes(&known, at));
  assert_int_equal(1, known.device);
  assert_int_equal(xpuMemoryTypeDevice, known.type);
  assert_ok(xpuFree(at));
  assert_ok(xpuFree(here.at));
  destroy(exec);
  destroy(graph);
  assert_ok(xpuDeviceGraphMemTrim(1));
  assert_int_equal(before, told(xpuGraphMemAttrReservedMemCurrent, 1));
  assert_int_equal(first, reserved());
  destroy(stream);
}

// ---- nothing is left

// Kinds from here on are memory: allocations, physical memory, reservations, mappings.
enum { kMemoryKinds = 7 };
// Objects that a counting driver has, 0 kinds if the driver does not count.
static int read_counts(long* counts) {
  const char* path = getenv("XPUGRAPH_DRIVER");
  void* driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  using Read = int (*)(long*);
  const auto read =
      driver ? reinterpret_cast<Read>(dlsym(driver, "counting_driver_read")) : nullptr;
  return read ? read(counts) : 0;
}

static void nothing_is_left_in_the_driver(void**) {
  long before[16] = {}, after[16] = {};
  for_each_order(true);
  assert_ok(xpuDeviceSynchronize());
  const int kinds = read_counts(before);
  for (int i = 0; i < 3; i++) for_each_order(i % 2);
  assert_ok(xpuDeviceSynchronize());
  (void)read_counts(after);
  for (int i = 0; i < kinds; i++) {
    if (after[i] > before[i]) print_error("kind %d: %ld, then %ld\n", i, before[i], after[i]);
    // Events of an extension are only seen to go.
    assert_true(after[i] <= before[i]);
    if (i >= kMemoryKinds) assert_int_equal(before[i], after[i]);
  }
}

int main(void) {
  const Test tests[] = {
      xpu_test(memory_outlives_graph_and_executable, results(executes)),
      xpu_test(a_new_executable_follows_the_old_ones_last_launch, results(executes | waits)),
      xpu_test(everything_ends_in_any_order),
      xpu_test(everything_ends_in_any_order_while_it_runs),
      xpu_test(graphs_that_are_never_launched_hold_nothing),
      xpu_test(many_graphs_live_side_by_side, results(executes)),
      xpu_test(a_graph_outgrows_its_first_range),
      xpu_test(memory_is_on_the_device_that_is_asked_for, results(executes)),
      xpu_test(nothing_is_left_in_the_driver),
  };
  return run_all(tests, load_first);
}
