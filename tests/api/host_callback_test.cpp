// SPDX-License-Identifier: Apache-2.0
// Host functions are called with nothing locked, and the library refuses to be called from them.
#include <dlfcn.h>

#include "ground.h"

using namespace xpu::test;

namespace {

// Any entry point that answers with a code, called with zeros: it must refuse before it looks at
// them. On the machines there are, extra arguments do no harm.
using AnyCall = xpuError_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
constexpr int kMost = 512;
struct Export {
  char name[64];
  AnyCall call;
  xpuError_t answer;
};
Export exported[kMost];
int exports = 0;
std::atomic<int> calls{0};

bool asks_about_errors(const char* name) {
  for (const char* one : {"xpuGetErrorName", "xpuGetErrorString", "xpuGetLastError",
                          "xpuPeekAtLastError", "xpuGetLastErrorInfo"})
    if (strcmp(one, name) == 0) return true;
  return false;
}

// Those of the map that the library is linked with.
void read_exports() {
  const char* path = getenv("XPU_TEST_EXPORTS");
  FILE* file = path ? fopen(path, "r") : nullptr;
  if (!file) fail_msg("XPU_TEST_EXPORTS must name the symbol map, it is %s", path ? path : "unset");
  char line[128];
  exports = 0;
  while (fgets(line, sizeof line, file)) {
    assert_true(exports < kMost);
    Export& one = exported[exports];
    if (sscanf(line, " %63[A-Za-z0-9];", one.name) != 1 || strncmp(one.name, "xpu", 3)) continue;
    if (asks_about_errors(one.name)) continue;
    one.call = reinterpret_cast<AnyCall>(dlsym(RTLD_DEFAULT, one.name));
    one.answer = xpuSuccess;
    if (!one.call) fail_msg("%s is in the map and not in the library", one.name);
    exports++;
  }
  fclose(file);
  assert_true(exports > 100);
}

void call_everything(void*) {
  for (int i = 0; i < exports; i++)
    exported[i].answer = exported[i].call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  calls++;
}

void check_all_refused() {
  for (int i = 0; i < exports; i++) {
    if (exported[i].answer == xpuErrorNotPermitted) continue;
    fail_msg("%s inside a host function gave %s", exported[i].name,
             xpuGetErrorName(exported[i].answer));
  }
}

void every_call_inside_a_host_function_is_refused(void**) {
  const xpuStream_t s = new_stream();
  read_exports();
  calls = 0;
  assert_ok(xpuLaunchHostFunc(s, call_everything, nullptr));
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(1, calls.load());
  check_all_refused();
  assert_ok(xpuStreamDestroy(s));
}

void every_call_inside_a_host_node_is_refused(void**) {
  const xpuStream_t s = new_stream();
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  xpuHostNodeParams params = {};
  params.struct_size = sizeof params;
  params.fn = call_everything;
  assert_ok(xpuGraphAddHostNode(&node, graph, nullptr, 0, &params));
  const xpuGraphExec_t exec = instantiate(graph);
  read_exports();
  calls = 0;
  for (int i = 0; i < 3; i++) assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_int_equal(3, calls.load());
  check_all_refused();
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(s));
}

void every_call_inside_a_destructor_of_a_user_object_is_refused(void**) {
  xpuUserObject_t object = nullptr;
  read_exports();
  calls = 0;
  assert_ok(
      xpuUserObjectCreate(&object, nullptr, call_everything, 1, xpuUserObjectNoDestructorSync));
  assert_ok(xpuUserObjectRelease(object, 1));
  for (int i = 0; i < 5000 && !calls; i++) sleep_ms(1);
  assert_int_equal(1, calls.load());
  check_all_refused();
}

struct Inside {
  xpuStream_t stream;
  xpuError_t wait, last, peeked, cleared;
  char function[64];
  bool has_sentence, has_name, has_string;
};

