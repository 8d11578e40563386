// SPDX-License-Identifier: Apache-2.0
// Variables of modules: where they are, what is in them, and copies to and from them.
#include "symbols.h"

using namespace xpu::test;

namespace {

xpuStream_t s;
int* p;

// As the host's compiler lays it out; a vector of three has the room of four.
struct Mixed {
  char a;
  short b;
  int c[2];
  int64_t d;
  alignas(16) float e[4];
};

size_t size_of(const char* name) {
  size_t size = 0;
  assert_ok(xpuGetSymbolSize(&size, symbol(name)));
  return size;
}

void a_symbol_has_a_size_and_an_address(void**) {
  struct Row {
    const char* name;
    size_t size;
  };
  for (const Row& row : {Row{"counter", 4}, Row{"table", 32}, Row{"mixed", sizeof(Mixed)},
                         Row{"where", 8}, Row{"bytes", 3}}) {
    void *address = nullptr, *global = nullptr;
    size_t size = 0;
    assert_int_equal(row.size, size_of(row.name));
    assert_ok(xpuGetSymbolAddress(&address, symbol(row.name)));
    assert_non_null(address);
    assert_ok(xpuModuleGetGlobal(&global, &size, globals, row.name));
    assert_ptr_equal(address, global);
    assert_int_equal(row.size, size);
    assert_ok(xpuModuleGetGlobal(nullptr, &size, globals, row.name));
    assert_ok(xpuModuleGetGlobal(&global, nullptr, globals, row.name));
    assert_ptr_equal(symbol(row.name), symbol(row.name));
    xpuPointerAttributes attributes = {};
    attributes.struct_size = sizeof attributes;
    assert_ok(xpuPointerGetAttributes(&attributes, address));
    assert_int_equal(xpuMemoryTypeDevice, attributes.type);
  }
}

void the_first_values_are_those_of_the_source(void**) {
  const xpuModule_t fresh = load_image(globals_image());
  int64_t* const out = reinterpret_cast<int64_t*>(device_ints(16));
  void* counter = nullptr;
  launch_of(fresh, s, "look", 1, 1, out);
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuModuleGetGlobal(&counter, nullptr, fresh, "counter"));
  int64_t seen[8] = {};
  fetch(seen, out, sizeof seen);
  const Mixed mixed = value_of<Mixed>("mixed", 0, fresh);
  void* const where = value_of<void*>("where", 0, fresh);
  if (shown(executes)) {
    const int64_t expected[8] = {1, -2, 4, 5, 5, 7, 987, 4};
    assert_memory_equal(expected, seen, sizeof seen);
    assert_int_equal(1, mixed.a);
    assert_int_equal(-2, mixed.b);
    assert_int_equal(3, mixed.c[0]);
    assert_int_equal(5, mixed.d);
    assert_true(mixed.e[0] == 0.5f && mixed.e[2] == 2.5f);
    assert_ptr_equal(counter, where);
  }
  assert_ok(xpuFree(out));
  assert_ok(xpuModuleUnload(fresh));
}

void kernels_share_a_variable_whatever_their_sizes(void**) {
  const int before = value_of<int>("counter");
  launch_of(globals, s, "bump", 1, 1, 1);
  launch_of(globals, s, "bump", 1, 8, 10);
  launch_of(globals, s, "bump", 1, 32, 100);
  launch_of(globals, s, "read_counter", 1, 1, p);
  assert_ok(xpuStreamSynchronize(s));
  const int after = value_of<int>("counter");
  if (shown(executes)) {
    assert_int_equal(before + 111, after);
    assert_int_equal(after, fetch(p));
  }
}

void each_load_of_a_module_has_variables_of_its_own(void**) {
  const xpuModule_t one = load_image(globals_image()), other = load_image(globals_image());
  const int five = 5;
  assert_true(symbol("counter", one) != symbol("counter", other));
  assert_ok(xpuMemcpyToSymbol(symbol("counter", one), &five, 4, 0, xpuMemcpyHostToDevice));
  launch_of(other, s, "bump", 1, 1, 1);
  assert_ok(xpuStreamSynchronize(s));
  const int in_one = value_of<int>("counter", 0, one),
            in_other = value_of<int>("counter", 0, other);
  if (shown(executes)) {
    assert_int_equal(5, in_one);
    assert_int_equal(8, in_other);
  }
  assert_ok(xpuModuleUnload(one));
  assert_ok(xpuModuleUnload(other));
}

void parts_are_copied_in_both_directions(void**) {
  const int values[2] = {31, 32};
  int back[3] = {};
  launch_of(globals, s, "fill_table", 1, 8, 10);
  assert_ok(
      xpuMemcpyToSymbolAsync(symbol("table"), values, sizeof values, 8, xpuMemcpyHostToDevice, s));
  assert_ok(xpuMemcpyFromSymbolAsync(p, symbol("table"), 32, 0, xpuMemcpyDeviceToDevice, s));
  assert_ok(xpuMemcpyFromSymbolAsync(back, symbol("table"), sizeof back, 4, xpuMemcpyDefault, s));
  assert_ok(xpuStreamSynchronize(s));
  int all[8] = {};
  fetch(all, p, sizeof all);
  if (shown(executes)) {
    const int expected[8] = {10, 11, 31, 32, 14, 15, 16, 17};
    assert_memory_equal(expected, all, sizeof all);
    assert_memory_equal(expected + 1, back, sizeof back);
  }
  // Nothing is copied, and nothing is wrong.
  assert_ok(xpuMemcpyToSymbol(symbol("table"), values, 0, 32, xpuMemcpyHostToDevice));
}

