// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes: what is copied, and what is refused with which error and argument.
#include <cstring>
#include <functional>

#include "graph/check.h"
#include "graph_making.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;
using graph::CopyShape;
using graph::FillShape;
using graph::KernelParams;

struct Refusal {
  xpuError_t code;
  Text argument, sentence;
};
Refusal refusal(const Status& status) {
  const auto* d = status.detail();
  return {status.code(), text(d ? d->argument : ""), text(d ? d->sentence : "")};
}
void expect(const Refusal& r, xpuError_t code, const char* argument) {
  assert_int_equal(r.code, code);
  assert_string_equal(r.argument.chars, argument);
  if (code != xpuSuccess) assert_true(r.sentence.chars[0]);
}

const std::vector<Parameter> mixed() {
  return {{ParameterKind::pointer, 8, 0}, {ParameterKind::value, 1, 0},
          {ParameterKind::value, 2, 0},   {ParameterKind::value, 8, 0},
          {ParameterKind::local, 8, 0},   {ParameterKind::value, 12, 0}};
}

int arguments_copied() {
  struct Twelve {
    int a[3];
  };
  void* p = &p;
  char c = -3;
  short s = -1234;
  double d = 2.25;
  size_t local = 256;
  Twelve t = {{1, 2, 3}};
  void* args[] = {&p, &c, &s, &d, &local, &t};
  auto made = KernelParams::make(signature("k", mixed()), {2, 3, 4}, {5, 6, 7}, args, 9);
  void* const p_was = p;
  p = nullptr, c = 0, s = 0, d = 0, local = 0, t = {};
  std::memset(args, 0, sizeof args);
  const auto* k = made.value().as<KernelParams>();
  int wrong = 0;
  const auto same = [&](int bit, size_t i, const auto& value) {
    if (std::memcmp(k->argument(i), &value, sizeof value)) wrong |= bit;
    if (k->argument_pointers()[i] != k->argument(i)) wrong |= bit << 8;
  };
  same(1, 0, p_was);
  same(2, 1, static_cast<char>(-3));
  same(4, 2, static_cast<short>(-1234));
  same(8, 3, 2.25);
  same(16, 4, size_t{256});
  same(32, 5, Twelve{{1, 2, 3}});
  if (k->grid().z != 4 || k->block().y != 6 || k->shared_mem() != 9) wrong |= 64;
  auto again = KernelParams::make_packed(k->kernel(), {2, 3, 4}, {5, 6, 7}, k->arguments(), 9);
  const auto* packed = again.value().as<KernelParams>();
  if (std::memcmp(packed->arguments().data(), k->arguments().data(), k->arguments().size())) {
    wrong |= 128;
  }
  return wrong;
}
void arguments_of_every_size_are_copied(void**) { assert_int_equal(arguments_copied(), 0); }

enum Without { nothing, args, value, local, local_size, second_local };
Refusal kernel_without(Without what) {
  std::vector<Parameter> parameters = mixed();
  if (what == second_local) parameters[5] = {ParameterKind::local, 8, 0};
  uint64_t zero[2] = {};
  void* values[6];
  for (void*& v : values) v = zero;
  if (what == value) values[2] = nullptr;
  if (what == local || what == local_size) values[4] = nullptr;
  if (what == second_local) values[4] = values[5] = nullptr;
  const size_t shared = what == local || what == second_local ? 64 : 0;
  return refusal(KernelParams::make(signature("k", parameters), {1, 1, 1}, {1, 1, 1},
                                    what == args ? nullptr : values, shared)
                     .status());
}
void missing_arguments_are_named(void**) {
  const Refusal n = kernel_without(nothing), a = kernel_without(args), v = kernel_without(value),
                l = kernel_without(local), s = kernel_without(local_size),
                two = kernel_without(second_local);
  expect(n, xpuSuccess, "");
  expect(a, xpuErrorInvalidValue, "args");
  expect(v, xpuErrorInvalidValue, "args");
  assert_non_null(strstr(v.sentence.chars, "args[2]"));
  expect(l, xpuSuccess, "");
  expect(s, xpuErrorInvalidValue, "sharedMem");
  expect(two, xpuErrorInvalidValue, "args");
}

