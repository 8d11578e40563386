// SPDX-License-Identifier: Apache-2.0
// How a profile is asked for: the number of rows, rows of other sizes, and what is refused.
#include <unistd.h>

#include "profiling.h"

using namespace xpu::test;

static void the_number_of_rows_is_asked_for_first(void**) {
  int* p = device_ints(1, 0);
  const xpuGraph_t graph = new_graph();
  (void)add_one(graph, add_one(graph, nullptr, "add", p, 0, 1), "add", p, 0, 1);
  const xpuGraphExec_t exec = instantiate(graph);

  count = 99;
  assert_ok(xpuGraphExecProfile(exec, stream, nullptr, &count, nullptr));
  assert_int_equal(2, count);
  memset(rows, '#', sizeof rows);
  rows[0].struct_size = sizeof *rows;
  count = 1;
  assert_code(xpuGraphExecProfile(exec, stream, rows, &count, nullptr), xpuErrorInvalidValue);
  assert_string_equal("numNodes", last_failure().argument);
  assert_int_equal(1, count);
  assert_int_equal('#', reinterpret_cast<const char*>(rows)[4]);
  if (shown(executes)) assert_int_equal(0, fetch(p));  // neither of both ran it
  profile(exec);
  assert_int_equal(2, count);
  if (shown(executes)) assert_int_equal(2, fetch(p));

  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static void rows_of_a_newer_program_are_as_far_apart_as_it_says(void**) {
  struct Newer {
    xpuGraphNodeProfile known;
    uint64_t unknown[2];
  };
  static Newer newer[3];
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t last = nullptr;
  for (int i = 0; i < 3; i++) last = add_one(graph, last, "noop");
  const xpuGraphExec_t exec = instantiate(graph);
  memset(newer, '#', sizeof newer);
  newer[0].known.struct_size = sizeof *newer;
  size_t n = 3;
  assert_ok(xpuGraphExecProfile(exec, stream, &newer[0].known, &n, nullptr));
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(sizeof *newer, newer[i].known.struct_size);
    assert_int_equal(i, newer[i].known.localId);
    assert_string_equal("noop", newer[i].known.name);
    assert_true(newer[i].unknown[0] == 0 && newer[i].unknown[1] == 0);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static void an_empty_graph_has_no_rows(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphExec_t exec = instantiate(graph);
  xpuGraphNodeProfile none;
  size_t n = 0;
  assert_ok(xpuGraphExecProfile(exec, stream, &none, &n, nullptr));
  assert_int_equal(0, n);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
}

static xpuGraphExec_t refused_exec;
static xpuStream_t captured;
static xpuGraphNodeProfile small_row, odd_row;

static void what_cannot_be_profiled_is_refused(void**) {
  int* p = device_ints(1, 0);
  const xpuGraph_t graph = new_graph();
  (void)add_one(graph, nullptr, "add", p, 0, 1);
  refused_exec = instantiate(graph);
  captured = new_stream();
  memset(&small_row, 0, sizeof small_row);
  small_row.struct_size = 8;
  memset(&odd_row, 0, sizeof odd_row);
  odd_row.struct_size = sizeof odd_row + 1;
  outs.size = 1;
  static size_t room;
  room = 1;
  static const Refusal refusals[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphExecProfile, "graphExec", "is NULL", nullptr, stream,
              nullptr, &outs.size, nullptr),
      REFUSED(xpuErrorInvalidResourceHandle, xpuGraphExecProfile, "stream", "is none", refused_exec,
              reinterpret_cast<xpuStream_t>(refused_exec), nullptr, &outs.size, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecProfile, "numNodes", "is NULL", refused_exec,
              stream, nullptr, nullptr, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecProfile, "numNodes", "is NULL", refused_exec,
              stream, &small_row, nullptr, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecProfile, "nodes", "has no size", refused_exec,
              stream, &small_row, &room, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphExecProfile, "nodes", "would not be aligned",
              refused_exec, stream, &odd_row, &room, nullptr),
      REFUSED(xpuErrorOperatingSystem, xpuGraphExecProfile, "tracePath", "is in no folder",
              refused_exec, stream, nullptr, nullptr, "/there/is/no/such/folder/trace.json"),
  };
  assert_all_refused(refusals);
  if (shown(executes)) assert_int_equal(0, fetch(p));

  begin(captured);
  assert_code(xpuGraphExecProfile(refused_exec, captured, nullptr, nullptr, "/dev/null"),
              xpuErrorStreamCaptureUnsupported);
  end_lost(captured, xpuErrorStreamCaptureInvalidated);
  assert_ok(xpuStreamDestroy(captured));
  assert_ok(xpuGraphExecDestroy(refused_exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(p));
}

static size_t size_of_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return SIZE_MAX;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fclose(file);
  return static_cast<size_t>(size);
}

static void a_refused_run_leaves_the_last_profile(void**) {
  static char path[] = "/tmp/xpugraph_profile_XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  const Kept kept = kept_graph(1);
  const xpuGraphExec_t exec = instantiate(kept.graph);
  assert_ok(xpuGraphExecProfile(exec, stream, nullptr, nullptr, path));
  const size_t size = size_of_file(path);
  assert_true(size > 0);

  // What it allocated has not been freed.
  assert_code(xpuGraphExecProfile(exec, stream, nullptr, nullptr, path), xpuErrorInvalidValue);
  assert_int_equal(size, size_of_file(path));

  assert_ok(xpuFreeAsync(kept.at, stream));
  destroy(exec);
  destroy(kept.graph);
  assert_int_equal(0, unlink(path));
}

int main() {
  const Test tests[] = {
      xpu_test(the_number_of_rows_is_asked_for_first, results(executes)),
      xpu_test(rows_of_a_newer_program_are_as_far_apart_as_it_says),
      xpu_test(an_empty_graph_has_no_rows),
      xpu_test(what_cannot_be_profiled_is_refused, results(executes)),
      xpu_test(a_refused_run_leaves_the_last_profile),
  };
  return run_all(tests, open_all, close_all);
}
