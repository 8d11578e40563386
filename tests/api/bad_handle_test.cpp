// SPDX-License-Identifier: Apache-2.0
// Every call that takes a stream, an event, a module or a kernel, with everything that is none.
#include "zoo.h"

using namespace xpu::test;

static char device_memory_stand_in[64];

static void host_nothing(void*) {}

static xpuMemcpy3DParms small_copy() {
  xpuMemcpy3DParms p = {};
  p.struct_size = sizeof p;
  p.kind = xpuMemcpyDefault;
  p.srcPtr = {device_memory_stand_in, 8, 8, 1};
  p.dstPtr = {device_memory_stand_in + 32, 8, 8, 1};
  p.extent = {8, 1, 1};
  return p;
}

static void a_bad_stream_is_refused(void**) {
  static void* memory = nullptr;
  static xpuMemcpy3DParms copy;
  copy = small_copy();
  assert_ok(xpuMalloc(&memory, 64));
  static const HandleRow rows[] = {
      HANDLE(stream, xpuStreamDestroy, "stream", h),
      HANDLE_OR_NULL(stream, xpuStreamSynchronize, "stream", h),
      HANDLE_OR_NULL(stream, xpuStreamQuery, "stream", h),
      HANDLE_OR_NULL(stream, xpuStreamWaitEvent, "stream", h, zoo.event(), 0),
      HANDLE_OR_NULL(stream, xpuLaunchHostFunc, "stream", h, host_nothing, nullptr),
      HANDLE_OR_NULL(stream, xpuStreamGetFlags, "stream", h, &outs.word),
      HANDLE_OR_NULL(stream, xpuStreamGetPriority, "stream", h, &outs.number),
      HANDLE_OR_NULL(stream, xpuStreamGetDevice, "stream", h, &outs.number),
      HANDLE_OR_NULL(stream, xpuStreamGetId, "stream", h, &outs.wide),
      HANDLE_OR_NULL(stream, xpuEventRecord, "stream", zoo.event(), h),
      HANDLE_OR_NULL(stream, xpuEventRecordWithFlags, "stream", zoo.event(), h, 0),
      HANDLE_OR_NULL(stream, xpuMemcpyAsync, "stream", memory, device_memory_stand_in, 8,
                     xpuMemcpyDefault, h),
      HANDLE_OR_NULL(stream, xpuMemcpy2DAsync, "stream", memory, 8, device_memory_stand_in, 8, 8, 2,
                     xpuMemcpyDefault, h),
      HANDLE_OR_NULL(stream, xpuMemcpy3DAsync, "stream", &copy, h),
      HANDLE_OR_NULL(stream, xpuMemsetAsync, "stream", memory, 1, 8, h),
      HANDLE_OR_NULL(stream, xpuMemset2DAsync, "stream", memory, 8, 1, 8, 2, h),
      HANDLE_OR_NULL(stream, xpuLaunchKernel, "stream", zoo.kernel(), dim(1), dim(1), nullptr, 0,
                     h),
      HANDLE_OR_NULL(stream, xpuGraphUpload, "stream", zoo.exec(), h),
      HANDLE_OR_NULL(stream, xpuGraphLaunch, "stream", zoo.exec(), h),
      HANDLE_OR_NULL(stream, xpuStreamGetNative, "stream", h, &outs.list),
  };
  assert_no_bad_handle_taken(rows);
  assert_ok(xpuDeviceSynchronize());
  assert_ok(xpuFree(memory));
}

