// SPDX-License-Identifier: Apache-2.0
// Kernels and modules: what is known about them, how arguments arrive, how long they live.
#include "ground.h"

using namespace xpu::test;

static Gate gate;

static xpuKernelAttributes attributes(const char* name) {
  xpuKernelAttributes a;
  memset(&a, 0xa5, sizeof a);
  a.struct_size = sizeof a;
  assert_ok(xpuKernelGetAttributes(&a, kernel(name)));
  return a;
}

static void check_parameters(const char* name, const size_t (*expected)[2], size_t count) {
  const xpuKernel_t k = kernel(name);
  assert_int_equal(count, attributes(name).numParams);
  for (size_t i = 0; i < count; i++) {
    size_t offset = 77, size = 77, offset_alone = 77;
    assert_ok(xpuKernelGetParamInfo(k, i, &offset, &size));
    assert_int_equal(expected[i][0], offset);
    assert_int_equal(expected[i][1], size);
    assert_ok(xpuKernelGetParamInfo(k, i, &offset_alone, nullptr));
    assert_int_equal(offset, offset_alone);
  }
}

struct Record {
  short a;
  int b;
  long long c;
  int d[3];
};

static void parameters_have_the_offsets_and_sizes_of_the_source(void**) {
  static const size_t store[][2] = {{0, 8}, {8, 4}, {12, 4}};
  static const size_t mixed[][2] = {{0, 8}, {8, 1}, {10, 2}, {12, 4}, {16, 8}, {24, 4}};
  static const size_t copy_one[][2] = {{0, 8}, {8, 4}, {16, 8}, {24, 4}};
  static const size_t two_rooms[][2] = {{0, 8}, {8, sizeof(size_t)}, {16, sizeof(size_t)}, {24, 4}};
  static const size_t take_vector[][2] = {{0, 8}, {8, 2}, {16, 16}};
  check_parameters("noop", nullptr, 0);
  check_parameters("store", store, 3);
  check_parameters("mixed", mixed, 6);
  check_parameters("copy_one", copy_one, 4);
  check_parameters("two_rooms", two_rooms, 4);
  check_parameters("take_vector", take_vector, 3);
}

static void a_struct_parameter_has_its_size(void**) {
  size_t offset = 0, size = 0, last = 0;
  assert_ok(xpuKernelGetParamInfo(kernel("take_record"), 1, &offset, &size));
  assert_int_equal(sizeof(Record), size);
  assert_ok(xpuKernelGetParamInfo(kernel("take_record"), 2, &last, &size));
  assert_int_equal(1, size);
  assert_true(last >= offset + sizeof(Record));
}

static void attributes_tell_what_the_source_demands(void**) {
  const xpuKernelAttributes free = attributes("store"), bound = attributes("only_8_4_2"),
                            roomy = attributes("own_room");
  xpuDeviceProp prop = {};
  prop.struct_size = sizeof prop;
  assert_ok(xpuGetDeviceProperties(&prop, 0));

  assert_int_equal(0, free.requiredBlockDim.x + free.requiredBlockDim.y + free.requiredBlockDim.z);
  assert_int_equal(0, free.sharedSizeBytes);
  assert_int_equal(0, free.reserved);
  assert_int_equal(8, bound.requiredBlockDim.x);
  assert_int_equal(4, bound.requiredBlockDim.y);
  assert_int_equal(2, bound.requiredBlockDim.z);
  assert_int_equal(64 * sizeof(int), roomy.sharedSizeBytes);
  assert_in_range(free.maxThreadsPerBlock, 1, prop.maxThreadsPerBlock);
  assert_true(free.warpSize >= 1);
}

