// SPDX-License-Identifier: Apache-2.0
// Runs host work on the driver's threads, and keeps its first failure.
#include "work.h"

#include <atomic>
#include <mutex>
#include <string>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include <xpugraph/memory.h>

#include "recording.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

struct FirstFailure {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> there = false;
};

FirstFailure& first_failure() {
  static auto* failure = new FirstFailure;
  return *failure;
}

void note_failure(const char* name, const char* what) noexcept {
  FirstFailure& failure = first_failure();
  std::lock_guard lock(failure.mutex);
  if (failure.there) return;
  failure.text = std::string(name) + ": " + what;
  failure.there = true;
}

/// Whether index_fault() has been used, so that a wait alone needs no memory.
std::atomic<bool> may_fault = false;

/// A kernel's warnings would come at each replay, in a thread that Python's filters do not reach.
class Silent final : public c10::WarningHandler {
 public:
  void process(const c10::Warning&) override {}
};

// An exception that left this function would end the process: a driver thread has nobody above it.
void run_guarded(Work& work) noexcept {
  static Silent silent;
  c10::WarningUtils::WarningHandlerGuard no_warnings(&silent);
  try {
    at::NoGradGuard no_grad;
    at::AutoDispatchBelowAutograd below_autograd;
    work.run();
  } catch (const c10::Error& error) {
    note_failure(work.name(), error.what_without_backtrace());
  } catch (const std::exception& error) {
    note_failure(work.name(), error.what());
  } catch (...) {
    note_failure(work.name(), "unknown exception");
  }
}

void run_once(void* work) {
  std::unique_ptr<Work> owned(static_cast<Work*>(work));
  run_guarded(*owned);
}

void run_sequence(void* sequence) {
  for (const auto& work : *static_cast<WorkSequence*>(sequence)) run_guarded(*work);
}

}  // namespace

void enqueue(std::unique_ptr<Work> work, c10::Stream stream) {
  if (std::shared_ptr<Recording> recording = recording_of(stream)) {
    if (recording->add_behind(work, stream)) return;
    auto sequence = std::make_unique<WorkSequence>();
    sequence->add(std::move(work));
    check(xpuLaunchHostFunc(native(stream), run_sequence, sequence.get()));
    recording->keep(std::move(sequence), stream);
    return;
  }
  check(xpuLaunchHostFunc(native(stream), run_once, work.get()));
  work.release();
}

int* index_fault() {
  static int* const fault = [] {
    void* memory = nullptr;
    check(xpuMallocHost(&memory, sizeof(int)));
    may_fault = true;
    return new (memory) int(0);
  }();
  return fault;
}

void throw_failure() {
  if (may_fault && std::atomic_ref<int>(*index_fault()).exchange(0) != 0)
    note_failure("a kernel that goes by indices", "an index is out of range");
  FirstFailure& failure = first_failure();
  if (!failure.there) return;
  std::string text;
  {
    std::lock_guard lock(failure.mutex);
    text.swap(failure.text);
    failure.there = false;
  }
  TORCH_CHECK(false, "an operation failed while it ran: ", text);
}

}  // namespace xpugraph_torch