static void a_bad_stream_cannot_be_captured_or_asked_about_it(void**) {
  static const HandleRow rows[] = {
      HANDLE_OR_NULL(stream, xpuStreamBeginCapture, "stream", h, xpuStreamCaptureModeRelaxed),
      HANDLE_OR_NULL(stream, xpuStreamBeginCaptureToGraph, "stream", h, zoo.graph(), nullptr,
                     nullptr, 0, xpuStreamCaptureModeRelaxed),
      HANDLE_OR_NULL(stream, xpuStreamBeginRecaptureToGraph, "stream", h,
                     xpuStreamCaptureModeRelaxed, zoo.graph(), nullptr),
      HANDLE_OR_NULL(stream, xpuStreamIsCapturing, "stream", h, &outs.status),
      HANDLE_OR_NULL(stream, xpuStreamGetCaptureInfo, "stream", h, &outs.status, &outs.wide,
                     &outs.graph, &outs.nodes, &outs.edge_data, &outs.size),
      HANDLE_OR_NULL(stream, xpuStreamUpdateCaptureDependencies, "stream", h, nullptr, nullptr, 0,
                     xpuStreamSetCaptureDependencies),
      HANDLE_OR_NULL(stream, xpuStreamEndCapture, "stream", h, &outs.graph),
  };
  assert_no_bad_handle_taken(rows);
}

static void the_special_streams_cannot_be_destroyed(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidResourceHandle, xpuStreamDestroy, "stream", "is the legacy stream",
              xpuStreamLegacy),
      REFUSED(xpuErrorInvalidResourceHandle, xpuStreamDestroy, "stream", "is the thread's stream",
              xpuStreamPerThread),
  };
  assert_all_refused(rows);
}

static void a_bad_event_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(event, xpuEventRecord, "event", h, zoo.stream()),
      HANDLE(event, xpuEventRecordWithFlags, "event", h, zoo.stream(), 0),
      HANDLE(event, xpuEventQuery, "event", h),
      HANDLE(event, xpuEventSynchronize, "event", h),
      HANDLE(event, xpuEventElapsedTime, "start", &outs.ms, h, zoo.event()),
      HANDLE(event, xpuEventElapsedTime, "end", &outs.ms, zoo.event(), h),
      HANDLE(event, xpuEventDestroy, "event", h),
      HANDLE(event, xpuStreamWaitEvent, "event", zoo.stream(), h, 0),
      HANDLE(event, xpuEventGetNative, "event", h, &outs.native_event),
  };
  assert_no_bad_handle_taken(rows);
}

static void a_bad_module_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(module, xpuModuleUnload, "module", h),
      HANDLE(module, xpuModuleGetKernel, "module", &outs.kernel, h, "noop"),
  };
  assert_no_bad_handle_taken(rows);
}

static void a_bad_kernel_is_refused(void**) {
  static const HandleRow rows[] = {
      HANDLE(kernel, xpuKernelGetAttributes, "kernel", &outs.kernel_attributes, h),
      HANDLE(kernel, xpuKernelGetParamInfo, "kernel", h, 0, &outs.size, &outs.count),
      HANDLE(kernel, xpuLaunchKernel, "func", h, dim(1), dim(1), nullptr, 0, zoo.stream()),
      HANDLE(kernel, xpuKernelDestroy, "kernel", h),
  };
  assert_no_bad_handle_taken(rows);
}

static void a_kernel_of_a_module_is_not_destroyed_by_itself(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidResourceHandle, xpuKernelDestroy, "kernel", "belongs to a module",
              zoo.kernel()),
  };

  assert_all_refused(rows);
  assert_ok(xpuLaunchKernel(zoo.kernel(), dim(1), dim(1), nullptr, 0, zoo.stream()));
}

static void a_refused_handle_leaves_live_ones_working(void**) {
  assert_ok(xpuEventRecord(zoo.event(), zoo.stream()));
  assert_ok(xpuStreamSynchronize(zoo.stream()));
  assert_ok(xpuEventQuery(zoo.event()));
  assert_ok(xpuGraphLaunch(zoo.exec(), zoo.stream()));
  assert_ok(xpuStreamSynchronize(zoo.stream()));
}

int main() {
  const Test tests[] = {
      xpu_test(a_bad_stream_is_refused),
      xpu_test(a_bad_stream_cannot_be_captured_or_asked_about_it),
      xpu_test(the_special_streams_cannot_be_destroyed),
      xpu_test(a_bad_event_is_refused),
      xpu_test(a_bad_module_is_refused),
      xpu_test(a_bad_kernel_is_refused),
      xpu_test(a_kernel_of_a_module_is_not_destroyed_by_itself),
      xpu_test(a_refused_handle_leaves_live_ones_working),
  };
  return run_all(tests, open_zoo, close_zoo);
}
