// SPDX-License-Identifier: Apache-2.0
// Every driver call that graph memory and private pools make fails once, for want of memory: the
// answer says so, nothing leaks, and the same graph or pool works afterwards.
#include <malloc.h>

#include <vector>

#include "exec_world.h"
#include "memory/exec_memory.h"
#include "memory/graph_memory.h"
#include "memory/graph_pool.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// What was made and not given back, by pairs of driver calls; a call that failed made nothing. But
// a mapping may be left behind by a call that failed (ze/address_range.cpp): it is undone all the
// same.
struct Balance {
  int64_t addresses = 0, physical = 0, mapped = 0, blocks = 0;
  friend bool operator==(const Balance&, const Balance&) = default;
  void add_recorded() {
    addresses += made(Call::VirtualMemReserve) - made(Call::VirtualMemFree);
    physical += made(Call::PhysicalMemCreate) - made(Call::PhysicalMemDestroy);
    mapped +=
        static_cast<int64_t>(recorder().of(Call::VirtualMemMap)) - made(Call::VirtualMemUnmap);
    blocks += made(Call::MemAllocDevice) + made(Call::MemAllocShared) - made(Call::MemFree);
    recorder().clear();
  }

 private:
  static int64_t made(Call call) {
    return static_cast<int64_t>(recorder().of(call)) -
           (recorder().failed == static_cast<int>(call) ? 1 : 0);
  }
};

// A graph that allocates, copies through the memory and frees it, or keeps it.
struct Work {
  uint32_t* cells = managed<uint32_t>(4);
  std::shared_ptr<graph::Graph> graph = graph::Graph::make();
  Work() { cells[0] = 77; }
  ~Work() {
    graph.reset();
    free_managed(cells);
  }
  static Result<graph::Node*> alloc(graph::Graph& graph, size_t bytes) {
    XPU_TRY_ASSIGN(graph::ParamsRef params, graph::AllocParams::make(0, bytes, {}));
    return memory::add_alloc(graph, std::move(params), device(), {});
  }
  graph::Node* copy(void* to, const void* from, graph::Node* after) {
    return must(
        graph->add(must(graph::CopyParams::make_linear(to, from, 4, xpuMemcpyDefault), "a copy"),
                   {&after, 1}),
        "a node");
  }
  void* fill(size_t bytes, bool frees) {
    graph::Node* node = must(alloc(*graph, bytes), "an allocation");
    void* at = node->as<graph::AllocParams>()->address();
    node = copy(cells + 1, at, copy(at, cells, node));
    if (frees) must(memory::add_free(*graph, at, {&node, 1}), "a free");
    return at;
  }
};

Result<std::unique_ptr<exec::Exec>> instantiate(const graph::Graph& graph) {
  XPU_TRY_ASSIGN(std::shared_ptr<memory::ExecMemory> hook,
                 memory::ExecMemory::claim(
                     graph, {.auto_free_on_launch = true, .auto_free_on_destroy = true}));
  return exec::Exec::instantiate(graph, device(), 0, std::move(hook));
}

struct Faults {
  int tried = 0;
  int silent = 0;       // the call succeeded although a driver call failed
  int other_codes = 0;  // than xpuErrorMemoryAllocation
  int mute = 0;         // without a sentence
  int half_changed = 0;
  int wrong_afterwards = 0;
  int leaked = 0;
  // Looks at an answer; false: no call was left to fail.
  bool note(const Status& status) {
    if (recorder().failed < 0) return false;
    tried++;
    // Without an answer the sizes of pages are taken that are known.
    silent += status.ok() && recorder().failed != static_cast<int>(Call::VirtualMemQueryPageSize);
    other_codes += !status.ok() && status.code() != xpuErrorMemoryAllocation;
    mute += !status.ok() && status.sentence().size() < 8;
    return true;
  }
};

memory::Usage usage() {
  const std::lock_guard hold(memory::Ledger::get().mutex);
  return memory::Ledger::get().usage(0);
}

Faults add_with_faults() {
  Faults faults;
  (void)device().can_map();
  recorder().clear();
  for (int n = 0; n < 100; n++) {
    Balance balance;
    const uint64_t handles = HandleTable::live_count();
    bool more = false;
    {
      const std::shared_ptr<graph::Graph> graph = graph::Graph::make();
      recorder().fail_in = n;
      Status status = Work::alloc(*graph, 4096).take_status();
      recorder().fail_in = -1;
      more = faults.note(status);
      balance.add_recorded();
      if (!status.ok()) {
        faults.half_changed += graph->size() != 0;
        faults.wrong_afterwards += !Work::alloc(*graph, 4096).ok() || graph->size() != 1;
      }
    }
    must(device().synchronize(), "synchronising");
    balance.add_recorded();
    faults.leaked += balance != Balance() || HandleTable::live_count() != handles;
    if (!more) break;
  }
  return faults;
}