void wait_for_itself(void* user) {
  Inside* inside = static_cast<Inside*>(user);
  inside->wait = xpuStreamSynchronize(inside->stream);
  const xpuErrorInfo info = last_failure();
  snprintf(inside->function, sizeof inside->function, "%s", info.function);
  inside->has_sentence = strstr(info.sentence, "host function");
  inside->has_name = strcmp(xpuGetErrorName(inside->wait), "xpuErrorNotPermitted") == 0;
  inside->has_string = strlen(xpuGetErrorString(inside->wait)) > 0;
  inside->peeked = xpuPeekAtLastError();
  inside->last = xpuGetLastError();
  inside->cleared = xpuGetLastError();
}

// It would never return: the stream is not over before the function is.
void a_wait_for_its_own_stream_does_not_hang(void**) {
  static Inside inside;
  inside = {};
  inside.stream = new_stream();
  assert_ok(xpuLaunchHostFunc(inside.stream, wait_for_itself, &inside));
  assert_ok(xpuStreamSynchronize(inside.stream));

  assert_code(inside.wait, xpuErrorNotPermitted);
  assert_string_equal("xpuStreamSynchronize", inside.function);
  assert_true(inside.has_sentence && inside.has_name && inside.has_string);
  assert_int_equal(xpuErrorNotPermitted, inside.peeked);
  assert_int_equal(xpuErrorNotPermitted, inside.last);
  assert_int_equal(xpuSuccess, inside.cleared);
  // Neither this thread's record nor the stream has anything of it.
  assert_code(xpuGetLastError(), xpuSuccess);
  assert_ok(xpuStreamDestroy(inside.stream));
}

// What the others do while a function runs, with the very stream and executable that it runs in.
void other_threads_go_on_while_a_host_function_runs(void**) {
  static Gate gate;
  const xpuStream_t s = new_stream(), other = new_stream();
  const xpuGraph_t graph = new_graph();
  int* p = device_ints(1);
  xpuGraphNode_t held = nullptr;
  xpuHostNodeParams params = {};
  params.struct_size = sizeof params;
  params.fn = Gate::wait;
  params.userData = &gate;
  assert_ok(xpuGraphAddHostNode(&held, graph, nullptr, 0, &params));
  add_one(graph, held, "add", p, 0, 1);
  const xpuGraphExec_t exec = instantiate(graph);
  gate.open = gate.reached = 0;
  assert_ok(xpuGraphLaunch(exec, s));
  gate.await();

  assert_code(xpuStreamQuery(s), xpuErrorNotReady);
  assert_ok(xpuGraphLaunch(exec, s));
  const xpuGraphExec_t another = instantiate(graph);
  assert_ok(xpuGraphUpload(another, other));
  assert_ok(xpuGraphHostNodeSetParams(held, &params));
  assert_ok(xpuGraphExecDestroy(another));
  launch_one(other, "noop");
  assert_ok(xpuStreamSynchronize(other));
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  assert_int_equal(2, fetch(p));
  assert_ok(xpuFree(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuStreamDestroy(other));
}

void count(void* user) { (*static_cast<std::atomic<int>*>(user))++; }

// Each has a place of its own until it has run, more than a block of them at a time.
void many_host_functions_are_queued_at_once(void**) {
  static Gate gate;
  static std::atomic<int> counts[300];
  const xpuStream_t s = new_stream();
  for (int turn = 0; turn < 2; turn++) {
    gate.shut(s);
    for (auto& one : counts) {
      one = 0;
      assert_ok(xpuLaunchHostFunc(s, count, &one));
    }
    gate.open = 1;
    assert_ok(xpuStreamSynchronize(s));
    for (auto& one : counts) assert_int_equal(1, one.load());
  }
  assert_ok(xpuStreamDestroy(s));
}

}  // namespace

int main() {
  const Test tests[] = {
      xpu_test(every_call_inside_a_host_function_is_refused, needs(calls_back)),
      xpu_test(every_call_inside_a_host_node_is_refused, needs(calls_back)),
      xpu_test(every_call_inside_a_destructor_of_a_user_object_is_refused),
      xpu_test(a_wait_for_its_own_stream_does_not_hang, needs(calls_back)),
      xpu_test(other_threads_go_on_while_a_host_function_runs,
               needs(calls_back | executes | waits)),
      xpu_test(many_host_functions_are_queued_at_once, needs(calls_back | waits)),
  };
  return run_all(tests, load_first);
}
