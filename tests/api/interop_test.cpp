// SPDX-License-Identifier: Apache-2.0
// A Level Zero program that owns everything uses the library for graphs only. The argument says how
// the program finds Level Zero: "loader" or "driver".
#include "foreign.h"

using namespace xpu::test;

static const char* way;
static xpuStream_t stream;
static xpuKernel_t add, step, reverse;
static ze_kernel_handle_t store;

static const size_t three[] = {sizeof(void*), sizeof(int), sizeof(int)};
static const size_t with_local[] = {sizeof(void*), XPU_PARAM_LOCAL};

static int open_all(void**) {
  strcmp(way, "loader") == 0 ? find_in_loader() : find_in_driver(getenv("XPU_TEST_DRIVER"));
  open_foreign();
  xpuNativeDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.deviceCount = 1;
  desc.driver = foreign.driver;
  desc.devices = &foreign.device;
  desc.context = foreign.context;
  desc.driverPath = foreign.library;
  assert_ok(xpuInitFromNative(&desc));
  assert_ok(xpuStreamCreateFromNative(&stream, 0, foreign.list));
  assert_ok(xpuKernelCreateFromNative(&add, 0, foreign.module, "add", 3, three));
  assert_ok(xpuKernelCreateFromNative(&step, 0, foreign.module, "step", 3, three));
  assert_ok(xpuKernelCreateFromNative(&reverse, 0, foreign.module, "reverse", 2, with_local));
  store = foreign_kernel("store");
  return 0;
}

static int close_all(void**) {
  assert_ze(foreign.KernelDestroy(store));
  close_foreign();
  return 0;
}

static void launch_kernel(xpuKernel_t func, int* p, int a, int b) {
  void* args[] = {&p, &a, &b};
  assert_ok(xpuLaunchKernel(func, dim(1), dim(1), args, 0, stream));
}

static void the_handles_are_those_of_the_program(void**) {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  ze_command_list_handle_t list = nullptr;
  int count = 0;

  assert_ok(xpuGetDeviceCount(&count));
  assert_ok(xpuDeviceGetNative(0, &driver, &device, &context));
  assert_ok(xpuStreamGetNative(stream, &list));

  assert_int_equal(1, count);
  assert_ptr_equal(foreign.driver, driver);
  assert_ptr_equal(foreign.device, device);
  assert_ptr_equal(foreign.context, context);
  assert_ptr_equal(foreign.list, list);
}

static void the_memory_of_the_program_is_known(void**) {
  static const xpuMemoryType types[] = {xpuMemoryTypeDevice, xpuMemoryTypeHost,
                                        xpuMemoryTypeManaged};
  for (xpuMemoryType type : types) {
    char* memory = reinterpret_cast<char*>(foreign_memory(4096, type));
    xpuPointerAttributes a = {};
    a.struct_size = sizeof a;
    assert_ok(xpuPointerGetAttributes(&a, memory + 100));
    assert_int_equal(type, a.type);
    assert_ptr_equal(memory + 100, a.devicePointer);
    assert_ze(foreign.MemFree(foreign.context, memory));
    assert_ok(xpuPointerGetAttributes(&a, memory + 100));
    assert_int_equal(xpuMemoryTypeUnregistered, a.type);
  }
}

static void a_graph_runs_between_what_the_program_appends_itself(void**) {
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  xpuGraph_t graph = nullptr;
  p[0] = p[1] = 0;
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeGlobal));
  launch_kernel(step, p, 10, 1);
  launch_kernel(step, p, 10, 2);
  assert_ok(xpuMemcpyAsync(p + 1, p, sizeof(int), xpuMemcpyDefault, stream));
  assert_ok(xpuStreamEndCapture(stream, &graph));
  const xpuGraphExec_t exec = instantiate(graph);
  foreign_wait();
  assert_int_equal(0, p[0]);

  for (int i = 0; i < 5; i++) {
    foreign_store(store, p, 0, i);
    assert_ok(xpuGraphLaunch(exec, stream));
  }
  foreign_store(store, p, 2, 9);
  foreign_wait();

  if (shown(executes)) {
    assert_int_equal(412, p[0]);
    assert_int_equal(412, p[1]);
    assert_int_equal(9, p[2]);
  }
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ze(foreign.MemFree(foreign.context, p));
}

