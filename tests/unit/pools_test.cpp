// SPDX-License-Identifier: Apache-2.0
// All pools together: memory that one gives up for another, each driver call made to fail, memory
// of xpuMalloc that a stream frees.
#include <pthread.h>

#include "pool_world.h"
#include "ze/events.h"
#include "ze/result.h"

namespace xpu::test {
namespace {

using memory::Pools;
using memory::StreamPool;
using runtime::Stream;

Pools& pools() { return Pools::get(); }
StreamPool& make_pool(size_t max_size = 0) {
  return *must(pools().create(device(), max_size), "making a pool");
}
void* get(StreamPool& pool, size_t size, Stream& stream) {
  return must(pools().allocate(pool, size, stream), "allocating");
}
void put(void* address, Stream& stream) { must(pools().free(address, stream), "freeing"); }

void wait_for_all() {
  must(device().synchronize(), "synchronising");
  pools().synchronised();
}

Gate gate;

// Memory for `bytes` more, in a driver that has no more than that.
struct Scarce {
  explicit Scarce(size_t bytes) { budget().limit = driver_bytes() + bytes; }
  ~Scarce() { budget().limit = SIZE_MAX; }
};

struct Outcome {
  xpuError_t code = xpuSuccess;
  size_t left = 0;
  int passed = 0;
};

Outcome take_from_idle_pool() {
  Outcome outcome;
  const size_t start = driver_bytes();
  StreamPool &rich = make_pool(), &poor = make_pool();
  rich.change([](StreamPool::Policy& policy) { policy.release_threshold = UINT64_MAX; });
  Stream& stream = new_stream();
  put(get(rich, 6 * kMiB, stream), stream);
  must(stream.synchronize(), "synchronising");
  {
    Scarce scarce(2 * kMiB);
    Result<void*> got = pools().allocate(poor, 7 * kMiB, stream);
    outcome.code = got.status().code();
    if (got.ok()) put(got.value(), stream);
  }
  must(pools().destroy(rich), "destroying");
  must(pools().destroy(poor), "destroying");
  must(stream.synchronize(), "synchronising");
  pools().synchronised();
  outcome.left = driver_bytes() - start;
  destroy(stream);
  return outcome;
}

void a_pool_without_memory_gets_what_others_do_not_use(void**) {
  const Outcome outcome = take_from_idle_pool();

  assert_int_equal(outcome.code, xpuSuccess);
  assert_int_equal(outcome.left, 0);
}

void* open_late(void*) {
  const timespec pause = {0, 20'000'000};
  nanosleep(&pause, nullptr);
  gate.open = true;
  return nullptr;
}

// The other pool's memory is behind the gate: only the host can wait for it, as it has to go to the
// driver and back.
Outcome take_from_busy_pool() {
  Outcome outcome;
  const size_t start = driver_bytes();
  StreamPool &rich = make_pool(), &poor = make_pool();
  Stream &busy = new_stream(), &stream = new_stream();
  gate.passed = 0;
  gate.hold(busy);
  put(get(rich, 6 * kMiB, busy), busy);
  pthread_t thread;
  pthread_create(&thread, nullptr, open_late, nullptr);
  {
    Scarce scarce(2 * kMiB);
    Result<void*> got = pools().allocate(poor, 7 * kMiB, stream);
    outcome.code = got.status().code();
    outcome.passed = gate.passed;
    if (got.ok()) put(got.value(), stream);
  }
  pthread_join(thread, nullptr);
  must(pools().destroy(rich), "destroying");
  must(pools().destroy(poor), "destroying");
  wait_for_all();
  outcome.left = driver_bytes() - start;
  destroy(busy);
  destroy(stream);
  return outcome;
}

void where_all_memory_is_about_to_be_free_the_host_waits_for_it(void**) {
  const Outcome outcome = take_from_busy_pool();

  assert_int_equal(outcome.code, xpuSuccess);
  assert_int_equal(outcome.passed, 1);
  assert_int_equal(outcome.left, 0);
}

void what_cannot_be_had_is_refused_and_the_pool_works_on(void**) {
  const size_t start = driver_bytes();
  StreamPool& pool = make_pool();
  Stream& stream = new_stream();
  xpuError_t refused, absurd, after;
  {
    Scarce scarce(2 * kMiB);
    refused = pools().allocate(pool, 3 * kMiB, stream).status().code();
    absurd = pools().allocate(pool, SIZE_MAX, stream).status().code();
    Result<void*> got = pools().allocate(pool, kMiB, stream);
    after = got.status().code();
    if (got.ok()) put(got.value(), stream);
  }
  must(pools().destroy(pool), "destroying");
  pools().synchronised();

  assert_int_equal(refused, xpuErrorMemoryAllocation);
  assert_int_equal(absurd, xpuErrorMemoryAllocation);
  assert_int_equal(after, xpuSuccess);
  assert_int_equal(driver_bytes() - start, 0);
  destroy(stream);
}

void a_full_pool_takes_nothing_from_others(void**) {
  StreamPool &other = make_pool(), &full = make_pool(2 * kMiB);
  other.change([](StreamPool::Policy& policy) { policy.release_threshold = UINT64_MAX; });
  Stream& stream = new_stream();
  put(get(other, 6 * kMiB, stream), stream);
  must(stream.synchronize(), "synchronising");
  void* p = get(full, kMiB, stream);

  const xpuError_t code = pools().allocate(full, kMiB + 512, stream).status().code();

  assert_int_equal(code, xpuErrorMemoryAllocation);
  assert_int_equal(other.usage().reserved, 6 * kMiB);
  put(p, stream);
  must(pools().destroy(full), "destroying");
  must(pools().destroy(other), "destroying");
  destroy(stream);
}

// A small program on a pool, which goes on as far as it can.
struct Path {
  Path(Stream& a, Stream& b) : first(a), second(b) {}

