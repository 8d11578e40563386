// SPDX-License-Identifier: Apache-2.0
// Each driver call on the main paths made to fail in turn: the call says so, leaks nothing, changes
// nothing, and works when it is tried again.
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime_world.h"

namespace xpu::test {
namespace {

using runtime::Event;
using runtime::Module;
using runtime::Stream;

std::vector<char> read_file(const char* path) {
  std::vector<char> bytes;
  FILE* file = path ? std::fopen(path, "rb") : nullptr;
  if (!file) {
    fprintf(stderr, "TEST_KERNELS_SPV must name the SPIR-V of runtime_kernels.cl\n");
    exit(1);
  }
  char part[4096];
  while (const size_t n = std::fread(part, 1, sizeof part, file))
    bytes.insert(bytes.end(), part, part + n);
  std::fclose(file);
  return bytes;
}

struct Balance {
  long lists, modules, kernels, memory;
  uint64_t handles;
  bool operator==(const Balance&) const = default;
};

Balance balance() {
  const Recorder& r = recorder();
  auto net = [&](std::initializer_list<Call> made, Call gone) {
    long n = 0;
    for (const Call call : made) n += static_cast<long>(r.of(call));
    return n - static_cast<long>(r.of(gone));
  };
  return {
      net({Call::CommandListCreate, Call::CommandListCreateImmediate}, Call::CommandListDestroy),
      net({Call::ModuleCreate}, Call::ModuleDestroy),
      net({Call::KernelCreate}, Call::KernelDestroy),
      net({Call::MemAllocDevice, Call::MemAllocHost, Call::MemAllocShared}, Call::MemFree),
      HandleTable::live_count()};
}

// Without counter-based events the library looks on its way for events that are free again. If that
// fails they stay where they are, and the caller, who did not ask for it, gets another. And a build
// that works needs no log.
bool is_housekeeping(Call call) {
  return !device().ze().features().counter_events || call == Call::EventHostReset ||
         call == Call::EventQueryStatus || call == Call::ModuleBuildLogGetString;
}

struct Outcome {
  int calls = 0;        // that could fail
  int silent = 0;       // a failing call that was not reported
  int leaking = 0;      // something was left behind
  int not_retried = 0;  // the same again did not work
};

// `path` does something and undoes it; it must do nothing but return when a step fails.
template <class Path>
Outcome fail_each(Path path) {
  Outcome outcome;
  must(path(), "without a failure");
  for (int n = 0;; n++) {
    must(device().synchronize(), "synchronising");
    recorder().clear();
    const uint64_t handles = HandleTable::live_count();
    recorder().fail_in = n;
    const Status status = path();
    recorder().fail_in = -1;
    const int failed = recorder().failed;
    if (failed < 0) return outcome;
    must(device().synchronize(), "synchronising");  // what was in use goes now
    outcome.calls++;
    // A failed creation was counted as one.
    Balance left = balance();
    const Call call = static_cast<Call>(failed);
    if (call == Call::CommandListCreate || call == Call::CommandListCreateImmediate) left.lists--;
    if (call == Call::ModuleCreate) left.modules--;
    if (call == Call::KernelCreate) left.kernels--;
    if (call == Call::MemAllocDevice || call == Call::MemAllocHost || call == Call::MemAllocShared)
      left.memory--;
    if (call == Call::MemFree) left.memory++;
    if (status.ok() && !is_housekeeping(call)) {
      fprintf(stderr, "call %d, ze%s: its failure went unnoticed\n", n, kCallNames[failed]);
      outcome.silent++;
    }
    const Balance none = {0, 0, 0, 0, handles};
    if (!(left == none)) {
      fprintf(stderr,
              "call %d, ze%s: left %ld lists, %ld modules, %ld kernels, %ld memory, %ld handles\n",
              n, kCallNames[failed], left.lists, left.modules, left.kernels, left.memory,
              static_cast<long>(left.handles - handles));
      outcome.leaking++;
    }
    if (!path().ok()) outcome.not_retried++;
  }
}

void check(const Outcome& outcome, int least_calls) {
  assert_true(outcome.calls >= least_calls);
  assert_int_equal(outcome.silent, 0);
  assert_int_equal(outcome.leaking, 0);
  assert_int_equal(outcome.not_retried, 0);
}

// Undone when the path returns early.
struct StreamHere {
  Stream* stream;
  ~StreamHere() { destroy(*stream); }
};
struct EventHere {
  Event* event;
  ~EventHere() { destroy(*event); }
};

void streams(void**) {
  const Outcome outcome = fail_each([]() -> Status {
    XPU_TRY_ASSIGN(Stream * s, Stream::create(device(), xpuStreamNonBlocking, 0));
    StreamHere here{s};
    return s->synchronize();
  });

  check(outcome, 1);
}

void work_and_waits(void**) {
  uint32_t* words = managed<uint32_t>(64);
  Stream& s = new_stream();
  const Outcome outcome = fail_each([&]() -> Status {
    ze::Fill fill;
    fill.dst = words;
    fill.value = 1;
    fill.element_size = 4;
    fill.width = 2;
    fill.height = 6;
    fill.pitch = 16;
    XPU_TRY(runtime::fill(s, fill, false));
    XPU_TRY(runtime::copy(
        s,
        {.dst = words + 32, .src = words, .width = 4, .height = 3, .dst_pitch = 8, .src_pitch = 8},
        xpuMemcpyDeviceToDevice, false));
    XPU_TRY(runtime::host_function(
        s, [](void*) {}, nullptr));
    return s.synchronize();
  });

  check(outcome, 4);
  destroy(s);
  free_managed(words);
}

void events(void**) {
  Stream& a = new_stream();
  Stream& b = new_stream();
  const Outcome outcome = fail_each([&]() -> Status {
    XPU_TRY_ASSIGN(Event * start, Event::create(device(), xpuEventDefault));
    EventHere first{start};
    XPU_TRY_ASSIGN(Event * end, Event::create(device(), xpuEventDisableTiming));
    EventHere second{end};
    XPU_TRY(start->record(a));
    XPU_TRY(start->wait(b));
    XPU_TRY(end->record(b));
    XPU_TRY(end->synchronize());
    XPU_TRY(start->query());
    return start->synchronize();
  });

  check(outcome, 5);
  destroy(a);
  destroy(b);
}

void default_stream_order(void**) {
  Stream& blocking = new_stream(xpuStreamDefault);
  Stream& legacy = *must(device().legacy_stream(), "the legacy stream");
  uint32_t* words = managed<uint32_t>(4);
  const Outcome outcome = fail_each([&]() -> Status {
    const ze::Copy copy = {.dst = words + 1, .src = words, .width = 4};
    XPU_TRY(runtime::copy(blocking, copy, xpuMemcpyDefault, false));
    XPU_TRY(runtime::copy(legacy, copy, xpuMemcpyDefault, false));
    XPU_TRY(runtime::copy(blocking, copy, xpuMemcpyDefault, false));
    return blocking.synchronize();
  });

  check(outcome, 4);
  destroy(blocking);
  free_managed(words);
}

void allocations(void**) {
  const Outcome outcome = fail_each([]() -> Status {
    XPU_TRY_ASSIGN(void* d, memory().allocate_device(device(), 64));
    Status status = memory().free(d);
    // Free says why it could not, and the memory is still ours or gone for good.
    if (!status.ok()) (void)memory().free(d);
    return status;
  });

  check(outcome, 2);
}

void modules_and_launches(void**) {
  static const auto* const image =
      new std::vector<char>(read_file(std::getenv("TEST_KERNELS_SPV")));
  uint32_t* words = managed<uint32_t>(4);
  Stream& s = new_stream();
  const Outcome outcome = fail_each([&]() -> Status {
    runtime::ModuleSource source;
    source.image = image->data();
    source.size = image->size();
    XPU_TRY_ASSIGN(Module * module, Module::load(device(), source, nullptr));
    struct Here {
      Module* module;
      ~Here() { (void)Module::unload(module->handle()); }
    } here{module};
    XPU_TRY_ASSIGN(runtime::Kernel * add, module->kernel("add"));
    uint32_t value = 1;
    void* args[] = {&words, &value};
    XPU_TRY(runtime::launch(s, *add, {1, 1, 1}, {4, 1, 1}, args, 0));
    return s.synchronize();
  });

  check(outcome, 7);
  destroy(s);
  free_managed(words);
}

}  // namespace
}  // namespace xpu::test

int main() {
  using namespace xpu::test;
  const CMUnitTest tests[] = {
      cmocka_unit_test(streams),     cmocka_unit_test(work_and_waits),
      cmocka_unit_test(events),      cmocka_unit_test(default_stream_order),
      cmocka_unit_test(allocations), cmocka_unit_test(modules_and_launches),
  };
  return finish(XPU_RUN_TESTS(tests));
}
