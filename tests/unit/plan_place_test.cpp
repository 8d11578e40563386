// SPDX-License-Identifier: Apache-2.0
// Where the plan puts work by what it touches: on the copy engine, on other devices.
#include "plan_line.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using plan::DeviceFacts;

// Memory below a line is the host's.
struct Below final : plan::Whereabouts {
  explicit Below(uintptr_t the_line) : line(the_line) {}
  bool is_host_memory(const void* p) const override {
    return reinterpret_cast<uintptr_t>(p) < line;
  }
  Result<plan::Site> site(const plan::PlanNode&, uint32_t) override { return plan::Site(); }
  uintptr_t line;
};

Text plan_with_copies(bool engine, size_t bytes, xpuMemcpyKind kind, uintptr_t host_below = 0,
                      plan::Shape shape = plan::Shape::automatic) {
  Below where(host_below);
  auto g = Graph::make();
  Node* before = nullptr;
  for (int i = 0; i < 2; i++) {  // copy in, compute, and the next copy beside it
    std::vector<Node*> needs = {add(*g, copy(bytes, kind))};
    if (before) needs.push_back(before);
    before = add(*g, kernel(), needs);
  }
  DeviceFacts facts;
  facts.copy_engine = engine;
  facts.where = &where;
  facts.shape = shape;
  return planned(*g, facts);
}
void large_host_copies_go_to_the_copy_engine(void**) {
  const Text on = plan_with_copies(true, 1 << 20, xpuMemcpyHostToDevice);
  const Text small = plan_with_copies(true, 1 << 10, xpuMemcpyHostToDevice);
  const Text inside = plan_with_copies(true, 1 << 20, xpuMemcpyDeviceToDevice);
  const Text none = plan_with_copies(false, 1 << 20, xpuMemcpyHostToDevice);
  assert_string_equal(on.chars,
                      "1c"
                      "o:1 1co:1 0o:1<0 0o:1<1 =>3");
  assert_string_equal(small.chars, "0b:2|1|1 =>0");
  assert_string_equal(inside.chars, small.chars);
  assert_string_equal(none.chars, small.chars);
}
void the_memory_tells_the_direction_of_copies_that_do_not(void**) {
  const Text host = plan_with_copies(true, 1 << 20, xpuMemcpyHostToDevice);
  const Text inside = plan_with_copies(true, 1 << 20, xpuMemcpyDeviceToDevice);
  const Text one = plan_with_copies(true, 1 << 20, xpuMemcpyDefault, 0x18000000);
  const Text both = plan_with_copies(true, 1 << 20, xpuMemcpyDefault, UINTPTR_MAX);
  assert_string_equal(one.chars, host.chars);
  assert_string_equal(both.chars, inside.chars);
}
void forced_lanes_take_every_copy_to_the_copy_engine(void**) {
  const Text large = plan_with_copies(true, 1 << 20, xpuMemcpyHostToDevice);
  const Text small = plan_with_copies(true, 16, xpuMemcpyDeviceToDevice, 0, plan::Shape::lanes);
  assert_string_equal(small.chars, large.chars);
}

// Kernels are on the device that their name ends with; copies go from device 0 to device 1.
struct Named final : plan::Whereabouts {
  explicit Named(bool with_peers) : peers(with_peers) {}
  bool is_host_memory(const void*) const override { return false; }
  Result<plan::Site> site(const plan::PlanNode& node, uint32_t) override {
    plan::Site site;
    if (const auto* of = node.params.as<graph::KernelParams>())
      site.device = static_cast<uint8_t>(of->signature().name().back() - '0');
    if (node.params.as<graph::CopyParams>() && !peers) site.fetches = 1;
    return site;
  }
  bool peers;
};

// Two kernels on each of two devices, then a copy to the second one and a kernel there.
Text plan_of_two_devices(bool peers, uint32_t engines) {
  auto g = Graph::make();
  Node* a = add(*g, kernel("k0"), {add(*g, kernel("k0"))});
  Node* b = add(*g, kernel("k1"), {add(*g, kernel("k1"))});
  Node* c = add(*g, copy(), {a});
  add(*g, kernel("k1"), {b, c});
  Named where(peers);
  DeviceFacts facts;
  facts.compute_lanes = engines;
  facts.where = &where;
  return planned(*g, facts);
}
void each_device_has_a_lane(void**) {
  const Text one = plan_of_two_devices(true, 1), four = plan_of_two_devices(true, 4);
  assert_string_equal(one.chars, "0o:3 1d1o:2 1d1o:1<0 =>2");
  assert_string_equal(four.chars, one.chars);
}
void a_copy_between_devices_that_cannot_reach_each_other_is_two(void**) {
  const Text t = plan_of_two_devices(false, 1);
  assert_string_equal(t.chars, "0o:3 1d1o:2 1d1o:2<0 =>2");
}

Text plan_on_device_2_alone() {
  auto g = Graph::make();
  add(*g, kernel("k2"), {add(*g, kernel("k2"))});
  Named where(true);
  DeviceFacts facts;
  facts.where = &where;
  return planned(*g, facts);
}
void a_graph_may_be_on_another_device_alone(void**) {
  const Text t = plan_on_device_2_alone();
  assert_string_equal(t.chars, "0d2o:2 =>0");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(large_host_copies_go_to_the_copy_engine),
      cmocka_unit_test(the_memory_tells_the_direction_of_copies_that_do_not),
      cmocka_unit_test(forced_lanes_take_every_copy_to_the_copy_engine),
      cmocka_unit_test(each_device_has_a_lane),
      cmocka_unit_test(a_copy_between_devices_that_cannot_reach_each_other_is_two),
      cmocka_unit_test(a_graph_may_be_on_another_device_alone),
  };
  return XPU_RUN_TESTS(tests);
}