static void eager_calls_work_on_the_memory_of_the_program(void**) {
  int* p = foreign_memory(256, xpuMemoryTypeDevice);
  int* pinned = foreign_memory(256, xpuMemoryTypeHost);

  assert_ok(xpuMemsetAsync(p, 0, 256, stream));
  launch_kernel(add, p, 3, 40);
  launch_kernel(add, p, 3, 2);
  assert_ok(xpuMemcpyAsync(pinned, p, 256, xpuMemcpyDeviceToHost, stream));
  assert_ok(xpuStreamSynchronize(stream));

  if (shown(executes)) assert_int_equal(42, pinned[3]);
  if (shown(executes)) assert_int_equal(0, pinned[2]);
  assert_code(xpuMemcpy(pinned, p, 257, xpuMemcpyDefault), xpuErrorInvalidValue);
  assert_ze(foreign.MemFree(foreign.context, p));
  assert_ze(foreign.MemFree(foreign.context, pinned));
}

static void a_wide_graph_of_hand_made_nodes_runs_on_native_kernels(void**) {
  const xpuGraph_t graph = new_graph();
  int* p = foreign_memory(64 * sizeof(int), xpuMemoryTypeManaged);
  size_t bytes = 16 * sizeof(int);
  void* args[] = {&p, &bytes};
  const xpuKernelNodeParams turn = node_params(reverse, dim(4), dim(16), args);
  xpuGraphNode_t first = nullptr;
  for (int i = 0; i < 64; i++) p[i] = i;
  assert_ok(xpuGraphAddKernelNode(&first, graph, nullptr, 0, &turn));
  for (int i = 0; i < 64; i++) {
    Args<int*, int, int> more(p, i, 1000);
    const xpuKernelNodeParams plus = node_params(add, dim(1), dim(1), more.get());
    xpuGraphNode_t node = nullptr;
    assert_ok(xpuGraphAddKernelNode(&node, graph, &first, 1, &plus));
  }
  const xpuGraphExec_t exec = instantiate(graph);

  assert_ok(xpuGraphLaunch(exec, stream));
  foreign_wait();

  for (int i = 0; shown(executes) && i < 64; i++)
    assert_int_equal(1000 + i / 16 * 16 + 15 - i % 16, p[i]);
  assert_ok(xpuGraphExecDestroy(exec));
  assert_ok(xpuGraphDestroy(graph));
  assert_ze(foreign.MemFree(foreign.context, p));
}

static void the_event_behind_a_record_tells_the_program_when_it_is_done(void**) {
  const xpuEvent_t event = new_event();
  ze_event_handle_t native = nullptr;
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  p[0] = 0;
  assert_code(xpuEventGetNative(event, &native), xpuErrorInvalidResourceHandle);
  assert_null(native);

  launch_kernel(add, p, 0, 5);
  assert_ok(xpuEventRecord(event, stream));
  assert_ok(xpuEventGetNative(event, &native));
  assert_ze(foreign.EventHostSynchronize(native, 20000000000ull));

  if (shown(executes)) assert_int_equal(5, p[0]);
  if (shown(polls)) assert_ze(foreign.EventQueryStatus(native));
  if (shown(polls)) assert_ok(xpuEventQuery(event));
  assert_ok(xpuEventDestroy(event));
  assert_ze(foreign.MemFree(foreign.context, p));
}

static void a_stream_over_a_list_leaves_it_alone_when_it_ends(void**) {
  const ze_command_list_handle_t list = new_foreign_list();
  xpuStream_t s = nullptr;
  unsigned flags = 77;
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  p[0] = 0;

  assert_ok(xpuStreamCreateFromNative(&s, 0, list));
  assert_ok(xpuStreamGetFlags(s, &flags));
  assert_int_equal(xpuStreamNonBlocking, flags);
  assert_ok(xpuMemsetAsync(p, 1, 4, s));
  assert_ok(xpuStreamSynchronize(s));
  assert_ok(xpuStreamDestroy(s));
  assert_ze(foreign.CommandListAppendBarrier(list, foreign.done, 0, nullptr));
  assert_ze(foreign.EventHostSynchronize(foreign.done, 20000000000ull));
  assert_ze(foreign.EventHostReset(foreign.done));

  if (shown(executes)) assert_int_equal(0x01010101, p[0]);
  assert_ze(foreign.CommandListDestroy(list));
  assert_ze(foreign.MemFree(foreign.context, p));
}

