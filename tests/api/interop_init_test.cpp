// SPDX-License-Identifier: Apache-2.0
// Handing a driver over: what is refused leaves the library as it was, what is taken is taken once.
#include "foreign.h"

using namespace xpu::test;

static xpuNativeDesc good;

static int open_all(void**) {
  find_in_loader();
  open_foreign();
  good = {};
  good.struct_size = sizeof good;
  good.deviceCount = 1;
  good.driver = foreign.driver;
  good.devices = &foreign.device;
  good.context = foreign.context;
  return 0;
}
static int close_all(void**) {
  close_foreign();
  return 0;
}

template <class Change>
const xpuNativeDesc* but(Change change) {
  static xpuNativeDesc bad;
  bad = good;
  change(bad);
  return &bad;
}
#define BUT(what, change)                                        \
  REFUSED(xpuErrorInvalidValue, xpuInitFromNative, "desc", what, \
          but([](xpuNativeDesc& d) { change; }))

static void what_cannot_be_taken_is_refused(void**) {
  static const ze_device_handle_t none[1] = {nullptr};
  static const ze_device_handle_t odd[1] = {reinterpret_cast<ze_device_handle_t>(0x1234)};
  static const ze_device_handle_t second_odd[2] = {foreign.device, odd[0]};
  static const Refusal rows[] = {
      BUT("has no driver", d.driver = nullptr),
      BUT("has no context", d.context = nullptr),
      BUT("has no devices", d.devices = nullptr),
      BUT("has a count of 0", d.deviceCount = 0),
      BUT("has a NULL device", d.devices = none),
      BUT("has a device that is not the driver's", d.devices = odd),
      BUT("has a second device that is not the driver's",
          (d.devices = second_odd, d.deviceCount = 2)),
      BUT("names a library that is not loaded", d.driverPath = "/no/such/driver.so"),
  };
  assert_all_refused(rows);
}

static void a_good_one_is_taken_after_the_refusals(void**) {
  ze_device_handle_t device = nullptr;
  assert_ok(xpuInitFromNative(&good));
  assert_ok(xpuDeviceGetNative(0, nullptr, &device, nullptr));
  assert_ptr_equal(foreign.device, device);
}

static void a_second_one_is_refused(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorSetOnActiveProcess, xpuInitFromNative, "", "comes too late", &good),
  };
  assert_all_refused(rows);
}

int main() {
  const Test tests[] = {
      xpu_test(what_cannot_be_taken_is_refused),
      xpu_test(a_good_one_is_taken_after_the_refusals),
      xpu_test(a_second_one_is_refused),
  };
  return run_all(tests, open_all, close_all);
}
