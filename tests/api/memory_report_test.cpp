// SPDX-License-Identifier: Apache-2.0
// What is told about the memory of a graph, against figures worked out by hand. With the argument
// text, json or svg it prints the report of one graph instead, for memory_report.py.
#include "graph_memory.h"

using namespace xpu::test;

static char text[1 << 20];

// a (1,000 bytes, so 1,024) goes from node 0 to 3. Behind node 0, b (100,000, so 100,352) and then
// c (80,000, so 80,384) live on one branch, d (300, so 512) on the other, all before node 8. e
// (2,048) stays.
//
//   0 alloc a ─┬─ 1 alloc b ── 2 free b ── 3 free a ── 4 alloc c ── 5 free c ─┬─ 8 alloc e
//              └─ 6 alloc d ── 7 free d ──────────────────────────────────────┘
//
// b, d and a are alive at once: 101,888. c finds the place of b, and e that of whatever is over.
struct Forked {
  xpuGraph_t graph;
  char *a, *b, *c, *d, *e;
};
static Forked forked() {
  Forked f = {};
  f.graph = new_graph();
  const Alloc a = add_alloc(f.graph, nullptr, 1000);
  const Alloc b = add_alloc(f.graph, a.node, 100000);
  const xpuGraphNode_t free_b = add_free(f.graph, b.node, b.bytes());
  const xpuGraphNode_t free_a = add_free(f.graph, free_b, a.bytes());
  const Alloc c = add_alloc(f.graph, free_a, 80000);
  const xpuGraphNode_t free_c = add_free(f.graph, c.node, c.bytes());
  const Alloc d = add_alloc(f.graph, a.node, 300);
  const xpuGraphNode_t joined[] = {free_c, add_free(f.graph, d.node, d.bytes())};
  const Alloc e = add_alloc(f.graph, joined, 2, 2048);
  f.a = a.bytes();
  f.b = b.bytes();
  f.c = c.bytes();
  f.d = d.bytes();
  f.e = e.bytes();
  return f;
}

static const char* report(xpuGraph_t graph, xpuGraphMemoryReportFormat format) {
  size_t size = sizeof text;
  assert_ok(xpuGraphMemoryReport(graph, format, text, &size));
  assert_int_equal(size, strlen(text) + 1);
  return text;
}
static void assert_has(const char* in, const char* what) {
  if (!strstr(in, what)) fail_msg("\"%s\" is not in:\n%s", what, in);
}

// Memory that graphs and executables hold, as the device tells it.
static uint64_t reserved_now() {
  uint64_t bytes = 0;
  assert_ok(xpuDeviceGetGraphMemAttribute(0, xpuGraphMemAttrReservedMemCurrent, &bytes));
  return bytes;
}

static void assert_allocation(const char* json, unsigned node, size_t bytes, size_t rounded,
                              const char* address, const char* first, const char* rest) {
  char wanted[512];
  snprintf(wanted, sizeof wanted,
           "{\"node\": %u, \"bytes\": %zu, \"rounded\": %zu, \"device\": 0, \"range\": 0, "
           "\"offset\": %zu, \"address\": \"%p\", \"begins\": %u, \"ends\": %s}",
           node, bytes, rounded, static_cast<size_t>(address - first),
           static_cast<const void*>(address), node, rest);
  assert_has(json, wanted);
}

static void every_allocation_is_told_from_node_to_node(void**) {
  const Forked f = forked();
  const char* json = report(f.graph, xpuGraphMemoryReportJson);

  // The first allocation of a graph is at the beginning of its range.
  assert_allocation(json, 0, 1000, 1024, f.a, f.a, "3, \"first_level\": 0, \"last_level\": 3");
  assert_allocation(json, 1, 100000, 100352, f.b, f.a, "2, \"first_level\": 1, \"last_level\": 2");
  assert_allocation(json, 4, 80000, 80384, f.c, f.a, "5, \"first_level\": 4, \"last_level\": 5");
  assert_allocation(json, 6, 300, 512, f.d, f.a, "7, \"first_level\": 1, \"last_level\": 2");
  assert_allocation(json, 8, 2048, 2048, f.e, f.a,
                    "\"stays\", \"first_level\": 6, \"last_level\": 6");
  assert_has(json, "\"levels\": 7");
  assert_ok(xpuGraphDestroy(f.graph));
}

static void the_device_is_told_peak_bound_and_waste(void**) {
  // Where memory cannot be mapped the graph has it from the beginning, elsewhere the executable.
  const uint64_t before = reserved_now();
  const Forked f = forked();
  const xpuGraphExec_t exec = instantiate(f.graph);
  const size_t reserved = reserved_now() - before;
  assert_ok(xpuGraphExecDestroy(exec));
  const size_t bound = 1024 + 100352 + 512;
  char wanted[512];
  snprintf(wanted, sizeof wanted,
           "{\"device\": 0, \"peak\": %zu, \"reserved\": %zu, \"lower_bound\": %zu, "
           "\"exact\": true, \"waste\": %zu}",
           bound, reserved, bound, reserved - bound);
  assert_has(report(f.graph, xpuGraphMemoryReportJson), wanted);
  snprintf(wanted, sizeof wanted,
           "device 0: peak %zu, reserved %zu, lower bound %zu, waste %zu bytes", bound, reserved,
           bound, reserved - bound);
  assert_has(report(f.graph, xpuGraphMemoryReportText), wanted);
  assert_has(report(f.graph, xpuGraphMemoryReportSvg), wanted);
  assert_ok(xpuGraphDestroy(f.graph));
}

