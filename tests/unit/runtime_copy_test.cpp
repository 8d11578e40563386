// SPDX-License-Identifier: Apache-2.0
// Copies and fills of every shape against plain loops, in ordered and plain lists.
#include <algorithm>
#include <cstring>
#include <vector>

#include "random_dag.h"
#include "runtime_world.h"

namespace xpu::test {
namespace {

constexpr size_t kRoom = 1 << 16;

void reference_copy(unsigned char* dst, const unsigned char* src, const ze::Copy& c) {
  for (size_t z = 0; z < c.depth; z++)
    for (size_t y = 0; y < c.height; y++)
      for (size_t x = 0; x < c.width; x++)
        dst[z * c.dst_slice + y * c.dst_pitch + x] = src[z * c.src_slice + y * c.src_pitch + x];
}

void reference_fill(unsigned char* dst, const ze::Fill& f) {
  for (size_t y = 0; y < f.height; y++)
    for (size_t x = 0; x < f.width; x++)
      for (size_t b = 0; b < f.element_size; b++)
        dst[y * f.pitch + x * f.element_size + b] = static_cast<unsigned char>(f.value >> (8 * b));
}

// Pitches equal to the width in half of the cases, so that rows and slices join.
ze::Copy random_copy(Random& random) {
  ze::Copy c;
  c.width = random.below(40);
  c.height = random.one_in(2) ? 1 : random.below(12);
  c.depth = random.one_in(2) ? 1 : random.below(6);
  auto more = [&](size_t least) { return least + (random.one_in(2) ? 0 : random.below(9)); };
  c.dst_pitch = more(c.width);
  c.src_pitch = more(c.width);
  c.dst_slice = more(c.dst_pitch * c.height);
  c.src_slice = more(c.src_pitch * c.height);
  return c;
}

struct Buffers {
  unsigned char* src = managed<unsigned char>(kRoom);
  unsigned char* dst = managed<unsigned char>(kRoom);
  std::vector<unsigned char> wanted = std::vector<unsigned char>(kRoom, 0);
  Buffers() {
    for (size_t i = 0; i < kRoom; i++) src[i] = static_cast<unsigned char>(i * 7 + i / 251);
  }
  ~Buffers() {
    free_managed(src);
    free_managed(dst);
  }
  bool right() const { return !std::memcmp(dst, wanted.data(), kRoom); }
};

int wrong_copies(uint64_t seed, int cases) {
  Random random(seed);
  Buffers buffers;
  runtime::Stream& s = new_stream();
  int wrong = 0;
  for (int i = 0; i < cases; i++) {
    ze::Copy c = random_copy(random);
    const size_t to = random.below(1000), from = random.below(1000);
    c.dst = buffers.dst + to;
    c.src = buffers.src + from;
    reference_copy(buffers.wanted.data() + to, buffers.src + from, c);
    must(runtime::copy(s, c, xpuMemcpyDefault, false), "copying");
    must(s.synchronize(), "waiting");
    if (!buffers.right()) wrong++;
  }
  destroy(s);
  return wrong;
}

void copies_of_any_shape_equal_a_loop(void**) {
  const int wrong = wrong_copies(1, 300);

  assert_int_equal(wrong, 0);
}

ze::Fill random_fill(Random& random) {
  ze::Fill f;
  f.element_size = 1u << random.below(3);
  f.value = random.one_in(4) ? 0x5a5a5a5a : random.next();
  f.width = random.below(20);
  f.height = random.one_in(3) ? 1 : random.below(40);
  f.pitch = f.width * f.element_size + (random.one_in(2) ? 0 : 4 * random.below(5));
  return f;
}

int wrong_fills(uint64_t seed, int cases) {
  Random random(seed);
  Buffers buffers;
  runtime::Stream& s = new_stream();
  int wrong = 0;
  for (int i = 0; i < cases; i++) {
    ze::Fill f = random_fill(random);
    const size_t to = 4 * random.below(250);
    f.dst = buffers.dst + to;
    reference_fill(buffers.wanted.data() + to, f);
    must(runtime::fill(s, f, false), "filling");
    must(s.synchronize(), "waiting");
    if (!buffers.right()) wrong++;
  }
  destroy(s);
  return wrong;
}

void fills_of_any_shape_equal_a_loop(void**) {
  const int wrong = wrong_fills(2, 300);

  assert_int_equal(wrong, 0);
}

// A plain list keeps no order by itself: what is one command here must be one there.
int wrong_in_plain_lists(uint64_t seed, int cases) {
  Random random(seed);
  Buffers buffers;
  runtime::Stream& s = new_stream();
  int wrong = 0;
  for (int i = 0; i < cases; i++) {
    ze::Fill f = random_fill(random);
    f.dst = buffers.src;
    reference_fill(buffers.src, f);
    std::memset(buffers.dst, 0, kRoom);
    std::memcpy(buffers.wanted.data(), buffers.src, 4000);
    ze::List::Regular what;
    what.ordinal = device().ze().engines().compute_ordinal;
    ze::List list = must(ze::List::regular(device().ze(), what), "a list");
    must(list.fill(f), "filling");
    must(list.barrier(), "a barrier");
    must(list.copy({.dst = buffers.dst, .src = buffers.src, .width = 4000}), "copying");
    must(list.close(), "closing");
    const ze_command_list_handle_t handle = list.get();
    must(s.submit([&](ze::List& on) { return on.append_lists({&handle, 1}); }), "appending");
    must(s.synchronize(), "waiting");
    if (!buffers.right()) wrong++;
  }
  destroy(s);
  return wrong;
}

void fills_in_plain_lists_are_one_command(void**) {
  const int wrong = wrong_in_plain_lists(3, 60);

  assert_int_equal(wrong, 0);
}

// As many lists in flight as fit: the fallback must not use one twice.
void closed_lists_run_in_the_order_they_are_appended(void**) {
  constexpr uint32_t lists = 40;
  uint32_t* words = managed<uint32_t>(2 * lists + 2);
  runtime::Stream& s = new_stream();
  std::vector<ze::List>* made = new std::vector<ze::List>;
  Gate gate;

  gate.hold(s);
  fill_words(s, words, 1, 1);
  for (uint32_t i = 0; i < lists; i++) {
    made->push_back(must(ze::List::regular(device().ze(), {}), "a list"));
    must(made->back().copy({.dst = words + i + 1, .src = words + i, .width = 4}), "copying");
    must(made->back().close(), "closing");
    const ze_command_list_handle_t handle = made->back().get();
    must(s.submit([&](ze::List& on) { return on.append_lists({&handle, 1}); }), "appending");
  }
  fill_words(s, words, 2, 1);
  gate.open = true;
  const bool done = s.synchronize().ok();
  delete made;

  assert_true(done);
  assert_int_equal(words[0], 2);
  for (uint32_t i = 1; i <= lists; i++) assert_int_equal(words[i], 1);
  destroy(s);
  free_managed(words);
}

void nothing_to_copy_is_no_command(void**) {
  runtime::Stream& s = new_stream();
  uint32_t* words = managed<uint32_t>(1);

  recorder().clear();
  must(runtime::copy(s, {.dst = words, .src = words, .width = 0}, xpuMemcpyDefault, false), "");
  must(runtime::copy(s, {.dst = words, .src = words, .width = 4, .height = 0}, xpuMemcpyDefault,
                     false),
       "");
  ze::Fill none;
  none.dst = words;
  must(runtime::fill(s, none, false), "");
  const uint64_t commands = recorder().of(Call::CommandListAppendMemoryCopy) +
                            recorder().of(Call::CommandListAppendMemoryCopyRegion) +
                            recorder().of(Call::CommandListAppendMemoryFill);

  assert_int_equal(commands, 0);
  destroy(s);
  free_managed(words);
}

void pageable_memory_may_be_used_again_at_once(void**) {
  runtime::Stream& s = new_stream();
  uint32_t* words = managed<uint32_t>(2);
  uint32_t from = 41, to = 0;

  must(runtime::copy(s, {.dst = words, .src = &from, .width = 4}, xpuMemcpyDefault, false), "copy");
  from = 0;
  must(runtime::copy(s, {.dst = &to, .src = words, .width = 4}, xpuMemcpyDefault, false), "copy");

  assert_int_equal(to, 41);
  destroy(s);
  free_managed(words);
}

// Bytes that fill commands must write for a plane of many rows, and how few commands that takes.
void many_rows_take_few_commands(void**) {
  runtime::Stream& s = new_stream();
  unsigned char* at = managed<unsigned char>(64 * 1024);
  ze::Fill f;
  f.dst = at;
  f.value = 3;
  f.width = 17;
  f.height = 1000;
  f.pitch = 64;

  recorder().clear();
  must(runtime::fill(s, f, false), "filling");
  const uint64_t commands = recorder().of(Call::CommandListAppendMemoryFill) +
                            recorder().of(Call::CommandListAppendMemoryCopyRegion);
  must(s.synchronize(), "waiting");
  int wrong = 0;
  for (size_t i = 0; i < 64 * 1000; i++) wrong += at[i] != (i % 64 < 17 ? 3 : 0);

  assert_true(commands <= 11);
  assert_int_equal(wrong, 0);
  destroy(s);
  free_managed(at);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_any_shape_equal_a_loop),
      cmocka_unit_test(fills_of_any_shape_equal_a_loop),
      cmocka_unit_test(fills_in_plain_lists_are_one_command),
      cmocka_unit_test(closed_lists_run_in_the_order_they_are_appended),
      cmocka_unit_test(nothing_to_copy_is_no_command),
      cmocka_unit_test(pageable_memory_may_be_used_again_at_once),
      cmocka_unit_test(many_rows_take_few_commands),
  };
  return finish(XPU_RUN_TESTS(tests));
}
