// SPDX-License-Identifier: Apache-2.0
// Modules: options, logs, and what outlives an unload.
#include "ground.h"

using namespace xpu::test;

static Gate gate;

static void the_same_name_gives_the_same_kernel(void**) {
  const xpuModule_t m = load_kernels(), n = load_kernels();
  xpuKernel_t a = nullptr, b = nullptr, c = nullptr, d = nullptr;

  assert_ok(xpuModuleGetKernel(&a, m, "store"));
  assert_ok(xpuModuleGetKernel(&b, m, "store"));
  assert_ok(xpuModuleGetKernel(&c, m, "add"));
  assert_ok(xpuModuleGetKernel(&d, n, "store"));

  assert_ptr_equal(a, b);
  assert_ptr_not_equal(a, c);
  assert_ptr_not_equal(a, d);
  assert_ok(xpuModuleUnload(m));
  assert_ok(xpuModuleUnload(n));
}

static void the_image_is_copied_during_the_call(void**) {
  const Image image = kernels_image();
  void* copy = malloc(image.size);
  xpuModule_t m = nullptr;
  xpuKernel_t k = nullptr;
  int* p = device_ints(1);
  memcpy(copy, image.bytes, image.size);
  assert_ok(xpuModuleLoadData(&m, copy, image.size));
  memset(copy, 0xff, image.size);
  free(copy);

  Args<int*, int, int> args(p, 0, 8);
  assert_ok(xpuModuleGetKernel(&k, m, "store"));
  assert_ok(xpuLaunchKernel(k, dim(1), dim(1), args.get(), 0, nullptr));

  if (shown(executes)) assert_int_equal(8, fetch(p));
  assert_ok(xpuModuleUnload(m));
  assert_ok(xpuFree(p));
}

static void an_image_need_not_be_aligned(void**) {
  const Image image = kernels_image();
  char* copy = static_cast<char*>(malloc(image.size + 1));
  xpuModule_t m = nullptr;
  memcpy(copy + 1, image.bytes, image.size);

  assert_ok(xpuModuleLoadData(&m, copy + 1, image.size));

  free(copy);
  assert_ok(xpuModuleUnload(m));
}

static void options_and_a_log_are_taken(void**) {
  char log[512];
  xpuModule_t m = nullptr;
  xpuModuleDesc desc = {};
  memset(log, 'x', sizeof log);
  desc.struct_size = sizeof desc;
  desc.format = xpuModuleFormatSpirv;
  desc.image = kernels_image().bytes;
  desc.imageSize = kernels_image().size;
  desc.buildOptions = "-ze-opt-disable";
  desc.buildLog = log;
  desc.buildLogSize = sizeof log;

  assert_ok(xpuModuleLoad(&m, &desc));

  assert_non_null(memchr(log, '\0', sizeof log));
  assert_ok(xpuModuleUnload(m));
}

static void a_log_of_one_byte_is_an_empty_string(void**) {
  char log[2] = {'x', 'y'};
  xpuModule_t m = nullptr;
  xpuModuleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.image = kernels_image().bytes;
  desc.imageSize = kernels_image().size;
  desc.buildLog = log;
  desc.buildLogSize = 1;

  assert_ok(xpuModuleLoad(&m, &desc));

  assert_int_equal('\0', log[0]);
  assert_int_equal('y', log[1]);
  assert_ok(xpuModuleUnload(m));
}

static void the_kernels_of_an_unloaded_module_are_dead(void**) {
  const xpuModule_t m = load_kernels();
  static xpuKernel_t k;
  assert_ok(xpuModuleGetKernel(&k, m, "noop"));
  assert_ok(xpuModuleUnload(m));
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidResourceHandle, xpuLaunchKernel, "func", "is dead", k, dim(1), dim(1),
              nullptr, 0, nullptr),
      REFUSED(xpuErrorInvalidResourceHandle, xpuKernelGetAttributes, "kernel", "is dead",
              &outs.kernel_attributes, k),
  };
  assert_all_refused(rows);
}

static void queued_work_of_an_unloaded_module_still_runs(void**) {
  const xpuModule_t m = load_kernels();
  const xpuStream_t s = new_stream();
  xpuKernel_t k = nullptr;
  int* p = device_ints(1);
  Args<int*, int, int> args(p, 0, 17);
  assert_ok(xpuModuleGetKernel(&k, m, "store"));

  gate.shut(s);
  assert_ok(xpuLaunchKernel(k, dim(1), dim(1), args.get(), 0, s));
  assert_ok(xpuModuleUnload(m));
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(17, fetch(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void graphs_and_executables_keep_the_kernels_of_an_unloaded_module(void**) {
  const xpuModule_t m = load_kernels();
  const xpuGraph_t graph = new_graph();
  xpuKernel_t k = nullptr;
  xpuGraphNode_t node = nullptr;
  int* p = device_ints(1);
  Args<int*, int, int> args(p, 0, 3);
  assert_ok(xpuModuleGetKernel(&k, m, "add"));
  const xpuKernelNodeParams params = node_params(k, dim(1), dim(1), args.get());
  assert_ok(xpuGraphAddKernelNode(&node, graph, nullptr, 0, &params));

  const xpuGraphExec_t before = instantiate(graph);
  assert_ok(xpuModuleUnload(m));
  const xpuGraphExec_t after = instantiate(graph);
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuGraphLaunch(before, nullptr));
  assert_ok(xpuGraphLaunch(after, nullptr));

  if (shown(executes)) assert_int_equal(6, fetch(p));
  assert_ok(xpuGraphExecDestroy(before));
  assert_ok(xpuGraphExecDestroy(after));
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(the_same_name_gives_the_same_kernel),
      xpu_test(the_image_is_copied_during_the_call, results(executes)),
      xpu_test(an_image_need_not_be_aligned),
      xpu_test(options_and_a_log_are_taken),
      xpu_test(a_log_of_one_byte_is_an_empty_string),
      xpu_test(the_kernels_of_an_unloaded_module_are_dead),
      xpu_test(queued_work_of_an_unloaded_module_still_runs, results(executes)),
      xpu_test(graphs_and_executables_keep_the_kernels_of_an_unloaded_module, results(executes)),
  };
  return run_all(tests);
}
