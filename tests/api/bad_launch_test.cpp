// SPDX-License-Identifier: Apache-2.0
// Launches that no kernel or device can take: sizes, arguments, local memory, kernel names.
#include "zoo.h"

using namespace xpu::test;

static xpuKernel_t noop, store, reverse, two_rooms, only_8_4_2;
static int* numbers;
static int index_0 = 0, value_7 = 7;
static size_t bytes_64 = 64, bytes_absurd = SIZE_MAX;
static void* store_args[3] = {&numbers, &index_0, &value_7};
static void* store_hole[3] = {&numbers, nullptr, &value_7};
static void* one_room[2] = {&numbers, nullptr};
static void* absurd_room[2] = {&numbers, &bytes_absurd};
static void* no_rooms[4] = {&numbers, nullptr, nullptr, &value_7};
static void* one_pointer[1] = {&numbers};

static int open_all(void** state) {
  open_zoo(state);
  noop = kernel("noop");
  store = kernel("store");
  reverse = kernel("reverse");
  two_rooms = kernel("two_rooms");
  only_8_4_2 = kernel("only_8_4_2");
  numbers = device_ints(64, 3);
  return 0;
}
static int close_all(void** state) {
  assert_ok(xpuFree(numbers));
  return close_zoo(state);
}

#define NO_SIZE(argument, what, grid, block)                                                \
  REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, argument, what, noop, grid, block, \
          nullptr, 0, zoo.stream())
#define NO_ARGS(argument, what, func, args, shared)                                          \
  REFUSED(xpuErrorInvalidValue, xpuLaunchKernel, argument, what, func, dim(1), dim(1), args, \
          shared, zoo.stream())

static void a_launch_needs_sizes_that_the_device_has(void**) {
  static const Refusal rows[] = {
      NO_SIZE("gridDim", "has x = 0", dim(0, 1, 1), dim(1)),
      NO_SIZE("gridDim", "has y = 0", dim(1, 0, 1), dim(1)),
      NO_SIZE("gridDim", "has z = 0", dim(1, 1, 0), dim(1)),
      NO_SIZE("blockDim", "has x = 0", dim(1), dim(0, 1, 1)),
      NO_SIZE("blockDim", "has y = 0", dim(1), dim(1, 0, 1)),
      NO_SIZE("blockDim", "has z = 0", dim(1), dim(1, 1, 0)),
      NO_SIZE("blockDim", "is larger than any group", dim(1), dim(UINT32_MAX)),
      NO_SIZE("blockDim", "overflows to 0", dim(1), dim(65536, 65536)),
      NO_SIZE("blockDim", "overflows to 1", dim(1), dim(UINT32_MAX, UINT32_MAX)),
      NO_SIZE("gridDim", "overflows to 0", dim(1u << 31, 1u << 31, 4), dim(1)),
      NO_SIZE("gridDim", "overflows with the block", dim(1u << 31, 1u << 31), dim(4)),
      NO_SIZE("blockDim", "overflows twice", dim(1), dim(1u << 31, 1u << 31, 4)),
  };
  assert_all_refused(rows);
}

static void a_demanded_group_size_is_demanded(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "blockDim", "is another one",
              only_8_4_2, dim(1), dim(64), one_pointer, 0, zoo.stream()),
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "blockDim", "is in another order",
              only_8_4_2, dim(1), dim(2, 4, 8), one_pointer, 0, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void every_argument_must_be_there(void**) {
  static const Refusal rows[] = {
      NO_ARGS("args", "is NULL", store, nullptr, 0),
      NO_ARGS("args", "has a hole", store, store_hole, 0),
      NO_ARGS("sharedMem", "is 0 for open local memory", reverse, one_room, 0),
      NO_ARGS("args", "has two open sizes", two_rooms, no_rooms, 256),
  };
  assert_all_refused(rows);
}

