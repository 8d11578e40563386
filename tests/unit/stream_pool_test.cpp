// SPDX-License-Identifier: Apache-2.0
// A pool: who may have what another has freed, what it takes from the driver and gives back.
#include "pool_world.h"
#include "random_dag.h"

namespace xpu::test {
namespace {

using memory::StreamPool;
using runtime::Event;
using runtime::Stream;

// Two streams, the first of which is held back until let_go().
struct Held {
  PoolHere pool;
  Stream& first;
  Stream& second;
};
Gate gate;

Held held(size_t max_size = 0) {
  Held h = {new_pool(max_size), new_stream(), new_stream()};
  gate.hold(h.first);
  return h;
}
void let_go(Held& h) {
  gate.open = true;
  must(h.first.synchronize(), "synchronising");
  must(h.second.synchronize(), "synchronising");
}
void end(Held& h) {
  gate.open = true;
  must(device().synchronize(), "synchronising");
  test::end(h.pool);
  destroy(h.first);
  destroy(h.second);
}
void set(PoolHere pool, bool StreamPool::Policy::*which, bool to) {
  pool->change([&](StreamPool::Policy& policy) { policy.*which = to; });
}

// Freed in the first stream, behind the gate.
void* freed_behind_gate(Held& h, size_t size = 4096) {
  void* p = allocate(h.pool, size, h.first);
  free(h.pool, p, h.first);
  return p;
}

void a_stream_has_at_once_what_it_freed(void**) {
  Held h = held();
  const size_t before = recorder().of(Call::MemAllocDevice);

  void* first = freed_behind_gate(h);
  void* second = allocate(h.pool, 4096, h.first);

  assert_ptr_equal(first, second);
  assert_int_equal(recorder().of(Call::MemAllocDevice) - before, 1);
  end(h);
}

void another_stream_does_not_have_what_may_be_in_use(void**) {
  Held h = held();

  void* first = freed_behind_gate(h);
  void* second = allocate(h.pool, 4096, h.second);

  assert_ptr_not_equal(first, second);
  end(h);
}

// An event's wait tells the library nothing about the stream: it has to ask.
void finish_unseen(Held& h) {
  Event& event = new_event();
  must(event.record(h.first), "recording");
  gate.open = true;
  must(event.synchronize(), "waiting");
  destroy(event);
}

void another_stream_has_what_is_seen_to_be_over(void**) {
  Held h = held();
  void* first = freed_behind_gate(h);
  finish_unseen(h);

  void* second = allocate(h.pool, 4096, h.second);

  assert_ptr_equal(first, second);
  end(h);
}

void without_opportunity_it_takes_a_wait_of_the_program(void**) {
  Held h = held();
  set(h.pool, &StreamPool::Policy::opportunistic, false);
  h.pool->change([](StreamPool::Policy& policy) { policy.release_threshold = kMiB * 64; });
  void* first = freed_behind_gate(h);
  finish_unseen(h);

  void* second = allocate(h.pool, 4096, h.second);
  h.pool->give_back_surplus();
  void* third = allocate(h.pool, 4096, h.second);

  assert_ptr_not_equal(first, second);
  assert_ptr_equal(first, third);
  end(h);
}

void a_stream_behind_the_free_by_an_event_has_the_memory(void**) {
  Held h = held();
  set(h.pool, &StreamPool::Policy::opportunistic, false);
  Stream& third = new_stream();
  Event& event = new_event();
  void* p = freed_behind_gate(h);
  must(event.record(h.first), "recording");
  must(event.wait(third), "waiting");
  must(event.record(third), "recording");
  must(event.wait(h.second), "waiting");

  void* q = allocate(h.pool, 4096, h.second);

  assert_ptr_equal(p, q);
  end(h);
  destroy(third);
  destroy(event);
}

void an_event_of_before_the_free_is_no_order(void**) {
  Held h = held();
  Event& event = new_event();
  void* p = allocate(h.pool, 4096, h.first);
  must(event.record(h.first), "recording");
  fill_words(h.first, static_cast<uint32_t*>(p), 1, 4);
  free(h.pool, p, h.first);
  must(event.wait(h.second), "waiting");

  void* q = allocate(h.pool, 4096, h.second);

  assert_ptr_not_equal(p, q);
  end(h);
  destroy(event);
}

void events_are_not_followed_if_that_is_switched_off(void**) {
  Held h = held();
  set(h.pool, &StreamPool::Policy::follow_events, false);
  Event& event = new_event();
  void* p = freed_behind_gate(h);
  must(event.record(h.first), "recording");
  must(event.wait(h.second), "waiting");

  void* q = allocate(h.pool, 4096, h.second);

  assert_ptr_not_equal(p, q);
  end(h);
  destroy(event);
}

std::atomic<int> passed_before{-1};
void note_passed(void*) { passed_before = gate.passed.load(); }

void a_full_pool_makes_the_stream_wait_and_not_the_host(void**) {
  Held h = held(2 * kMiB);
  gate.passed = 0;
  void* p = freed_behind_gate(h, kMiB + kMiB / 2);

  void* q = must(h.pool->allocate(kMiB + kMiB / 2, h.second, true), "allocating");
  const int passed_on_return = gate.passed;
  must(runtime::host_function(h.second, note_passed, nullptr), "noting");
  let_go(h);

  assert_ptr_equal(p, q);
  assert_int_equal(passed_on_return, 0);
  assert_int_equal(passed_before.load(), 1);
  end(h);
}

void a_full_pool_refuses_where_no_stream_may_be_made_to_wait(void**) {
  Held h = held(2 * kMiB);
  set(h.pool, &StreamPool::Policy::add_dependencies, false);
  (void)freed_behind_gate(h, kMiB + kMiB / 2);

  const xpuError_t full = h.pool->allocate(kMiB + kMiB / 2, h.second, true).status().code();
  const xpuError_t small = h.pool->allocate(kMiB / 4, h.second, true).status().code();

  assert_int_equal(full, xpuErrorMemoryAllocation);
  // What the limit leaves beside the large block is given out.
  assert_int_equal(small, xpuSuccess);
  end(h);
}

void neighbours_that_a_stream_may_have_become_one(void**) {
  Held h = held();
  char* quarter[4];
  for (char*& p : quarter) p = static_cast<char*>(allocate(h.pool, kMiB / 2, h.first));
  const size_t before = recorder().of(Call::MemAllocDevice);
  // In an order in which no two neighbours are freed together, with work in between.
  for (const int i : {1, 3, 0, 2}) {
    free(h.pool, quarter[i], h.first);
    fill_words(h.first, reinterpret_cast<uint32_t*>(quarter[2]), 1, 1);
  }

  auto* low = static_cast<char*>(allocate(h.pool, kMiB, h.first));
  auto* high = static_cast<char*>(allocate(h.pool, kMiB, h.first));

  assert_int_equal(recorder().of(Call::MemAllocDevice), before);
  assert_true(low == quarter[0] && high == quarter[2]);
  end(h);
}

void pieces_freed_in_different_streams_are_joined_for_one_that_may_have_both(void**) {
  Held h = held();
  void* a = allocate(h.pool, kMiB, h.first);
  void* b = allocate(h.pool, kMiB / 2, h.first);
  void* c = allocate(h.pool, kMiB / 2, h.first);
  gate.open = true;
  must(h.first.synchronize(), "synchronising");
  gate.hold(h.first);
  gate.hold(h.second);
  Event& event = new_event();
  free(h.pool, b, h.first);
  free(h.pool, c, h.second);
  must(event.record(h.first), "recording");
  must(event.wait(h.second), "waiting");

  void* joined = allocate(h.pool, kMiB, h.second);

  assert_ptr_equal(joined, b);
  assert_true(joined != a);
  end(h);
  destroy(event);
}

void sizes_are_rounded_and_addresses_aligned(void**) {
  Held h = held();
  size_t misaligned = 0;
  for (const size_t size : {size_t{1}, size_t{513}, kMiB + 1, 3 * kMiB})
    misaligned += reinterpret_cast<uintptr_t>(allocate(h.pool, size, h.first)) % 512;

  assert_int_equal(misaligned, 0);
  assert_int_equal(h.pool->usage().used, 512 + 1024 + kMiB + 512 + 3 * kMiB);
  end(h);
}

void each_allocation_is_known_by_itself(void**) {
  Held h = held();
  auto* p = static_cast<char*>(allocate(h.pool, 1000, h.first));
  auto* q = static_cast<char*>(allocate(h.pool, 1000, h.first));

  const runtime::Allocation inside = memory().find(p + 1000);
  const runtime::Allocation other = memory().find(q);
  free(h.pool, q, h.first);
  const runtime::Allocation gone = memory().find(q);

  assert_true(inside.base == p && inside.size == 1024 && !inside.ours);
  assert_true(other.base == q && other.kind == runtime::MemoryKind::device);
  assert_true(gone.kind == runtime::MemoryKind::unregistered);
  end(h);
}

void what_is_not_used_goes_back_beyond_the_threshold(void**) {
  const size_t start = driver_bytes();
  Held h = held();
  void* p = allocate(h.pool, 3 * kMiB, h.second);
  void* q = allocate(h.pool, 5 * kMiB, h.second);
  h.pool->change([](StreamPool::Policy& policy) { policy.release_threshold = 5 * kMiB; });
  free(h.pool, p, h.second);
  free(h.pool, q, h.second);
  must(h.second.synchronize(), "synchronising");

  h.pool->give_back_surplus();
  const size_t kept = driver_bytes() - start;
  h.pool->change([](StreamPool::Policy& policy) { policy.release_threshold = 0; });
  h.pool->give_back_surplus();

  assert_true(kept == 3 * kMiB || kept == 5 * kMiB);
  assert_int_equal(driver_bytes() - start, 0);
  assert_int_equal(h.pool->usage().reserved, 0);
  assert_int_equal(h.pool->usage().reserved_high, 8 * kMiB);
  end(h);
}

void trimming_does_not_wait_and_leaves_what_is_asked_for(void**) {
  const size_t start = driver_bytes();
  Held h = held();
  (void)freed_behind_gate(h, 3 * kMiB);
  void* p = allocate(h.pool, 5 * kMiB, h.second);
  free(h.pool, p, h.second);
  must(h.second.synchronize(), "synchronising");

  must(h.pool->give_back(4 * kMiB, true), "trimming");
  const size_t both = driver_bytes() - start;
  must(h.pool->give_back(3 * kMiB, true), "trimming");
  must(h.pool->give_back(0, true), "trimming");
  const size_t pending = driver_bytes() - start;
  let_go(h);
  must(h.pool->give_back(0, true), "trimming");

  assert_int_equal(both, 8 * kMiB);
  assert_int_equal(pending, 3 * kMiB);
  assert_int_equal(driver_bytes() - start, 0);
  end(h);
}

struct Account {
  int wrong_reserved = 0, wrong_used = 0, overlaps = 0;
  size_t left = 0;
};

struct Live {
  size_t size;
  Stream* stream;
};

// Random requests of two streams; the driver's own numbers are the reference.
Account keep_accounts(uint64_t seed) {
  Account account;
  Random random(seed);
  const size_t start = driver_bytes();
  PoolHere pool = new_pool();
  Stream* streams[] = {&new_stream(), &new_stream()};
  std::map<char*, Live> live;
  size_t used = 0;
  for (int i = 0; i < 600; i++) {
    if (live.size() > 40 || (!live.empty() && random.one_in(2))) {
      const auto victim = std::next(live.begin(), random.below(static_cast<uint32_t>(live.size())));
      free(pool, victim->first, *victim->second.stream);
      used -= (victim->second.size + 511) / 512 * 512;
      live.erase(victim);
    } else {
      Stream& stream = *streams[random.below(2)];
      const size_t size = 1 + random.below(random.one_in(8) ? 3 * kMiB : 200 * kKiB);
      auto* p = static_cast<char*>(allocate(pool, size, stream));
      fill_words(stream, reinterpret_cast<uint32_t*>(p), 1, 1);
      const auto after = live.lower_bound(p);
      if (after != live.end() && p + size > after->first) account.overlaps++;
      if (after != live.begin() && std::prev(after)->first + std::prev(after)->second.size > p)
        account.overlaps++;
      live[p] = {size, &stream};
      used += (size + 511) / 512 * 512;
    }
    if (random.one_in(20)) pool->give_back_surplus();
    if (pool->usage().reserved != driver_bytes() - start) account.wrong_reserved++;
    if (pool->usage().used != used) account.wrong_used++;
  }
  for (const auto& [p, what] : live) free(pool, p, *what.stream);
  for (Stream* stream : streams) must(stream->synchronize(), "synchronising");
  pool->give_back_surplus();
  account.left = driver_bytes() - start;
  test::end(pool);
  for (Stream* stream : streams) destroy(*stream);
  return account;
}

void the_numbers_are_those_of_the_driver(void**) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const Account account = keep_accounts(seed);