static void arguments_of_all_sizes_arrive(void**) {
  long long out[5] = {};
  void* p = nullptr;
  assert_ok(xpuMalloc(&p, sizeof out));

  launch_one(nullptr, "mixed", p, static_cast<char>(-3), static_cast<short>(-1234), 567890,
             20015998343868ll, 2.25f);

  fetch(out, p, sizeof out);
  if (shown(executes)) assert_int_equal(-3, out[0]);
  if (shown(executes)) assert_int_equal(-1234, out[1]);
  if (shown(executes)) assert_int_equal(567890, out[2]);
  if (shown(executes)) assert_true(out[3] == 20015998343868ll);
  if (shown(executes)) assert_int_equal(9, out[4]);
  assert_ok(xpuFree(p));
}

static void a_struct_arrives_by_value(void**) {
  long long out[5] = {};
  void* p = nullptr;
  Record r = {-7, 123456, -5000000000ll, {1, 2, 3}};
  assert_ok(xpuMalloc(&p, sizeof out));

  launch_one(nullptr, "take_record", p, r, static_cast<unsigned char>(200));

  fetch(out, p, sizeof out);
  if (shown(executes)) assert_int_equal(-7, out[0]);
  if (shown(executes)) assert_int_equal(123456, out[1]);
  if (shown(executes)) assert_true(out[2] == -5000000000ll);
  if (shown(executes)) assert_int_equal(321, out[3]);
  if (shown(executes)) assert_int_equal(200, out[4]);
  assert_ok(xpuFree(p));
}

struct Char2 {
  signed char v[2];
};
struct Int4 {
  int v[4];
};

static void vectors_arrive_by_value(void**) {
  int out[3] = {};
  int* p = device_ints(3);

  launch_one(nullptr, "take_vector", p, Char2{{-1, 5}}, Int4{{1, 10, 100, 1000}});

  fetch(out, p, sizeof out);
  if (shown(executes)) assert_int_equal(-1, out[0]);
  if (shown(executes)) assert_int_equal(5, out[1]);
  if (shown(executes)) assert_int_equal(1 + 20 + 300 + 4000, out[2]);
  assert_ok(xpuFree(p));
}

static void arguments_are_copied_during_the_call(void**) {
  const xpuStream_t s = new_stream();
  int* p = device_ints(1);
  int index = 0, value = 31;
  void* args[] = {&p, &index, &value};

  gate.shut(s);
  assert_ok(xpuLaunchKernel(kernel("store"), dim(1), dim(1), args, 0, s));
  value = 99;
  index = 1000000;
  gate.open = 1;
  assert_ok(xpuStreamSynchronize(s));

  if (shown(executes)) assert_int_equal(31, fetch(p));
  assert_ok(xpuStreamDestroy(s));
  assert_ok(xpuFree(p));
}

static void a_grid_counts_groups_and_a_block_work_items(void**) {
  int out[6] = {};
  int* p = device_ints(6);

  launch(nullptr, "dims", dim(3, 5, 7), dim(2, 4, 8), p);

  fetch(out, p, sizeof out);
  const int expected[6] = {3, 5, 7, 2, 4, 8};
  if (shown(executes)) assert_memory_equal(expected, out, sizeof out);
  assert_ok(xpuFree(p));
}

static void every_work_item_of_three_dimensions_runs_once(void**) {
  enum { kWidth = 6, kHeight = 8, kDepth = 10, kAll = kWidth * kHeight * kDepth };
  static int out[kAll];
  int* p = device_ints(kAll, -1);

  launch(nullptr, "place", dim(3, 2, 5), dim(2, 4, 2), p);

  fetch(out, p, sizeof out);
  if (shown(executes))
    for (int z = 0; z < kDepth; z++)
      for (int y = 0; y < kHeight; y++)
        for (int x = 0; x < kWidth; x++)
          assert_int_equal(x + 100 * y + 10000 * z, out[(z * kHeight + y) * kWidth + x]);
  assert_ok(xpuFree(p));
}

