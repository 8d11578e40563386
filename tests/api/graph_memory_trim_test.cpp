// SPDX-License-Identifier: Apache-2.0
// What is told about the memory of graphs, and what a trim gives back and what it leaves.
#include "graph_memory.h"

using namespace xpu::test;

// ---- figures

static void figures_follow_executables(void**) {
  int* out = device_ints(1);
  assert_int_equal(0, used());
  const Closed c = closed_graph(out, 1, 4 * kMiB);
  if (can_map()) assert_int_equal(0, reserved());
  const xpuGraphExec_t exec = instantiate(c.graph);
  assert_true(used() >= 4 * kMiB);
  assert_int_equal(used(), reserved());
  if (can_map()) assert_int_equal(4 * kMiB, reserved());
  destroy(exec);
  assert_int_equal(0, used());
  destroy(c.graph);
  assert_int_equal(0, reserved());
  assert_ok(xpuFree(out));
}

static void highs_stay_until_they_are_reset(void**) {
  reset_high(xpuGraphMemAttrUsedMemHigh);
  reset_high(xpuGraphMemAttrReservedMemHigh);
  assert_int_equal(0, told(xpuGraphMemAttrUsedMemHigh));
  const Kept k = kept_graph(1, 2 * kMiB);
  destroy(instantiate(k.graph));
  destroy(k.graph);
  assert_int_equal(0, used());
  assert_true(told(xpuGraphMemAttrUsedMemHigh) >= 2 * kMiB);
  assert_true(told(xpuGraphMemAttrReservedMemHigh) >= 2 * kMiB);
  reset_high(xpuGraphMemAttrUsedMemHigh);
  assert_int_equal(0, told(xpuGraphMemAttrUsedMemHigh));
  assert_true(told(xpuGraphMemAttrReservedMemHigh) >= 2 * kMiB);
  reset_high(xpuGraphMemAttrReservedMemHigh);
  assert_int_equal(reserved(), told(xpuGraphMemAttrReservedMemHigh));
}

static uint64_t zero, one = 1;
static void bad_questions_are_refused(void**) {
  const Refusal rows[] = {
      REFUSED(xpuErrorInvalidDevice, xpuDeviceGraphMemTrim, "device", "is none", 99),
      REFUSED(xpuErrorInvalidDevice, xpuDeviceGetGraphMemAttribute, "device", "is none", -1,
              xpuGraphMemAttrUsedMemCurrent, &outs.wide),
      REFUSED(xpuErrorInvalidValue, xpuDeviceGetGraphMemAttribute, "value", "is NULL", 0,
              xpuGraphMemAttrUsedMemCurrent, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuDeviceGetGraphMemAttribute, "attr", "is unknown", 0,
              static_cast<xpuGraphMemAttributeType>(77), &outs.wide),
      REFUSED(xpuErrorInvalidDevice, xpuDeviceSetGraphMemAttribute, "device", "is none", 99,
              xpuGraphMemAttrUsedMemHigh, &zero),
      REFUSED(xpuErrorInvalidValue, xpuDeviceSetGraphMemAttribute, "value", "is NULL", 0,
              xpuGraphMemAttrUsedMemHigh, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuDeviceSetGraphMemAttribute, "value", "is not 0", 0,
              xpuGraphMemAttrUsedMemHigh, &one),
      REFUSED(xpuErrorInvalidValue, xpuDeviceSetGraphMemAttribute, "attr", "cannot be set", 0,
              xpuGraphMemAttrReservedMemCurrent, &zero),
  };
  assert_all_refused(rows);
}

// ---- trims