    assert_int_equal(account.wrong_reserved, 0);
    assert_int_equal(account.wrong_used, 0);
    assert_int_equal(account.overlaps, 0);
    assert_int_equal(account.left, 0);
  }
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  count_memory();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_stream_has_at_once_what_it_freed),
      cmocka_unit_test(another_stream_does_not_have_what_may_be_in_use),
      cmocka_unit_test(another_stream_has_what_is_seen_to_be_over),
      cmocka_unit_test(without_opportunity_it_takes_a_wait_of_the_program),
      cmocka_unit_test(a_stream_behind_the_free_by_an_event_has_the_memory),
      cmocka_unit_test(an_event_of_before_the_free_is_no_order),
      cmocka_unit_test(events_are_not_followed_if_that_is_switched_off),
      cmocka_unit_test(a_full_pool_makes_the_stream_wait_and_not_the_host),
      cmocka_unit_test(a_full_pool_refuses_where_no_stream_may_be_made_to_wait),
      cmocka_unit_test(neighbours_that_a_stream_may_have_become_one),
      cmocka_unit_test(pieces_freed_in_different_streams_are_joined_for_one_that_may_have_both),
      cmocka_unit_test(sizes_are_rounded_and_addresses_aligned),
      cmocka_unit_test(each_allocation_is_known_by_itself),
      cmocka_unit_test(what_is_not_used_goes_back_beyond_the_threshold),
      cmocka_unit_test(trimming_does_not_wait_and_leaves_what_is_asked_for),
      cmocka_unit_test(the_numbers_are_those_of_the_driver),
  };
  return finish(XPU_RUN_TESTS(tests));
}