  Stream &first, &second;
  StreamPool* pool = nullptr;
  void* held[3] = {};
  Status status;
  bool failed_in_free = false;

  void take(int i, size_t size, Stream& stream) {
    if (!status.ok()) return;
    Result<void*> got = pools().allocate(*pool, size, stream);
    if (got.ok()) {
      held[i] = got.value();
    } else {
      status = got.take_status();
    }
  }
  // A free that failed left everything as it was, and works when it is tried again.
  void drop(int i, Stream& stream) {
    if (!held[i]) return;
    const bool failed_before = recorder().failed >= 0;
    Status freed = pools().free(held[i], stream);
    failed_in_free |= !failed_before && recorder().failed >= 0;
    if (!freed.ok()) {
      must(pools().free(held[i], stream), "freeing again");
      if (status.ok()) status = std::move(freed);
    }
  }
  Status run() {
    pool = must(pools().create(device(), 4 * kMiB), "making a pool");
    take(0, 4096, first);
    take(1, 2 * kMiB, first);
    // Work of the program, so that the frees need marks.
    if (status.ok()) status = runtime::fill(first, {.dst = held[0], .width = 16}, false);
    drop(0, first);
    drop(1, first);
    take(2, 2 * kMiB, second);  // the limit leaves only what the first stream has freed
    drop(2, second);
    if (status.ok()) status = pool->give_back(0, true);
    must(pools().destroy(*pool), "destroying");
    return std::move(status);
  }
};

struct Faults {
  int tried = 0, unnoticed = 0, other_code = 0, leaking = 0, not_retried = 0;
};

// The program with the driver refusing its call `n`.
void fail_one(int n, Faults& faults, Stream& first, Stream& second) {
  const size_t start = driver_bytes();
  recorder().clear();
  recorder().fail_in = n;
  Path path{first, second};
  const Status status = path.run();
  recorder().fail_in = -1;
  const int failed = recorder().failed;
  wait_for_all();
  if (failed < 0) return;
  faults.tried++;
  // For an allocation there are several ways. A free has one; a question can be asked again, and
  // without counter-based events the library looks on its way for events that are free again.
  const Call call = static_cast<Call>(failed);
  const bool asks = !device().ze().features().counter_events || call == Call::EventQueryStatus ||
                    call == Call::EventHostReset || call == Call::CommandListHostSynchronize;
  if (path.failed_in_free && status.ok() && !asks) {
    fprintf(stderr, "ze%s: its failure went unnoticed\n", kCallNames[failed]);
    faults.unnoticed++;
  }
  if (!status.ok() && status.code() != xpuErrorMemoryAllocation) faults.other_code++;
  if (driver_bytes() != start) {
    fprintf(stderr, "ze%s: %ld bytes are left\n", kCallNames[failed],
            static_cast<long>(driver_bytes() - start));
    faults.leaking++;
  }
  if (!Path{first, second}.run().ok()) faults.not_retried++;
  wait_for_all();
}

Faults fail_each_call() {
  Faults faults;
  Stream &first = new_stream(), &second = new_stream();
  must(Path{first, second}.run(), "without a failure");
  wait_for_all();
  for (int n = 0, tried = -1; tried != faults.tried; n++) {
    tried = faults.tried;
    fail_one(n, faults, first, second);
  }
  destroy(first);
  destroy(second);
  return faults;
}

void every_driver_call_may_fail(void**) {
  const Faults faults = fail_each_call();

  assert_true(faults.tried >= 6);
  assert_int_equal(faults.unnoticed, 0);
  assert_int_equal(faults.other_code, 0);
  assert_int_equal(faults.leaking, 0);
  assert_int_equal(faults.not_retried, 0);
}

void memory_of_malloc_goes_when_the_stream_is_past_it(void**) {
  const size_t start = driver_bytes();
  Stream& stream = new_stream();
  gate.hold(stream);
  void* p = must(memory().allocate_device(device(), kMiB), "allocating");

  put(p, stream);
  pools().synchronised();
  const size_t pending = driver_bytes() - start;
  const size_t counted = memory().allocated(0);
  const xpuError_t twice = pools().free(p, stream).code();
  const bool known = memory().find(p).kind != runtime::MemoryKind::unregistered;
  gate.open = true;
  must(stream.synchronize(), "synchronising");
  pools().synchronised();

  assert_int_equal(pending, kMiB);
  assert_int_equal(counted, kMiB);
  assert_int_equal(twice, xpuErrorInvalidValue);
  assert_false(known);
  assert_int_equal(driver_bytes() - start, 0);
  destroy(stream);
}

// An immediate list of the program's own, in order.
ze_command_list_handle_t own_list() {
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = device().ze().engines().compute_ordinal;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  must(ZE_CALL(recorder().real, CommandListCreateImmediate, device().ze().context(),
               device().ze().handle(), &desc, &list),
       "making a list");
  return list;
}

// The library does not see what the program appends; a free comes after it all the same.
void a_free_comes_after_what_the_program_appended_itself(void**) {
  if (!device().ze().features().in_order) return;  // then the program's list has no order either
  const ze::Table& table = recorder().real;
  const ze_command_list_handle_t list = own_list();
  Stream &native = *must(Stream::adopt(device(), list, xpuStreamNonBlocking), "adopting a list"),
         &other = new_stream();
  ze_event_handle_t event = must(device().ze().events().take(), "making an event");
  StreamPool& pool = make_pool();
  void* p = get(pool, 4096, native);
  const uint8_t zero = 0;
  must(ZE_CALL(table, CommandListAppendWaitOnEvents, list, 1, &event), "appending");
  must(ZE_CALL(table, CommandListAppendMemoryFill, list, p, &zero, 1, 4096, nullptr, 0, nullptr),
       "appending");

  put(p, native);
  void* q = get(pool, 4096, other);
  must(ZE_CALL(table, EventHostSignal, event), "signalling");
  must(native.synchronize(), "synchronising");
  put(q, other);

  assert_ptr_not_equal(p, q);
  device().ze().events().give(event);
  must(pools().destroy(pool), "destroying");
  destroy(native);
  destroy(other);
  wait_for_all();
  (void)table.CommandListDestroy(list);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  count_memory();
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_pool_without_memory_gets_what_others_do_not_use),
      cmocka_unit_test(where_all_memory_is_about_to_be_free_the_host_waits_for_it),
      cmocka_unit_test(what_cannot_be_had_is_refused_and_the_pool_works_on),
      cmocka_unit_test(a_full_pool_takes_nothing_from_others),
      cmocka_unit_test(every_driver_call_may_fail),
      cmocka_unit_test(memory_of_malloc_goes_when_the_stream_is_past_it),
      cmocka_unit_test(a_free_comes_after_what_the_program_appended_itself),
  };
  return finish(XPU_RUN_TESTS(tests));
}
