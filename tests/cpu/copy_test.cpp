// SPDX-License-Identifier: Apache-2.0
// Copies and fills against a byte-by-byte reference.
#include <cstring>
#include <vector>

#include "world.h"

using namespace world;

static const uint32_t kInOrder = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;

struct Shape {
  ze_copy_region_t to, from;
  uint32_t to_pitch, to_slice, from_pitch, from_slice;
};

// How many bytes differ from what copying one byte at a time gives.
static size_t region_differences(const Shape& s) {
  const size_t size = 64 * 1024;
  auto* target = reinterpret_cast<uint8_t*>(words(size / 4, 0x11111111));
  auto* source = reinterpret_cast<uint8_t*>(words(size / 4));
  std::vector<uint8_t> expected(size, 0x11);
  for (size_t i = 0; i < size; ++i) source[i] = static_cast<uint8_t>(i * 7 + i / 256);
  const size_t height = s.to.height ? s.to.height : 1, depth = s.to.depth ? s.to.depth : 1;
  const size_t to_pitch = s.to_pitch ? s.to_pitch : s.to.width;
  const size_t from_pitch = s.from_pitch ? s.from_pitch : s.to.width;
  for (size_t z = 0; z < depth; ++z) {
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < s.to.width; ++x) {
        expected[(s.to.originZ + z) * s.to_slice + (s.to.originY + y) * to_pitch + s.to.originX +
                 x] = source[(s.from.originZ + z) * s.from_slice +
                             (s.from.originY + y) * from_pitch + s.from.originX + x];
      }
    }
  }
  ze_command_list_handle_t list = immediate(kInOrder, 0, 1);
  GOOD(ze(CommandListAppendMemoryCopyRegion)(list, target, &s.to, s.to_pitch, s.to_slice, source,
                                             &s.from, s.from_pitch, s.from_slice, nullptr, 0,
                                             nullptr));
  sync(list);
  size_t differences = 0;
  for (size_t i = 0; i < size; ++i) differences += target[i] != expected[i];
  GOOD(ze(CommandListDestroy)(list));
  give_back(target);
  give_back(source);
  return differences;
}

static void regions_of_one_two_and_three_dimensions_are_copied(void**) {
  const Shape line = {{3, 0, 0, 100, 1, 1}, {5, 0, 0, 100, 1, 1}, 0, 0, 0, 0};
  const Shape flat = {{3, 2, 0, 40, 9, 0}, {1, 5, 0, 40, 9, 0}, 64, 0, 100, 0};
  const Shape box = {{4, 1, 2, 24, 5, 6}, {0, 3, 1, 24, 5, 6}, 32, 32 * 12, 48, 48 * 10};
  assert_int_equal(region_differences(line), 0);
  assert_int_equal(region_differences(flat), 0);
  assert_int_equal(region_differences(box), 0);
}

static void a_region_that_does_not_fit_its_pitch_is_refused(void**) {
  auto* memory = reinterpret_cast<uint8_t*>(words(4096));
  ze_command_list_handle_t list = immediate(kInOrder);
  const ze_copy_region_t a = {0, 0, 0, 16, 4, 1}, b = {0, 0, 0, 16, 5, 1};
  assert_int_equal(ze(CommandListAppendMemoryCopyRegion)(list, memory, &a, 8, 0, memory + 4096, &a,
                                                         16, 0, nullptr, 0, nullptr),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  assert_int_equal(ze(CommandListAppendMemoryCopyRegion)(list, memory, &a, 16, 0, memory + 4096, &b,
                                                         16, 0, nullptr, 0, nullptr),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  GOOD(ze(CommandListDestroy)(list));
  give_back(memory);
}

// The pattern is overwritten after the append: its bytes then must not matter.
static size_t fill_differences(size_t pattern_size, size_t size) {
  auto* target = reinterpret_cast<uint8_t*>(words(256, 0x22222222));
  std::vector<uint8_t> pattern(pattern_size), expected(1024, 0x22);
  for (size_t i = 0; i < pattern_size; ++i) pattern[i] = static_cast<uint8_t>(i * 3 + 1);
  for (size_t i = 0; i < size; ++i) expected[i] = pattern[i % pattern_size];
  ze_command_list_handle_t list = regular();
  ze_command_queue_handle_t q = queue();
  GOOD(ze(CommandListAppendMemoryFill)(list, target, pattern.data(), pattern_size, size, nullptr, 0,
                                       nullptr));
  GOOD(ze(CommandListClose)(list));
  pattern.assign(pattern_size, 0xff);
  run(q, list);
  size_t differences = 0;
  for (size_t i = 0; i < 1024; ++i) differences += target[i] != expected[i];
  GOOD(ze(CommandListDestroy)(list));
  GOOD(ze(CommandQueueDestroy)(q));
  give_back(target);
  return differences;
}

static void fills_take_patterns_of_any_size(void**) {
  assert_int_equal(fill_differences(1, 777), 0);
  assert_int_equal(fill_differences(2, 512), 0);
  assert_int_equal(fill_differences(3, 999), 0);
  assert_int_equal(fill_differences(4, 1000), 0);
  assert_int_equal(fill_differences(16, 1024), 0);
  assert_int_equal(fill_differences(128, 1024), 0);
  assert_int_equal(fill_differences(7, 5), 0);
}

static void the_programs_own_memory_can_be_copied_from_and_to(void**) {
  uint32_t* data = words(4);
  uint32_t in[4] = {1, 2, 3, 4}, out[4] = {};
  ze_command_list_handle_t list = immediate(kInOrder);
  GOOD(ze(CommandListAppendMemoryCopyWithParameters)(list, data, in, sizeof in, nullptr, nullptr, 0,
                                                     nullptr));
  launch_add(list, data, 4, 10);
  GOOD(ze(CommandListAppendMemoryCopy)(list, out, data, sizeof out, nullptr, 0, nullptr));
  sync(list);
  assert_int_equal(out[0], 11);
  assert_int_equal(out[3], 14);
  GOOD(ze(CommandListDestroy)(list));
  give_back(data);
}

static void hints_are_accepted(void**) {
  uint32_t* data = words(4);
  ze_command_list_handle_t list = immediate(kInOrder);
  GOOD(ze(CommandListAppendMemoryPrefetch)(list, data, 16));
  GOOD(ze(CommandListAppendMemAdvise)(list, device(), data, 16, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  GOOD(ze(CommandListDestroy)(list));
  give_back(data);
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(regions_of_one_two_and_three_dimensions_are_copied),
      cmocka_unit_test(a_region_that_does_not_fit_its_pitch_is_refused),
      cmocka_unit_test(fills_take_patterns_of_any_size),
      cmocka_unit_test(the_programs_own_memory_can_be_copied_from_and_to),
      cmocka_unit_test(hints_are_accepted),
  };
  return WORLD_RUN_TESTS(tests);
}
