// SPDX-License-Identifier: Apache-2.0
// The picture of a graph: what is in it, the same each time, and drawn by Graphviz without a
// warning.
#include <unistd.h>

#include "ground.h"

using namespace xpu::test;

static char path[] = "/tmp/xpugraph_dot_XXXXXX";
static char text[1 << 16], again[1 << 16];

static int open_all(void**) {
  const int file = mkstemp(path);
  if (file >= 0) close(file);
  return file < 0;
}
static int close_all(void**) { return unlink(path); }

// A kernel, a fill, a copy, a host call, a child and a join.
static xpuGraph_t make_graph() {
  static int numbers[16];
  const xpuGraph_t graph = new_graph(), child = new_graph();
  int* p = device_ints(16);
  add_one(child, nullptr, "noop");
  const xpuGraphNode_t k = add_one(graph, nullptr, "store", p, 3, 0x1267);
  const xpuMemsetParams fill = {sizeof fill, 0, p, 0, 0xab, 1, 13, 1};
  const xpuHostNodeParams host = {sizeof host, 0, [](void*) {}, nullptr};
  xpuGraphNode_t f = nullptr, c = nullptr, h = nullptr, g = nullptr, e = nullptr;
  assert_ok(xpuGraphAddMemsetNode(&f, graph, &k, 1, &fill));
  assert_ok(xpuGraphAddMemcpyNode1D(&c, graph, &f, 1, numbers, p, 44, xpuMemcpyDeviceToHost));
  assert_ok(xpuGraphAddHostNode(&h, graph, &c, 1, &host));
  assert_ok(xpuGraphAddChildGraphNode(&g, graph, &h, 1, child));
  assert_ok(xpuGraphAddEmptyNode(&e, graph, &g, 1));
  assert_ok(xpuGraphDestroy(child));
  assert_ok(xpuFree(p));
  return graph;
}

static void print(xpuGraph_t graph, unsigned flags, char* into) {
  assert_ok(xpuGraphDebugDotPrint(graph, path, flags));
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = fread(into, 1, sizeof text - 1, file);
  into[n] = '\0';
  fclose(file);
  assert_true(n > 0);
}

static size_t count(const char* in, const char* what) {
  size_t n = 0;
  for (const char* at = strstr(in, what); at; at = strstr(at + 1, what)) n++;
  return n;
}

static void a_picture_has_every_node_and_every_edge(void**) {
  const xpuGraph_t graph = make_graph();

  print(graph, 0, text);

  assert_non_null(strstr(text, "digraph"));
  assert_non_null(strstr(text, "store"));
  assert_true(count(text, "->") >= 5);
  assert_int_equal(count(text, "{"), count(text, "}"));
  assert_ok(xpuGraphDestroy(graph));
}

static void a_verbose_picture_has_dimensions_arguments_and_sizes(void**) {
  const xpuGraph_t graph = make_graph();

  print(graph, 0, text);
  assert_null(strstr(text, "00001267"));
  print(graph, xpuGraphDebugDotFlagsKernelNodeParams, text);
  assert_non_null(strstr(text, "00001267"));
  print(graph, xpuGraphDebugDotFlagsVerbose, text);
  assert_non_null(strstr(text, "00001267"));
  assert_non_null(strstr(text, "44"));
  assert_non_null(strstr(text, "13"));

  assert_ok(xpuGraphDestroy(graph));
}

static void a_picture_is_the_same_each_time(void**) {
  const xpuGraph_t graph = make_graph();

  print(graph, xpuGraphDebugDotFlagsVerbose, text);
  print(graph, xpuGraphDebugDotFlagsVerbose, again);

  assert_string_equal(text, again);
  assert_ok(xpuGraphDestroy(graph));
}

static void a_file_that_exists_is_replaced(void**) {
  const xpuGraph_t graph = make_graph(), empty = new_graph();

  print(graph, xpuGraphDebugDotFlagsVerbose, text);
  print(empty, 0, again);

  assert_true(strlen(again) < strlen(text));
  assert_null(strstr(again, "store"));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(empty));
}

static void unknown_flags_are_ignored(void**) {
  const xpuGraph_t graph = make_graph();
  print(graph, 0, text);
  print(graph, 1u << 30, again);
  assert_string_equal(text, again);
  assert_ok(xpuGraphDestroy(graph));
}

static void graphviz_draws_it_without_a_warning(void**) {
  char command[256];
  if (system("command -v dot >/dev/null 2>&1") != 0) return;
  const xpuGraph_t graph = make_graph();
  const unsigned flags[] = {0, xpuGraphDebugDotFlagsVerbose, ~0u};
  snprintf(command, sizeof command, "test -z \"$(dot -Tsvg %s 2>&1 >/dev/null)\"", path);

  for (unsigned f : flags) {
    print(graph, f, text);
    assert_int_equal(0, system(command));
  }
  assert_ok(xpuGraphDestroy(graph));
}

int main() {
  const Test tests[] = {
      xpu_test(a_picture_has_every_node_and_every_edge),
      xpu_test(a_verbose_picture_has_dimensions_arguments_and_sizes),
      xpu_test(a_picture_is_the_same_each_time),
      xpu_test(a_file_that_exists_is_replaced),
      xpu_test(unknown_flags_are_ignored),
      xpu_test(graphviz_draws_it_without_a_warning),
  };
  return run_all(tests, open_all, close_all);
}