static void a_captured_stream_does_not_give_its_list_away(void**) {
  xpuGraph_t graph = nullptr;
  assert_ok(xpuStreamBeginCapture(stream, xpuStreamCaptureModeRelaxed));
  static const Refusal rows[] = {
      REFUSED(xpuErrorStreamCaptureUnsupported, xpuStreamGetNative, "stream", "is captured", stream,
              &outs.list),
  };
  assert_all_refused(rows);
  (void)xpuStreamEndCapture(stream, &graph);
  if (graph) assert_ok(xpuGraphDestroy(graph));
  (void)xpuGetLastError();
}

static void what_is_wrong_with_a_native_kernel_is_told(void**) {
  static const size_t zero[] = {sizeof(void*), 0, sizeof(int)};
  static const Refusal rows[] = {
      REFUSED(xpuErrorSymbolNotFound, xpuKernelCreateFromNative, "name", "is unknown", &outs.kernel,
              0, foreign.module, "no_such_kernel", 3, three),
      REFUSED(xpuErrorInvalidValue, xpuKernelCreateFromNative, "numParams", "is too small",
              &outs.kernel, 0, foreign.module, "add", 2, three),
      REFUSED(xpuErrorInvalidValue, xpuKernelCreateFromNative, "numParams", "is too large",
              &outs.kernel, 0, foreign.module, "noop", 3, three),
      REFUSED(xpuErrorInvalidValue, xpuKernelCreateFromNative, "paramSizes", "has a 0",
              &outs.kernel, 0, foreign.module, "add", 3, zero),
      REFUSED(xpuErrorInvalidDevice, xpuKernelCreateFromNative, "device", "is none", &outs.kernel,
              1, foreign.module, "add", 3, three),
      REFUSED(xpuErrorInvalidDevice, xpuStreamCreateFromNative, "device", "is none", &outs.stream,
              1, foreign.list),
  };
  assert_all_refused(rows);
}

static void sizes_are_the_drivers_if_it_tells_them(void**) {
  xpuKernel_t found = nullptr;
  size_t offset = 0, size = 0;

  const xpuError_t got = xpuKernelCreateFromNative(&found, 0, foreign.module, "add", 3, nullptr);

  assert_true(got == xpuSuccess || got == xpuErrorNotSupported);
  if (got == xpuErrorNotSupported) assert_null(found);
  if (got == xpuErrorNotSupported) return;
  assert_ok(xpuKernelGetParamInfo(found, 2, &offset, &size));
  assert_int_equal(sizeof(int), size);
  assert_ok(xpuKernelDestroy(found));
}

static void the_library_is_started_once(void**) {
  xpuNativeDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.deviceCount = 1;
  desc.driver = foreign.driver;
  desc.devices = &foreign.device;
  desc.context = foreign.context;
  assert_code(xpuInitFromNative(&desc), xpuErrorSetOnActiveProcess);
  assert_string_equal("xpuInitFromNative", last_failure().function);
}

// The executable is destroyed under way, so its encoding is still there when the kernel goes.
static void nothing_of_a_destroyed_kernel_outlives_the_module_of_the_program(void**) {
  static Gate gate;
  const ze_module_handle_t module = new_foreign_module();
  const xpuGraph_t graph = new_graph();
  xpuKernel_t own = nullptr;
  xpuGraphNode_t node = nullptr;
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  p[0] = 0;
  Args<int*, int, int> args(p, 0, 7);
  assert_ok(xpuKernelCreateFromNative(&own, 0, module, "add", 3, three));
  const xpuKernelNodeParams plus = node_params(own, dim(1), dim(1), args.get());
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &plus));
  const xpuGraphExec_t exec = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));

  gate.shut(stream);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuGraphExecDestroy(exec));
  gate.open = 1;
  assert_ok(xpuKernelDestroy(own));
  assert_ze(foreign.ModuleDestroy(module));

  if (shown(executes)) assert_int_equal(7, p[0]);
  assert_ze(foreign.MemFree(foreign.context, p));
}

