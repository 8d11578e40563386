// SPDX-License-Identifier: Apache-2.0
// Private pools tell where their allocations end, also after a capture that failed.
#include "memory/extents.h"
#include "memory/graph_pool.h"
#include "runtime_world.h"

namespace xpu::test {
namespace {

using memory::Extents;
using memory::GraphPool;
using memory::PoolCapture;

constexpr size_t kNoRange = SIZE_MAX;

size_t left(const void* address) { return Extents::get().left_at(address).value_or(kNoRange); }

struct Lefts {
  size_t fresh, inside, last, past, freed, reused, kept, unwound, gone;
};

Lefts lives_of_two_captures() {
  Lefts seen = {};
  auto pool = std::make_shared<GraphPool>();
  auto first = must(pool->begin_capture(), "a capture");
  auto* kept = static_cast<char*>(must(first->allocate(device(), 3000, {}), "allocating"));
  seen.fresh = left(kept);
  seen.inside = left(kept + 1000);
  seen.last = left(kept + 2999);
  seen.past = left(kept + 3000);
  must(first->commit().take_status(), "a commit");

  auto second = must(pool->begin_capture(), "another capture");
  (void)second->free(kept, {});
  seen.freed = left(kept);
  void* again = must(second->allocate(device(), 700, {}), "allocating");
  seen.reused = again == kept ? left(again) : kNoRange;
  second->abandon();
  seen.unwound = left(kept);

  second.reset();
  first.reset();
  pool.reset();
  seen.gone = left(kept);
  return seen;
}

void only_what_is_allocated_now_counts(void**) {
  const Lefts seen = lives_of_two_captures();
  assert_int_equal(3000, seen.fresh);
  assert_int_equal(2000, seen.inside);
  assert_int_equal(1, seen.last);
  assert_int_equal(0, seen.past);
  assert_int_equal(0, seen.freed);
  assert_int_equal(700, seen.reused);
}

void a_capture_that_failed_leaves_what_was_there(void**) {
  const Lefts seen = lives_of_two_captures();
  assert_int_equal(3000, seen.unwound);
  assert_int_equal(kNoRange, seen.gone);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_allocated_now_counts),
      cmocka_unit_test(a_capture_that_failed_leaves_what_was_there),
  };
  return finish(XPU_RUN_TESTS(tests));
}