static void a_trim_gives_back_and_the_next_launch_is_right(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  const Closed c = closed_graph(out, 8, 4 * kMiB);
  const xpuGraphExec_t exec = instantiate(c.graph);
  for (int i = 0; i < 4; i++) {
    assert_ok(xpuMemset(out, 0, 4));
    assert_ok(xpuDeviceSynchronize());  // the streams are not ordered with it
    // More launches than an executable has encodings, so that each is made again.
    for (int k = 0; k < 5; k++) assert_ok(xpuGraphLaunch(exec, stream));
    assert_ok(xpuStreamSynchronize(stream));
    if (shown(executes)) assert_int_equal(8, fetch(out));
    trim();
    if (can_map()) assert_int_equal(0, reserved());
  }
  destroy(exec);
  destroy(c.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void a_trim_leaves_what_a_launch_uses(void**) {
  const xpuStream_t stream = new_stream();
  int* out = device_ints(1);
  Gate gate;
  const Closed c = closed_graph(out, 8, kMiB);
  const xpuGraphExec_t exec = instantiate(c.graph);
  gate.shut(stream);
  assert_ok(xpuGraphLaunch(exec, stream));
  trim();
  assert_true(reserved() >= kMiB);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(8, fetch(out));
  destroy(exec);
  destroy(c.graph);
  destroy(stream);
  assert_ok(xpuFree(out));
}

static void a_trim_leaves_what_is_allocated(void**) {
  const xpuStream_t stream = new_stream();
  const Kept k = kept_graph(7, kMiB);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  trim();
  if (shown(executes)) assert_int_equal(7, fetch(k.at));
  assert_ok(xpuFree(k.at));
  trim();
  if (can_map()) assert_int_equal(0, reserved());
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
  if (shown(executes)) assert_int_equal(7, fetch(k.at));
  assert_ok(xpuFree(k.at));
  destroy(exec);
  destroy(k.graph);
  destroy(stream);
}

// The graph that frees uses the memory until then.
static void a_trim_leaves_what_the_freeing_graph_uses(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  int* out = device_ints(1);
  Gate gate;
  const Kept k = kept_graph(6, kMiB);
  const xpuGraph_t reader = new_graph();
  (void)add_free(reader, add_one(reader, nullptr, "copy_one", out, 0, k.at, 0), k.at);
  const xpuGraphExec_t exec = instantiate(k.graph), reading = instantiate(reader);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  gate.shut(t);
  assert_ok(xpuGraphLaunch(reading, t));
  trim();
  assert_true(reserved() >= kMiB);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(t));
  if (shown(executes)) assert_int_equal(6, fetch(out));
  destroy(reading);
  destroy(exec);
  destroy(reader);
  destroy(k.graph);
  destroy(s);
  destroy(t);
  assert_ok(xpuFree(out));
}

// What was given to the stream before the free uses the memory until then.
static void a_trim_leaves_what_work_before_the_free_uses(void**) {
  const xpuStream_t s = new_stream(), t = new_stream();
  int* out = device_ints(1);
  Gate gate;
  const Kept k = kept_graph(5, kMiB);
  const xpuGraphExec_t exec = instantiate(k.graph);
  assert_ok(xpuGraphLaunch(exec, s));
  assert_ok(xpuStreamSynchronize(s));
  gate.shut(t);
  launch_one(t, "copy_one", out, 0, k.at, 0);
  assert_ok(xpuFreeAsync(k.at, t));
  trim();
  assert_true(reserved() >= kMiB);
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(t));
  if (shown(executes)) assert_int_equal(5, fetch(out));
  destroy(exec);
  destroy(k.graph);
  destroy(s);
  destroy(t);
  assert_ok(xpuFree(out));
}

int main(void) {
  const Test tests[] = {
      xpu_test(figures_follow_executables),
      xpu_test(highs_stay_until_they_are_reset),
      xpu_test(bad_questions_are_refused),
      xpu_test(a_trim_gives_back_and_the_next_launch_is_right, results(executes)),
      xpu_test(a_trim_leaves_what_a_launch_uses, results(executes)),
      xpu_test(a_trim_leaves_what_is_allocated, results(executes)),
      xpu_test(a_trim_leaves_what_the_freeing_graph_uses, results(executes)),
      xpu_test(a_trim_leaves_what_work_before_the_free_uses, results(executes)),
  };
  return run_all(tests, load_first);
}