// The next launch waits for the last one alone: what the program has appended behind it may stand
// still until that launch is over.
static void a_launch_is_not_behind_what_the_program_appends_after_the_last_one(void**) {
  const xpuStream_t first = new_stream(), second = new_stream();
  const xpuGraph_t graph = new_graph();
  xpuGraphNode_t node = nullptr;
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  p[0] = 0;
  Args<int*, int, int> args(p, 0, 1);
  const xpuKernelNodeParams plus = node_params(add, dim(1), dim(1), args.get());
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &plus));
  ze_command_list_handle_t list = nullptr;

  // The list is had behind the first launch and before the third.
  for (int turn = 0; turn < 2; turn++) {
    const xpuGraphExec_t exec = instantiate(graph);
    assert_ok(xpuGraphLaunch(exec, first));
    if (!list) assert_ok(xpuStreamGetNative(first, &list));
    assert_ze(foreign.CommandListAppendBarrier(list, nullptr, 1, &foreign.go));
    assert_ok(xpuGraphLaunch(exec, second));
    assert_soon(xpuStreamQuery(second));
    if (shown(waits)) assert_code(xpuStreamQuery(first), xpuErrorNotReady);
    assert_ze(foreign.EventHostSignal(foreign.go));
    assert_ok(xpuStreamSynchronize(first));
    assert_ze(foreign.EventHostReset(foreign.go));
    assert_ok(xpuGraphExecDestroy(exec));
  }

  if (shown(executes)) assert_int_equal(4, p[0]);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuStreamDestroy(first));
  assert_ok(xpuStreamDestroy(second));
  assert_ze(foreign.MemFree(foreign.context, p));
}

// The last one: the library gives up what it made, and all that is the program's is still alive.
static void the_program_goes_on_without_the_library(void**) {
  assert_ok(xpuKernelDestroy(add));
  assert_ok(xpuKernelDestroy(step));
  assert_ok(xpuKernelDestroy(reverse));
  assert_ok(xpuStreamDestroy(stream));
  int* p = foreign_memory(64, xpuMemoryTypeManaged);
  p[0] = 0;
  foreign_store(store, p, 0, 77);
  foreign_wait();
  if (shown(executes)) assert_int_equal(77, p[0]);
  assert_ze(foreign.MemFree(foreign.context, p));
}

int main(int argc, char** argv) {
  const Test tests[] = {
      xpu_test(the_handles_are_those_of_the_program),
      xpu_test(the_memory_of_the_program_is_known),
      xpu_test(a_graph_runs_between_what_the_program_appends_itself, results(executes)),
      xpu_test(eager_calls_work_on_the_memory_of_the_program, results(executes)),
      xpu_test(a_wide_graph_of_hand_made_nodes_runs_on_native_kernels, results(executes)),
      xpu_test(the_event_behind_a_record_tells_the_program_when_it_is_done,
               results(executes | polls)),
      xpu_test(a_stream_over_a_list_leaves_it_alone_when_it_ends, results(executes)),
      xpu_test(a_captured_stream_does_not_give_its_list_away),
      xpu_test(what_is_wrong_with_a_native_kernel_is_told),
      xpu_test(sizes_are_the_drivers_if_it_tells_them),
      xpu_test(the_library_is_started_once),
      xpu_test(nothing_of_a_destroyed_kernel_outlives_the_module_of_the_program, results(executes)),
      xpu_test(a_launch_is_not_behind_what_the_program_appends_after_the_last_one,
               results(executes | waits)),
      xpu_test(the_program_goes_on_without_the_library, results(executes)),
  };
  way = argc > 1 ? argv[1] : "loader";
  if (strcmp(way, "driver") == 0 && !getenv("XPU_TEST_DRIVER")) {
    puts("XPU_TEST_DRIVER names no driver to open");
    return 77;
  }
  return run_all(tests, open_all, close_all);
}