// store 1 to table[1] -> copy table[1] to the counter -> copy the counter to p[0]
struct Copies {
  xpuGraph_t graph;
  xpuGraphNode_t to, from;
};
Copies make_copies(const int* source) {
  Copies c = {new_graph(), nullptr, nullptr};
  assert_ok(xpuGraphAddMemcpyNodeToSymbol(&c.to, c.graph, nullptr, 0, symbol("counter"), source, 4,
                                          0, xpuMemcpyDefault));
  assert_ok(xpuGraphAddMemcpyNodeFromSymbol(&c.from, c.graph, &c.to, 1, p, symbol("counter"), 4, 0,
                                            xpuMemcpyDeviceToDevice));
  return c;
}

void graphs_copy_to_and_from_symbols(void**) {
  int* const source = device_ints(4, 41);
  const Copies c = make_copies(source);
  void* address = nullptr;
  xpuMemcpy3DParms shown_params = {};
  shown_params.struct_size = sizeof shown_params;
  assert_int_equal(xpuGraphNodeTypeMemcpy, type_of(c.to));
  assert_ok(xpuGraphMemcpyNodeGetParams(c.to, &shown_params));
  assert_ok(xpuGetSymbolAddress(&address, symbol("counter")));
  assert_ptr_equal(address, shown_params.dstPtr.ptr);

  run(c.graph);
  const int first = fetch(p);
  // Elsewhere in both directions, in the graph.
  assert_ok(xpuGraphMemcpyNodeSetParamsToSymbol(c.to, symbol("table"), source, 4, 12,
                                                xpuMemcpyDeviceToDevice));
  assert_ok(xpuGraphMemcpyNodeSetParamsFromSymbol(c.from, p + 1, symbol("table"), 4, 12,
                                                  xpuMemcpyDefault));
  run(c.graph);
  const int second = fetch(p + 1);
  if (shown(executes)) {
    assert_int_equal(41, first);
    assert_int_equal(41, second);
  }
  assert_ok(xpuGraphDestroy(c.graph));
  assert_ok(xpuFree(source));
}

void executables_copy_elsewhere_from_the_next_launch_on(void**) {
  int* const source = device_ints(4, 51);
  const Copies c = make_copies(source);
  const xpuGraphExec_t exec = instantiate(c.graph);
  assert_ok(xpuGraphExecMemcpyNodeSetParamsToSymbol(exec, c.to, symbol("table"), source, 4, 28,
                                                    xpuMemcpyDefault));
  assert_ok(xpuGraphExecMemcpyNodeSetParamsFromSymbol(exec, c.from, p + 2, symbol("table"), 4, 28,
                                                      xpuMemcpyDefault));
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  const int copied = fetch(p + 2);
  if (shown(executes)) assert_int_equal(51, copied);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(c.graph));
  assert_ok(xpuFree(source));
}

void a_captured_copy_becomes_a_node(void**) {
  int* const source = device_ints(1, 61);
  begin(s);
  assert_ok(xpuMemcpyToSymbolAsync(symbol("counter"), source, 4, 0, xpuMemcpyDeviceToDevice, s));
  launch_of(globals, s, "bump", 1, 1, 1);
  assert_ok(xpuMemcpyFromSymbolAsync(p, symbol("counter"), 4, 0, xpuMemcpyDeviceToDevice, s));
  const xpuGraph_t graph = end(s);
  assert_int_equal(3, node_count(graph));
  assert_int_equal(xpuGraphNodeTypeMemcpy, type_of(node_at(graph, 0)));
  run_and_destroy(graph);
  const int copied = fetch(p);
  if (shown(executes)) assert_int_equal(62, copied);
  assert_ok(xpuFree(source));
}

// A graph keeps the kernel, and the kernel its variables.
void a_graph_with_a_kernel_keeps_its_variables(void**) {
  const xpuModule_t module = load_image(globals_image());
  begin(s);
  launch_of(module, s, "bump", 1, 1, 1);
  launch_of(module, s, "read_counter", 1, 1, p);
  const xpuGraph_t graph = end(s);
  assert_ok(xpuModuleUnload(module));
  run_and_destroy(graph, 3);
  const int counted = fetch(p);
  if (shown(executes)) assert_int_equal(10, counted);
}

int set_up(void** state) {
  (void)load_first(state);
  globals = load_image(globals_image());
  s = new_stream();
  p = device_ints(16);
  return 0;
}
int tear_down(void**) {
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuModuleUnload(globals));
  return 0;
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(a_symbol_has_a_size_and_an_address),
      xpu_test(the_first_values_are_those_of_the_source, results(executes)),
      xpu_test(kernels_share_a_variable_whatever_their_sizes, results(executes)),
      xpu_test(each_load_of_a_module_has_variables_of_its_own, results(executes)),
      xpu_test(parts_are_copied_in_both_directions, results(executes)),
      xpu_test(graphs_copy_to_and_from_symbols, results(executes)),
      xpu_test(executables_copy_elsewhere_from_the_next_launch_on, results(executes)),
      xpu_test(a_captured_copy_becomes_a_node, results(executes)),
      xpu_test(a_graph_with_a_kernel_keeps_its_variables, results(executes)),
  };
  return run_all(tests, set_up, tear_down);
}
