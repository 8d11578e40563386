// SPDX-License-Identifier: Apache-2.0
// Symbols that are none, and copies that leave one.
#include "symbols.h"

using namespace xpu::test;

namespace {

xpuSymbol_t table, dead;
xpuGraph_t graph;
xpuGraphNode_t node, kernel_node;
xpuGraphExec_t exec;
xpuStream_t s;
int* p;

constexpr xpuMemcpyKind kIn = xpuMemcpyHostToDevice, kOut = xpuMemcpyDeviceToHost;

// What each of the ten calls that copy refuses, with one word of it wrong.
#define COPIES(code, argument, what, symbol, count, offset, in, out)                               \
  REFUSED(code, xpuMemcpyToSymbol, argument, what, symbol, p, count, offset, in),                  \
      REFUSED(code, xpuMemcpyFromSymbol, argument, what, p, symbol, count, offset, out),           \
      REFUSED(code, xpuMemcpyToSymbolAsync, argument, what, symbol, p, count, offset, in, s),      \
      REFUSED(code, xpuMemcpyFromSymbolAsync, argument, what, p, symbol, count, offset, out, s),   \
      REFUSED(code, xpuGraphAddMemcpyNodeToSymbol, argument, what, &outs.node, graph, nullptr, 0,  \
              symbol, p, count, offset, in),                                                       \
      REFUSED(code, xpuGraphAddMemcpyNodeFromSymbol, argument, what, &outs.node, graph, nullptr,   \
              0, p, symbol, count, offset, out),                                                   \
      REFUSED(code, xpuGraphMemcpyNodeSetParamsToSymbol, argument, what, node, symbol, p, count,   \
              offset, in),                                                                         \
      REFUSED(code, xpuGraphMemcpyNodeSetParamsFromSymbol, argument, what, node, p, symbol, count, \
              offset, out),                                                                        \
      REFUSED(code, xpuGraphExecMemcpyNodeSetParamsToSymbol, argument, what, exec, node, symbol,   \
              p, count, offset, in),                                                               \
      REFUSED(code, xpuGraphExecMemcpyNodeSetParamsFromSymbol, argument, what, exec, node, p,      \
              symbol, count, offset, out)

void what_is_no_symbol_is_refused(void**) {
  static const Refusal rows[] = {
      COPIES(xpuErrorInvalidSymbol, "symbol", "is NULL", nullptr, 4, 0, kIn, kOut),
      COPIES(xpuErrorInvalidSymbol, "symbol", "is dead", dead, 4, 0, kIn, kOut),
      COPIES(xpuErrorInvalidSymbol, "symbol", "is a stream", reinterpret_cast<xpuSymbol_t>(s), 4, 0,
             kIn, kOut),
      REFUSED(xpuErrorInvalidSymbol, xpuGetSymbolAddress, "symbol", "is dead", &outs.pointer, dead),
      REFUSED(xpuErrorInvalidSymbol, xpuGetSymbolSize, "symbol", "is NULL", &outs.size, nullptr),
  };
  assert_all_refused(rows);
}

void what_is_not_inside_the_variable_is_refused(void**) {
  static const Refusal rows[] = {
      COPIES(xpuErrorInvalidValue, "count", "is too large", table, 33, 0, kIn, kOut),
      COPIES(xpuErrorInvalidValue, "count", "is too large from there on", table, 8, 28, kIn, kOut),
      COPIES(xpuErrorInvalidValue, "count", "is absurd", table, SIZE_MAX, 4, kIn, kOut),
      COPIES(xpuErrorInvalidValue, "offset", "is behind it", table, 1, 33, kIn, kOut),
      COPIES(xpuErrorInvalidValue, "offset", "is absurd", table, 4, SIZE_MAX, kIn, kOut),
  };
  assert_all_refused(rows);
}

void directions_that_cannot_be_are_refused(void**) {
  static const Refusal rows[] = {
      COPIES(xpuErrorInvalidMemcpyDirection, "kind", "is the other way", table, 4, 0, kOut, kIn),
      COPIES(xpuErrorInvalidMemcpyDirection, "kind", "is between hosts", table, 4, 0,
             xpuMemcpyHostToHost, xpuMemcpyHostToHost),
      COPIES(xpuErrorInvalidMemcpyDirection, "kind", "is 9", table, 4, 0,
             static_cast<xpuMemcpyKind>(9), static_cast<xpuMemcpyKind>(9)),
  };
  assert_all_refused(rows);
}

void nodes_have_something_to_copy_and_are_of_that_kind(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemcpyNodeToSymbol, "count", "is 0", &outs.node,
              graph, nullptr, 0, table, p, 0, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemcpyNodeFromSymbol, "count", "is 0", &outs.node,
              graph, nullptr, 0, p, table, 0, 0, kOut),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemcpyNodeToSymbol, "src", "is NULL", &outs.node,
              graph, nullptr, 0, table, nullptr, 4, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemcpyNodeFromSymbol, "dst", "is NULL", &outs.node,
              graph, nullptr, 0, nullptr, table, 4, 0, kOut),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemcpyNodeSetParamsToSymbol, "node", "is a kernel",
              kernel_node, table, p, 4, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemcpyNodeSetParamsFromSymbol, "node", "is a kernel",
              kernel_node, p, table, 4, 0, kOut),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecMemcpyNodeSetParamsToSymbol, "node", "is a kernel",
              exec, kernel_node, table, p, 4, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecMemcpyNodeSetParamsFromSymbol, "hGraphExec",
              "is NULL", nullptr, node, p, table, 4, 0, kOut),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecMemcpyNodeSetParamsToSymbol, "hGraphExec",
              "is NULL", nullptr, node, table, p, 4, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuMemcpyToSymbol, "src", "is NULL", table, nullptr, 4, 0, kIn),
      REFUSED(xpuErrorInvalidValue, xpuMemcpyFromSymbol, "dst", "is NULL", nullptr, table, 4, 0,
              kOut),
      REFUSED(xpuErrorInvalidResourceHandle, xpuMemcpyToSymbolAsync, "stream", "is none", table, p,
              4, 0, kIn, reinterpret_cast<xpuStream_t>(table)),
      REFUSED(xpuErrorInvalidResourceHandle, xpuMemcpyFromSymbolAsync, "stream", "is none", p,
              table, 4, 0, kOut, reinterpret_cast<xpuStream_t>(table)),
  };
  assert_all_refused(rows);
}