// Sixteen blocks of 2 MiB, each freed three later: three at once.
static void a_chain_of_32_mib_with_6_alive_needs_6(void**) {
  const size_t block = size_t{2} << 20;
  const xpuGraph_t graph = new_graph();
  char* at[16] = {};
  xpuGraphNode_t last = nullptr;
  for (int i = 0; i < 16; i++) {
    const Alloc made = add_alloc(graph, last, block);
    at[i] = made.bytes();
    last = made.node;
    if (i >= 2) last = add_free(graph, last, at[i - 2]);
  }
  last = add_free(graph, last, at[14]);
  (void)add_free(graph, last, at[15]);

  const char* json = report(graph, xpuGraphMemoryReportJson);
  assert_has(json,
             "\"peak\": 6291456, \"reserved\": 6291456, \"lower_bound\": 6291456, "
             "\"exact\": true, \"waste\": 0");
  assert_ok(xpuGraphDestroy(graph));
}

static void beyond_512_allocations_the_bound_says_that_it_is_one(void**) {
  for (int count : {512, 513}) {
    const xpuGraph_t graph = new_graph();
    for (int i = 0; i < count; i++) (void)add_alloc(graph, nullptr, 512);
    const bool exact = count <= 512;
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\"lower_bound\": %d, \"exact\": %s", count * 512,
             exact ? "true" : "false");
    assert_has(report(graph, xpuGraphMemoryReportJson), wanted);
    snprintf(wanted, sizeof wanted, "lower bound %s%d", exact ? "" : "at least ", count * 512);
    assert_has(report(graph, xpuGraphMemoryReportText), wanted);
    assert_ok(xpuGraphDestroy(graph));
  }
}

static void a_graph_without_memory_has_an_empty_report(void**) {
  const xpuGraph_t graph = new_graph();
  assert_has(report(graph, xpuGraphMemoryReportText), ": 0 allocations, 0 levels\n");
  assert_has(report(graph, xpuGraphMemoryReportJson),
             "\"levels\": 0,\n  \"allocations\": [],\n  \"devices\": []");
  assert_has(report(graph, xpuGraphMemoryReportSvg), "<svg ");
  assert_ok(xpuGraphDestroy(graph));
}

static void the_size_is_asked_for_first(void**) {
  const Forked f = forked();
  size_t size = 12345;
  assert_ok(xpuGraphMemoryReport(f.graph, xpuGraphMemoryReportText, nullptr, &size));
  const size_t needed = size;
  assert_true(needed > 100 && needed != 12345);

  memset(text, '#', sizeof text);
  size = needed - 1;
  assert_code(xpuGraphMemoryReport(f.graph, xpuGraphMemoryReportText, text, &size),
              xpuErrorInvalidValue);
  assert_string_equal("size", last_failure().argument);
  assert_int_equal(needed - 1, size);
  assert_int_equal('#', text[0]);

  size = needed;
  assert_ok(xpuGraphMemoryReport(f.graph, xpuGraphMemoryReportText, text, &size));
  assert_int_equal(needed, size);
  assert_int_equal('#', text[needed]);
  assert_int_equal(needed - 1, strlen(text));
  assert_ok(xpuGraphDestroy(f.graph));
}

static void what_cannot_be_told_is_refused(void**) {
  static xpuGraph_t graph, cyclic;
  graph = new_graph();
  cyclic = new_graph();
  xpuGraphNode_t a = add_one(cyclic, nullptr, "noop"), b = add_one(cyclic, a, "noop");
  assert_ok(xpuGraphAddDependencies(cyclic, &b, &a, nullptr, 1));
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphMemoryReport, "graph", "is NULL", nullptr,
              xpuGraphMemoryReportText, nullptr, &outs.size),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemoryReport, "size", "is NULL", graph,
              xpuGraphMemoryReportText, nullptr, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemoryReport, "format", "is 3", graph,
              static_cast<xpuGraphMemoryReportFormat>(3), nullptr, &outs.size),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemoryReport, "graph", "has a cycle", cyclic,
              xpuGraphMemoryReportText, nullptr, &outs.size),
  };
  assert_all_refused(rows);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphDestroy(cyclic));
}

static int print(const char* format) {
  const Forked f = forked();
  size_t size = sizeof text;
  const auto as = strcmp(format, "json") == 0  ? xpuGraphMemoryReportJson
                  : strcmp(format, "svg") == 0 ? xpuGraphMemoryReportSvg
                                               : xpuGraphMemoryReportText;
  if (xpuGraphMemoryReport(f.graph, as, text, &size) != xpuSuccess) return 1;
  fputs(text, stdout);
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1) return print(argv[1]);
  const Test tests[] = {
      xpu_test(every_allocation_is_told_from_node_to_node),
      xpu_test(the_device_is_told_peak_bound_and_waste),
      xpu_test(a_chain_of_32_mib_with_6_alive_needs_6),
      xpu_test(beyond_512_allocations_the_bound_says_that_it_is_one),
      xpu_test(a_graph_without_memory_has_an_empty_report),
      xpu_test(the_size_is_asked_for_first),
      xpu_test(what_cannot_be_told_is_refused),
  };
  return run_all(tests, load_first);
}