Refusal shape(xpuDim3 grid, xpuDim3 block) {
  return refusal(KernelParams::make(signature("k"), grid, block, nullptr, 0).status());
}
void each_dimension_is_at_least_one(void**) {
  const xpuDim3 fine = {1, 1, 1}, bad[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
  for (const xpuDim3& b : bad) {
    const Refusal grid = shape(b, fine), block = shape(fine, b);
    expect(grid, xpuErrorInvalidValue, "gridDim");
    expect(block, xpuErrorInvalidValue, "blockDim");
  }
}

Refusal packed_with(size_t bytes) {
  std::byte block[64] = {};
  auto k = signature("k", {{ParameterKind::value, 4, 0}});
  return refusal(KernelParams::make_packed(k, {1, 1, 1}, {1, 1, 1}, {block, bytes}, 0).status());
}
void a_packed_block_has_the_size_of_the_signature(void**) {
  const Refusal less = packed_with(3), right = packed_with(4), more = packed_with(5);
  expect(less, xpuErrorInvalidValue, "args");
  expect(right, xpuSuccess, "");
  expect(more, xpuErrorInvalidValue, "args");
}

char memory[2][4096];

// A block of 8 x 4 x 2 bytes out of volumes of 16 x 8 rows, changed by one field.
Refusal block_copy(void (*change)(CopyShape&)) {
  CopyShape s;
  s.dst = {memory[0], 16, 16, 8, 2, 1, 0};
  s.src = {memory[1], 16, 16, 8, 8, 4, 1};
  s.width = 8, s.height = 4, s.depth = 2;
  s.kind = xpuMemcpyDeviceToDevice;
  change(s);
  return refusal(graph::check_copy(s));
}
void copies_stay_inside_their_pitches(void**) {
  struct {
    void (*change)(CopyShape&);
    xpuError_t code;
    const char* argument;
  } const cases[] = {
      {[](CopyShape&) {}, xpuSuccess, ""},
      {[](CopyShape& s) { s.dst.base = nullptr; }, xpuErrorInvalidValue, "dstPtr"},
      {[](CopyShape& s) { s.src.base = nullptr; }, xpuErrorInvalidValue, "srcPtr"},
      {[](CopyShape& s) { s.width = 0; }, xpuErrorInvalidValue, "extent"},
      {[](CopyShape& s) { s.height = 0; }, xpuErrorInvalidValue, "extent"},
      {[](CopyShape& s) { s.depth = 0; }, xpuErrorInvalidValue, "extent"},
      {[](CopyShape& s) { s.dst.pitch = 7; }, xpuErrorInvalidPitchValue, "dstPtr.pitch"},
      {[](CopyShape& s) { s.src.pitch = 0; }, xpuErrorInvalidPitchValue, "srcPtr.pitch"},
      {[](CopyShape& s) { s.src.x = 9; }, xpuErrorInvalidValue, "srcPtr"},
      {[](CopyShape& s) { s.src.y = 5; }, xpuErrorInvalidValue, "srcPtr.ysize"},
      {[](CopyShape& s) { s.dst.ysize = 3; }, xpuErrorInvalidValue, "dstPtr.ysize"},
      {[](CopyShape& s) { s.dst.z = SIZE_MAX / 2; }, xpuErrorInvalidValue, "dstPtr"},
      {[](CopyShape& s) { s.dst.z = SIZE_MAX; }, xpuErrorInvalidValue, "dstPtr"},
      {[](CopyShape& s) { s.depth = SIZE_MAX / 8; }, xpuErrorInvalidValue, "extent"},
      {[](CopyShape& s) { s.kind = static_cast<xpuMemcpyKind>(5); }, xpuErrorInvalidMemcpyDirection,
       "kind"},
      {[](CopyShape& s) { s.kind = static_cast<xpuMemcpyKind>(-1); },
       xpuErrorInvalidMemcpyDirection, "kind"},
  };
  for (const auto& c : cases) {
    const Refusal r = block_copy(c.change);
    expect(r, c.code, c.argument);
  }
}

Refusal line_copy(void* dst, const void* src, size_t count, int kind) {
  return refusal(
      graph::CopyParams::make_linear(dst, src, count, static_cast<xpuMemcpyKind>(kind)).status());
}
void linear_copies_name_their_own_arguments(void**) {
  const Refusal fine = line_copy(memory[0], memory[1], 64, 4),
                none = line_copy(memory, memory, 0, 4), dst = line_copy(nullptr, memory, 4, 4),
                src = line_copy(memory, nullptr, 4, 4), kind = line_copy(memory, memory, 4, 9),
                huge = line_copy(memory, memory, SIZE_MAX, 4);
  expect(fine, xpuSuccess, "");
  expect(none, xpuErrorInvalidValue, "count");
  expect(dst, xpuErrorInvalidValue, "dst");
  expect(src, xpuErrorInvalidValue, "src");
  expect(kind, xpuErrorInvalidMemcpyDirection, "kind");
  expect(huge, xpuErrorInvalidValue, "dst");
}

Refusal changed_fill(void (*change)(FillShape&)) {
  FillShape s = {memory[0], 64, 7, 4, 16, 3};
  change(s);
  return refusal(graph::FillParams::make(s).status());
}
void fills_have_elements_that_fit_their_rows(void**) {
  struct {
    void (*change)(FillShape&);
    xpuError_t code;
    const char* argument;
  } const cases[] = {
      {[](FillShape&) {}, xpuSuccess, ""},
      {[](FillShape& s) { s.dst = nullptr; }, xpuErrorInvalidValue, "dst"},
      {[](FillShape& s) { s.dst = memory[0] + 2; }, xpuErrorInvalidValue, "dst"},
      {[](FillShape& s) { s.element_size = 0; }, xpuErrorInvalidValue, "elementSize"},
      {[](FillShape& s) { s.element_size = 3; }, xpuErrorInvalidValue, "elementSize"},
      {[](FillShape& s) { s.element_size = 8; }, xpuErrorInvalidValue, "elementSize"},
      {[](FillShape& s) { s.width = 0; }, xpuErrorInvalidValue, "width"},
      {[](FillShape& s) { s.height = 0; }, xpuErrorInvalidValue, "height"},
      {[](FillShape& s) { s.pitch = 60; }, xpuErrorInvalidValue, "pitch"},
      {[](FillShape& s) { s.pitch = 66; }, xpuErrorInvalidValue, "pitch"},
      {[](FillShape& s) { s.pitch = 0, s.height = 1; }, xpuSuccess, ""},
      {[](FillShape& s) { s.width = SIZE_MAX / 2; }, xpuErrorInvalidValue, "width"},
      {[](FillShape& s) { s.height = SIZE_MAX / 2; }, xpuErrorInvalidValue, "height"},
      {[](FillShape& s) { s.height = 1, s.width = SIZE_MAX / 4; }, xpuErrorInvalidValue, "height"},
  };
  for (const auto& c : cases) {
    const Refusal r = changed_fill(c.change);
    expect(r, c.code, c.argument);
  }
}

Refusal nothing_to_call() { return refusal(graph::HostParams::make(nullptr, nullptr).status()); }
Refusal nothing_to_record() { return refusal(graph::EventParams::make_record({}, 0).status()); }
Refusal nothing_to_wait_for() { return refusal(graph::EventParams::make_wait({}, 0).status()); }
void a_host_node_needs_a_function_and_event_nodes_an_event(void**) {
  const Refusal a = nothing_to_call(), b = nothing_to_record(), c = nothing_to_wait_for();
  expect(a, xpuErrorInvalidValue, "fn");
  expect(b, xpuErrorInvalidValue, "event");
  expect(c, xpuErrorInvalidValue, "event");
}

long uses_left() {
  auto event = std::make_shared<int>(0);
  {
    const ParamsRef first = graph::EventParams::make_wait(event, 1).take();
    const ParamsRef second = first, third = second;
    if (event.use_count() != 2) return -1;
  }
  return event.use_count();
}
void the_last_reference_frees_what_parameters_hold(void**) { assert_int_equal(uses_left(), 1); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(arguments_of_every_size_are_copied),
      cmocka_unit_test(missing_arguments_are_named),
      cmocka_unit_test(each_dimension_is_at_least_one),
      cmocka_unit_test(a_packed_block_has_the_size_of_the_signature),
      cmocka_unit_test(copies_stay_inside_their_pitches),
      cmocka_unit_test(linear_copies_name_their_own_arguments),
      cmocka_unit_test(fills_have_elements_that_fit_their_rows),
      cmocka_unit_test(a_host_node_needs_a_function_and_event_nodes_an_event),
      cmocka_unit_test(the_last_reference_frees_what_parameters_hold),
  };
  return XPU_RUN_TESTS(tests);
}