// With several ranges, what the first ones got goes back if a later one gets nothing.
Faults instantiate_with_faults(bool several_ranges) {
  Faults faults;
  runtime::Stream& stream = new_stream();
  {
    Work work;
    (void)work.fill(5 << 20, true);
    for (int i = 0; several_ranges && i < 3; i++)
      must(Work::alloc(*work.graph, size_t{400} << 20), "an allocation");
    const memory::Usage before = usage();
    for (int n = 0; n < 1000; n++) {
      recorder().clear();
      recorder().fail_in = n;
      auto exec = instantiate(*work.graph);
      recorder().fail_in = -1;
      const bool more = faults.note(exec.status());
      Balance balance;
      balance.add_recorded();
      if (!exec.ok()) {
        faults.half_changed += usage().used != before.used || usage().reserved != before.reserved;
        faults.leaked += balance != Balance();
      }
      if (!more) break;
    }
    auto exec = must(instantiate(*work.graph), "instantiating");
    must(exec->launch(stream), "launching");
    must(stream.synchronize(), "waiting");
    faults.wrong_afterwards += work.cells[1] != 77;
  }
  faults.half_changed += usage().reserved != 0;
  destroy(stream);
  return faults;
}

// The launch after a trim gives the memory back and makes the lists again.
Faults relaunch_with_faults() {
  Faults faults;
  runtime::Stream& stream = new_stream();
  Work work;
  (void)work.fill(5 << 20, false);
  auto exec = must(instantiate(*work.graph), "instantiating");
  for (int n = 0; n < 1000; n++) {
    must(exec->launch(stream), "launching");
    must(stream.synchronize(), "waiting");
    {
      // Freed, so that it can be trimmed.
      const auto* alloc = work.graph->nodes().front()->as<graph::AllocParams>();
      (void)must(memory::free_from_outside(alloc->address()), "freeing");
    }
    memory::trim(device());
    work.cells[1] = 0;
    recorder().clear();
    recorder().fail_in = n;
    const Status status = exec->launch(stream);
    recorder().fail_in = -1;
    const bool more = faults.note(status);
    if (status.ok()) {
      must(stream.synchronize(), "waiting");
      const auto* alloc = work.graph->nodes().front()->as<graph::AllocParams>();
      (void)memory::free_from_outside(alloc->address());
    } else {
      // It may have been launched in part only if it says so; then it is made again.
      must(stream.synchronize(), "waiting");
      if (Status again = exec->launch(stream); !again.ok()) {
        exec.reset();
        exec = must(instantiate(*work.graph), "instantiating again");
        must(exec->launch(stream), "launching");
      }
      must(stream.synchronize(), "waiting");
      faults.wrong_afterwards += work.cells[1] != 77;
      const auto* alloc = work.graph->nodes().front()->as<graph::AllocParams>();
      (void)memory::free_from_outside(alloc->address());
    }
    if (!more) break;
  }
  exec.reset();
  destroy(stream);
  return faults;
}

struct PoolFigures {
  size_t live = 0, peak = 0, reserved = 0;
  friend bool operator==(const PoolFigures&, const PoolFigures&) = default;
};
PoolFigures figures(const memory::GraphPool& pool) {
  const memory::GraphPool::Footprint f = pool.footprint();
  return {f.live, f.peak, f.reserved};
}

// One capture as the capture floor does it: allocations at no node, then the end.
Status capture(memory::GraphPool& pool, size_t bytes, std::shared_ptr<void>* holder) {
  XPU_TRY_ASSIGN(std::shared_ptr<memory::PoolCapture> session, pool.begin_capture());
  for (int i = 0; i < 3; i++) XPU_TRY(session->allocate(device(), bytes, {}).take_status());
  XPU_TRY_ASSIGN(*holder, session->commit());
  return {};
}