// Fills 64 numbers, turns them round in groups of 16 and checks.
static void check_reverse(void** args, size_t shared) {
  int out[64];
  for (int i = 0; i < 64; i++) out[i] = i;
  int* p = *static_cast<int**>(args[0]);
  assert_ok(xpuMemcpy(p, out, sizeof out, xpuMemcpyHostToDevice));

  assert_ok(xpuLaunchKernel(kernel("reverse"), dim(4), dim(16), args, shared, nullptr));

  fetch(out, p, sizeof out);
  if (!shown(executes)) return;
  for (int i = 0; i < 64; i++) assert_int_equal(i / 16 * 16 + 15 - i % 16, out[i]);
}

static void local_memory_has_the_size_that_its_argument_points_to(void**) {
  int* p = device_ints(64);
  size_t bytes = 16 * sizeof(int);
  void* args[] = {&p, &bytes};
  check_reverse(args, 0);
  assert_ok(xpuFree(p));
}

static void local_memory_has_the_size_of_shared_mem_if_its_argument_is_null(void**) {
  int* p = device_ints(64);
  void* args[] = {&p, nullptr};
  check_reverse(args, 16 * sizeof(int));
  assert_ok(xpuFree(p));
}

static void two_pieces_of_local_memory_do_not_overlap(void**) {
  int out[32] = {};
  int* p = device_ints(32);
  size_t first = 32 * sizeof(int), second = 32 * sizeof(short);
  int v = 5;
  void* both[] = {&p, &first, &second, &v};
  void* one_open[] = {&p, nullptr, &second, &v};

  assert_ok(xpuLaunchKernel(kernel("two_rooms"), dim(1), dim(32), both, 0, nullptr));
  fetch(out, p, sizeof out);
  if (shown(executes))
    for (int i = 0; i < 32; i++) assert_int_equal((5 + 31 - i) * 1000 + 2 * (31 - i), out[i]);
  assert_ok(xpuLaunchKernel(kernel("two_rooms"), dim(1), dim(32), one_open, first, nullptr));
  fetch(out, p, sizeof out);
  if (shown(executes))
    for (int i = 0; i < 32; i++) assert_int_equal((5 + 31 - i) * 1000 + 2 * (31 - i), out[i]);
  assert_ok(xpuFree(p));
}

static void a_kernel_with_its_own_local_memory_runs(void**) {
  int out[64];
  int* p = device_ints(64);
  for (int i = 0; i < 64; i++) out[i] = i;
  assert_ok(xpuMemcpy(p, out, sizeof out, xpuMemcpyHostToDevice));

  launch(nullptr, "own_room", dim(1), dim(64), p);

  fetch(out, p, sizeof out);
  if (shown(executes))
    for (int i = 0; i < 64; i++) assert_int_equal(63 - i, out[i]);
  assert_ok(xpuFree(p));
}

static void a_demanded_group_size_runs(void**) {
  int* p = device_ints(1);
  launch(nullptr, "only_8_4_2", dim(2), dim(8, 4, 2), p);
  if (shown(executes)) assert_int_equal(842, fetch(p));
  assert_ok(xpuFree(p));
}

int main() {
  const Test tests[] = {
      xpu_test(parameters_have_the_offsets_and_sizes_of_the_source),
      xpu_test(a_struct_parameter_has_its_size),
      xpu_test(attributes_tell_what_the_source_demands),
      xpu_test(arguments_of_all_sizes_arrive, results(executes)),
      xpu_test(a_struct_arrives_by_value, results(executes)),
      xpu_test(vectors_arrive_by_value, results(executes)),
      xpu_test(arguments_are_copied_during_the_call, results(executes)),
      xpu_test(a_grid_counts_groups_and_a_block_work_items, results(executes)),
      xpu_test(every_work_item_of_three_dimensions_runs_once, results(executes)),
      xpu_test(local_memory_has_the_size_that_its_argument_points_to, results(executes)),
      xpu_test(local_memory_has_the_size_of_shared_mem_if_its_argument_is_null, results(executes)),
      xpu_test(two_pieces_of_local_memory_do_not_overlap, results(executes)),
      xpu_test(a_kernel_with_its_own_local_memory_runs, results(executes)),
      xpu_test(a_demanded_group_size_runs, results(executes)),
  };
  return run_all(tests);
}