void a_module_has_only_what_it_exports(void**) {
  static xpuSymbol_t out;
  static const Refusal rows[] = {
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetSymbol, "name", "is unknown", &out, globals,
              "nothing"),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetSymbol, "name", "is a kernel's", &out, globals,
              "bump"),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetSymbol, "name", "is empty", &out, globals, ""),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetGlobal, "name", "is unknown", &outs.pointer,
              &outs.size, globals, "nothing"),
      REFUSED(xpuErrorInvalidValue, xpuModuleGetSymbol, "name", "is NULL", &out, globals, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuModuleGetSymbol, "pSymbol", "is NULL", nullptr, globals,
              "table"),
      REFUSED(xpuErrorInvalidResourceHandle, xpuModuleGetSymbol, "module", "is NULL", &out, nullptr,
              "table"),
      REFUSED(xpuErrorInvalidValue, xpuModuleGetGlobal, "dptr", "is NULL as the other", nullptr,
              nullptr, globals, "table"),
      REFUSED(xpuErrorInvalidValue, xpuModuleGetGlobal, "name", "is NULL", &outs.pointer,
              &outs.size, globals, nullptr),
      REFUSED(xpuErrorInvalidResourceHandle, xpuModuleGetGlobal, "module", "is NULL", &outs.pointer,
              &outs.size, nullptr, "table"),
      REFUSED(xpuErrorInvalidValue, xpuGetSymbolAddress, "devPtr", "is NULL", nullptr, table),
      REFUSED(xpuErrorInvalidValue, xpuGetSymbolSize, "size", "is NULL", nullptr, table),
  };
  assert_all_refused(rows);
  assert_null(out);
}

// It is the module's.
void a_variable_cannot_be_freed(void**) {
  void* address = nullptr;
  assert_ok(xpuGetSymbolAddress(&address, table));
  assert_code(xpuFree(address), xpuErrorInvalidValue);
  assert_code(xpuFreeAsync(address, s), xpuErrorInvalidValue);
  if (shown(executes)) assert_int_equal(0, value_of<int>("table", 4));
}

// A pointer into the middle of another variable is beyond the CPU device's reader.
void a_module_that_cannot_be_placed_runs_but_tells_nothing(void**) {
  static unsigned char bytes[1 << 16];
  static size_t size = 0;
  const xpuModule_t module = load_image(image_of("XPU_TEST_UNPLACED", bytes, size));
  xpuSymbol_t out = nullptr;
  assert_code(xpuModuleGetSymbol(&out, module, "table"), xpuErrorNotSupported);
  assert_code(xpuModuleGetGlobal(nullptr, &outs.size, module, "table"), xpuErrorNotSupported);
  assert_null(out);
  launch_of(module, s, "read_second", 1, 1, p);
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(2, fetch(p));
  assert_ok(xpuModuleUnload(module));
}

int set_up(void** state) {
  (void)load_first(state);
  const xpuModule_t gone = load_image(globals_image());
  dead = symbol("table", gone);
  assert_ok(xpuModuleUnload(gone));
  globals = load_image(globals_image());
  table = symbol("table");
  s = new_stream();
  p = device_ints(64);
  graph = new_graph();
  assert_ok(
      xpuGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, table, p, 4, 0, xpuMemcpyDefault));
  kernel_node = add_one(graph, node, "noop");
  exec = instantiate(graph);
  return 0;
}
int tear_down(void**) {
  assert_ok(xpuGraphExecDestroy(exec));
  assert_int_equal(2, node_count(graph));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuModuleUnload(globals));
  return 0;
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(what_is_no_symbol_is_refused),
      xpu_test(what_is_not_inside_the_variable_is_refused),
      xpu_test(directions_that_cannot_be_are_refused),
      xpu_test(nodes_have_something_to_copy_and_are_of_that_kind),
      xpu_test(a_module_has_only_what_it_exports),
      xpu_test(a_variable_cannot_be_freed, results(executes)),
      xpu_test(a_module_that_cannot_be_placed_runs_but_tells_nothing, needs(validates)),
  };
  return run_all(tests, set_up, tear_down);
}