Faults pool_with_faults() {
  Faults faults;
  for (int n = 0; n < 1000; n++) {
    Balance balance;
    recorder().clear();
    bool more = false;
    {
      const auto pool = std::make_shared<memory::GraphPool>();
      std::shared_ptr<void> first, second;
      must(capture(*pool, 4096, &first), "a capture");
      const PoolFigures before = figures(*pool);
      balance.add_recorded();
      recorder().fail_in = n;
      const Status status = capture(*pool, size_t{400} << 20, &second);  // of a range of its own
      recorder().fail_in = -1;
      more = faults.note(status);
      balance.add_recorded();
      if (!status.ok()) {
        faults.half_changed += figures(*pool) != before;
        faults.wrong_afterwards += !capture(*pool, 4096, &second).ok();
      }
    }
    must(device().synchronize(), "synchronising");
    balance.add_recorded();
    faults.leaked += balance != Balance();
    if (!more) break;
  }
  return faults;
}

void assert_clean(const Faults& faults, int least) {
  assert_true(faults.tried >= least);
  assert_int_equal(faults.silent, 0);
  assert_int_equal(faults.other_codes, 0);
  assert_int_equal(faults.mute, 0);
  assert_int_equal(faults.half_changed, 0);
  assert_int_equal(faults.wrong_afterwards, 0);
  assert_int_equal(faults.leaked, 0);
}

void an_allocation_node_fails_cleanly(void**) { assert_clean(add_with_faults(), 1); }
void instantiation_fails_cleanly(void**) {
  assert_clean(instantiate_with_faults(false), device().can_map() ? 4 : 1);
  assert_clean(instantiate_with_faults(true), device().can_map() ? 8 : 1);
}
void a_launch_that_needs_memory_again_fails_cleanly(void**) {
  assert_clean(relaunch_with_faults(), device().can_map() ? 4 : 1);
}
void a_captures_end_fails_cleanly(void**) { assert_clean(pool_with_faults(), 1); }

// Bytes of the host's that a pool gains with every capture, once it is warm.
size_t growth_of_pool() {
  const auto pool = std::make_shared<memory::GraphPool>();
  std::shared_ptr<void> holder;
  size_t before = 0;
  for (int i = 0; i < 3000; i++) {
    if (i == 1000) before = mallinfo2().uordblks;
    const auto session = must(pool->begin_capture(), "a capture");
    void* at[4];
    for (void*& each : at) each = must(session->allocate(device(), 4096, {}), "an allocation");
    for (void* each : at) (void)session->free(each, {});
    holder = must(session->commit(), "the end");
  }
  const size_t after = mallinfo2().uordblks;
  return after > before ? after - before : 0;
}

void a_pool_does_not_grow_with_its_captures(void**) { assert_true(growth_of_pool() < 4096); }

// Lists of a graph that frees another one's memory name memory that is replaced by a trim.
struct Replaced {
  uint64_t without = 99, with = 0;
  uint32_t value = 0;
};
Replaced replace() {
  Replaced replaced;
  runtime::Stream& stream = new_stream();
  {
    Work owner, reader;
    void* const at = owner.fill(4096, false);
    graph::Node* read = must(
        reader.graph->add(
            must(graph::CopyParams::make_linear(reader.cells, at, 4, xpuMemcpyDefault), "a copy"),
            {}),
        "a node");
    must(memory::add_free(*reader.graph, at, {&read, 1}), "a free");
    auto owning = must(instantiate(*owner.graph), "instantiating");
    auto reading = must(instantiate(*reader.graph), "instantiating");
    const auto launch_both = [&] {
      must(owning->launch(stream), "launching");
      recorder().clear();
      must(reading->launch(stream), "launching");
      const uint64_t appended = recorder().of(Call::CommandListAppendMemoryCopy);
      must(stream.synchronize(), "waiting");
      return appended;
    };
    (void)launch_both();
    replaced.without = launch_both();
    memory::trim(device());
    reader.cells[0] = 0;
    replaced.with = launch_both();
    replaced.value = reader.cells[0];
  }
  destroy(stream);
  return replaced;
}

void lists_that_name_replaced_memory_are_made_again(void**) {
  const Replaced replaced = replace();

  assert_int_equal(replaced.without, 0);
  if (device().can_map()) assert_true(replaced.with > 0);
  assert_int_equal(replaced.value, 77);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_allocation_node_fails_cleanly),
      cmocka_unit_test(instantiation_fails_cleanly),
      cmocka_unit_test(a_launch_that_needs_memory_again_fails_cleanly),
      cmocka_unit_test(a_captures_end_fails_cleanly),
      cmocka_unit_test(a_pool_does_not_grow_with_its_captures),
      cmocka_unit_test(lists_that_name_replaced_memory_are_made_again),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