static void local_memory_is_limited(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "sharedMem",
              "is more than any group has", reverse, dim(1), dim(1), one_room, size_t{1} << 40,
              zoo.stream()),
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "sharedMem", "is SIZE_MAX", reverse,
              dim(1), dim(1), one_room, SIZE_MAX, zoo.stream()),
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "args", "asks for SIZE_MAX bytes",
              reverse, dim(1), dim(1), absurd_room, 0, zoo.stream()),
  };
  assert_all_refused(rows);
}

static void a_refused_launch_changes_nothing(void**) {
  assert_code(xpuLaunchKernel(store, dim(0), dim(1), store_args, 0, zoo.stream()),
              xpuErrorInvalidConfiguration);
  assert_code(xpuLaunchKernel(store, dim(1), dim(1), store_hole, 0, zoo.stream()),
              xpuErrorInvalidValue);
  assert_ok(xpuStreamSynchronize(zoo.stream()));
  if (shown(executes)) assert_int_equal(3, fetch(numbers));

  assert_ok(xpuLaunchKernel(store, dim(1), dim(1), store_args, 0, zoo.stream()));
  assert_ok(xpuStreamSynchronize(zoo.stream()));
  if (shown(executes)) assert_int_equal(7, fetch(numbers));
}

static void a_kernel_has_to_be_in_the_module(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetKernel, "name", "is in no module", &outs.kernel,
              zoo.module(), "no_such_kernel"),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetKernel, "name", "is empty", &outs.kernel,
              zoo.module(), ""),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetKernel, "name", "is spelled otherwise",
              &outs.kernel, zoo.module(), "Noop"),
      REFUSED(xpuErrorSymbolNotFound, xpuModuleGetKernel, "name", "has another one in it",
              &outs.kernel, zoo.module(), "noop noop"),
  };
  assert_all_refused(rows);
}

static void the_sentence_names_the_kernel_that_is_missing(void**) {
  assert_code(xpuModuleGetKernel(&outs.kernel, zoo.module(), "no_such_kernel"),
              xpuErrorSymbolNotFound);
  assert_non_null(strstr(last_failure().sentence, "no_such_kernel"));
}

static void a_parameter_has_to_be_one_of_the_kernel(void**) {
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuKernelGetParamInfo, "paramIndex", "is past the last", store,
              3, &outs.size, &outs.count),
      REFUSED(xpuErrorInvalidValue, xpuKernelGetParamInfo, "paramIndex", "is SIZE_MAX", store,
              SIZE_MAX, &outs.size, &outs.count),
      REFUSED(xpuErrorInvalidValue, xpuKernelGetParamInfo, "paramIndex", "is one of none", noop, 0,
              &outs.size, &outs.count),
  };
  assert_all_refused(rows);
}

static void the_pieces_of_local_memory_are_counted_together(void**) {
  static size_t half = 0;
  xpuDeviceProp prop = {};
  prop.struct_size = sizeof prop;
  assert_ok(xpuGetDeviceProperties(&prop, 0));
  half = prop.sharedMemPerBlock / 2 + 64;
  static void* two_halves[4] = {&numbers, &half, &half, &value_7};
  static void* enough[4] = {&numbers, &bytes_64, &bytes_64, &value_7};
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidConfiguration, xpuLaunchKernel, "args", "asks for two large halves",
              two_rooms, dim(1), dim(1), two_halves, 0, zoo.stream()),
  };

  assert_all_refused(rows);
  assert_ok(xpuLaunchKernel(two_rooms, dim(1), dim(1), enough, 0, zoo.stream()));
  assert_ok(xpuStreamSynchronize(zoo.stream()));
}

int main() {
  const Test tests[] = {
      xpu_test(a_launch_needs_sizes_that_the_device_has),
      xpu_test(a_demanded_group_size_is_demanded),
      xpu_test(every_argument_must_be_there),
      xpu_test(local_memory_is_limited),
      xpu_test(a_refused_launch_changes_nothing, results(executes)),
      xpu_test(a_kernel_has_to_be_in_the_module),
      xpu_test(the_sentence_names_the_kernel_that_is_missing),
      xpu_test(a_parameter_has_to_be_one_of_the_kernel),
      xpu_test(the_pieces_of_local_memory_are_counted_together),
  };
  return run_all(tests, open_all, close_all);
}
