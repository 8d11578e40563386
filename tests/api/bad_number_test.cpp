// SPDX-License-Identifier: Apache-2.0
// Device numbers, flags and enumerators that do not exist.
#include "zoo.h"

using namespace xpu::test;

#define NO_DEVICE(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidDevice, function, argument, what, __VA_ARGS__)
#define WRONG(function, argument, what, ...) \
  REFUSED(xpuErrorInvalidValue, function, argument, what, __VA_ARGS__)

static int devices;

static int open_all(void** state) {
  open_zoo(state);
  assert_ok(xpuGetDeviceCount(&devices));
  return 0;
}

static void a_device_number_is_below_the_count(void**) {
  static const Refusal rows[] = {
      NO_DEVICE(xpuSetDevice, "device", "is negative", -1),
      NO_DEVICE(xpuSetDevice, "device", "is the count", devices),
      NO_DEVICE(xpuSetDevice, "device", "is INT_MAX", INT32_MAX),
      NO_DEVICE(xpuSetDevice, "device", "is INT_MIN", INT32_MIN),
      NO_DEVICE(xpuGetDeviceProperties, "device", "is negative", &outs.prop, -1),
      NO_DEVICE(xpuGetDeviceProperties, "device", "is the count", &outs.prop, devices),
      NO_DEVICE(xpuDeviceGetAttribute, "device", "is negative", &outs.number, xpuDevAttrWarpSize,
                -1),
      NO_DEVICE(xpuDeviceGetAttribute, "device", "is the count", &outs.number, xpuDevAttrWarpSize,
                devices),
      NO_DEVICE(xpuDeviceCanAccessPeer, "device", "is negative", &outs.number, -1, 0),
      NO_DEVICE(xpuDeviceCanAccessPeer, "peerDevice", "is negative", &outs.number, 0, -1),
      NO_DEVICE(xpuDeviceCanAccessPeer, "peerDevice", "is the count", &outs.number, 0, devices),
      NO_DEVICE(xpuDeviceGetNative, "device", "is negative", -1, &outs.driver, &outs.device,
                &outs.context),
      NO_DEVICE(xpuDeviceGetNative, "device", "is the count", devices, &outs.driver, &outs.device,
                &outs.context),
  };
  assert_all_refused(rows);
}

static void a_refused_device_leaves_the_current_one(void**) {
  int before = -1, after = -1;
  assert_ok(xpuGetDevice(&before));
  assert_code(xpuSetDevice(devices), xpuErrorInvalidDevice);
  assert_ok(xpuGetDevice(&after));
  assert_int_equal(before, after);
}

static void an_attribute_is_one_of_the_header(void**) {
  static const Refusal rows[] = {
      WRONG(xpuDeviceGetAttribute, "attr", "is 0", &outs.number, static_cast<xpuDeviceAttr>(0), 0),
      WRONG(xpuDeviceGetAttribute, "attr", "is -1", &outs.number, static_cast<xpuDeviceAttr>(-1),
            0),
      WRONG(xpuDeviceGetAttribute, "attr", "is CUDA's alone", &outs.number,
            static_cast<xpuDeviceAttr>(11), 0),
      WRONG(xpuDeviceGetAttribute, "attr", "is INT_MAX", &outs.number,
            static_cast<xpuDeviceAttr>(INT32_MAX), 0),
  };
  assert_all_refused(rows);
}

static void a_stream_has_known_flags(void**) {
  static const Refusal rows[] = {
      WRONG(xpuStreamCreateWithFlags, "flags", "is 2", &outs.stream, 2),
      WRONG(xpuStreamCreateWithFlags, "flags", "is ~0", &outs.stream, ~0u),
      WRONG(xpuStreamCreateWithPriority, "flags", "is 3", &outs.stream, 3, 0),
      WRONG(xpuStreamWaitEvent, "flags", "is 2", zoo.stream(), zoo.event(), 2),
      WRONG(xpuStreamWaitEvent, "flags", "is ~0", zoo.stream(), zoo.event(), ~0u),
  };
  assert_all_refused(rows);
}

static void an_event_has_known_flags(void**) {
  static const Refusal rows[] = {
      WRONG(xpuEventCreateWithFlags, "flags", "is 8", &outs.event, 8),
      WRONG(xpuEventCreateWithFlags, "flags", "is ~0", &outs.event, ~0u),
      REFUSED(xpuErrorNotSupported, xpuEventCreateWithFlags, "flags", "asks for another process",
              &outs.event, xpuEventInterprocess | xpuEventDisableTiming),
      WRONG(xpuEventRecordWithFlags, "flags", "is 2", zoo.event(), zoo.stream(), 2),
      WRONG(xpuEventRecordWithFlags, "flags", "is ~0", zoo.event(), zoo.stream(), ~0u),
  };
  assert_all_refused(rows);
}

static void external_records_and_waits_are_for_captures(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorIllegalState, xpuEventRecordWithFlags, "flags", "is external, uncaptured",
              zoo.event(), zoo.stream(), xpuEventRecordExternal),
      REFUSED(xpuErrorIllegalState, xpuStreamWaitEvent, "flags", "is external, uncaptured",
              zoo.stream(), zoo.event(), xpuEventWaitExternal),
  };
  assert_all_refused(rows);
}

