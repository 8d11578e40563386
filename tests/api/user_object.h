// SPDX-License-Identifier: Apache-2.0
// Things of a test that see their end, as user objects.
#pragma once

#include <pthread.h>

#include <atomic>

#include "capturing.h"

namespace xpu::test {

// An object of the program that sees its end.
struct Thing {
  std::atomic<int> ended{0};
  std::atomic<int> may_end{1};
  pthread_t on = {};

  static void end(void* self) {
    Thing* thing = static_cast<Thing*>(self);
    thing->on = pthread_self();
    for (int i = 0; i < 10000 && !thing->may_end; i++) sleep_ms(1);
    thing->ended++;
  }
};
inline xpuUserObject_t object_of(Thing& thing, unsigned references = 1) {
  xpuUserObject_t object = nullptr;
  assert_ok(
      xpuUserObjectCreate(&object, &thing, Thing::end, references, xpuUserObjectNoDestructorSync));
  assert_non_null(object);
  return object;
}
// It ends soon, though nobody calls the library.
inline void require_end(const Thing& thing, int line) {
  for (int i = 0; i < 5000 && !thing.ended; i++) sleep_ms(1);
  if (!thing.ended) print_error("line %d: the object did not end\n", line);
  sleep_ms(2);
  assert_int_equal(1, thing.ended.load());
}
#define assert_ends(thing) xpu::test::require_end(thing, __LINE__)
// Not at once, and not soon either.
inline void assert_lives(const Thing& thing) {
  sleep_ms(5);
  assert_int_equal(0, thing.ended.load());
}

}  // namespace xpu::test