static void a_graph_has_known_flags(void**) {
  static const Refusal rows[] = {
      WRONG(xpuGraphCreate, "flags", "is 1", &outs.graph, 1),
      WRONG(xpuGraphCreate, "flags", "is ~0", &outs.graph, ~0u),
      WRONG(xpuGraphInstantiate, "flags", "is 16", &outs.exec, zoo.graph(), 16),
      WRONG(xpuGraphInstantiate, "flags", "has a high bit", &outs.exec, zoo.graph(), 1ull << 40),
      WRONG(xpuGraphInstantiate, "flags", "is ~0", &outs.exec, zoo.graph(), ~0ull),
      WRONG(xpuGraphInstantiate, "flags", "asks for an upload", &outs.exec, zoo.graph(),
            xpuGraphInstantiateFlagUpload),
      REFUSED(xpuErrorNotSupported, xpuGraphInstantiate, "flags", "asks for device launch",
              &outs.exec, zoo.graph(), xpuGraphInstantiateFlagDeviceLaunch),
      WRONG(xpuGraphInstantiateWithFlags, "flags", "is 16", &outs.exec, zoo.graph(), 16),
  };
  assert_all_refused(rows);
}

static void a_capture_has_one_of_three_modes(void**) {
  static const xpuStreamCaptureMode three = static_cast<xpuStreamCaptureMode>(3);
  static const xpuStreamCaptureMode negative = static_cast<xpuStreamCaptureMode>(-1);
  static const Refusal rows[] = {
      WRONG(xpuStreamBeginCapture, "mode", "is 3", zoo.stream(), three),
      WRONG(xpuStreamBeginCapture, "mode", "is -1", zoo.stream(), negative),
      WRONG(xpuStreamBeginCaptureToGraph, "mode", "is 3", zoo.stream(), zoo.graph(), nullptr,
            nullptr, 0, three),
      WRONG(xpuStreamBeginRecaptureToGraph, "mode", "is -1", zoo.stream(), negative, zoo.graph(),
            nullptr),
  };

  assert_all_refused(rows);

  assert_ok(xpuStreamIsCapturing(zoo.stream(), &outs.status));
  assert_int_equal(xpuStreamCaptureStatusNone, outs.status);
}

static void calls_of_a_capture_need_one(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorIllegalState, xpuStreamEndCapture, "stream", "is not captured", zoo.stream(),
              &outs.graph),
      REFUSED(xpuErrorIllegalState, xpuStreamUpdateCaptureDependencies, "stream", "is not captured",
              zoo.stream(), nullptr, nullptr, 0, xpuStreamSetCaptureDependencies),
      REFUSED(xpuErrorStreamCaptureUnsupported, xpuStreamBeginCapture, "stream", "is NULL", nullptr,
              xpuStreamCaptureModeGlobal),
      REFUSED(xpuErrorStreamCaptureUnsupported, xpuStreamBeginCapture, "stream", "is legacy",
              xpuStreamLegacy, xpuStreamCaptureModeRelaxed),
  };
  assert_all_refused(rows);
}

// Unlike CUDA, which keeps what it was given: a mode that does not exist would forbid nothing.
static void a_thread_has_one_of_three_modes(void**) {
  xpuStreamCaptureMode mode = static_cast<xpuStreamCaptureMode>(7);

  const xpuError_t got = xpuThreadExchangeStreamCaptureMode(&mode);
  if (got == xpuSuccess) (void)xpuThreadExchangeStreamCaptureMode(&mode);

  assert_true(got == xpuErrorInvalidValue || got == xpuSuccess);
  mode = xpuStreamCaptureModeRelaxed;
  assert_ok(xpuThreadExchangeStreamCaptureMode(&mode));
  assert_int_equal(xpuStreamCaptureModeGlobal, mode);
  assert_ok(xpuThreadExchangeStreamCaptureMode(&mode));
}

static void codes_that_do_not_exist_have_a_name(void**) {
  static const int codes[] = {-1, 998, 1000, INT32_MAX, INT32_MIN, 4, 77};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    const xpuError_t code = static_cast<xpuError_t>(codes[i]);
    assert_string_equal("unrecognized error code", xpuGetErrorName(code));
    assert_string_equal("unrecognized error code", xpuGetErrorString(code));
  }
}

int main() {
  const Test tests[] = {
      xpu_test(a_device_number_is_below_the_count),
      xpu_test(a_refused_device_leaves_the_current_one),
      xpu_test(an_attribute_is_one_of_the_header),
      xpu_test(a_stream_has_known_flags),
      xpu_test(an_event_has_known_flags),
      xpu_test(external_records_and_waits_are_for_captures),
      xpu_test(a_graph_has_known_flags),
      xpu_test(a_capture_has_one_of_three_modes),
      xpu_test(calls_of_a_capture_need_one),
      xpu_test(a_thread_has_one_of_three_modes),
      xpu_test(codes_that_do_not_exist_have_a_name),
  };
  return run_all(tests, open_all, close_zoo);
}
