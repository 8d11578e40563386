// SPDX-License-Identifier: Apache-2.0
// What all appends have in common: the list, its events, and the memory a command touches.
#include "cpu/append.h"

#include "cpu/memory.h"
#include "cpu/strict.h"

namespace xpu::cpu {

Append::Append(const char* function, ze_command_list_handle_t list, ze_event_handle_t signal,
               uint32_t wait_count, ze_event_handle_t* waits)
    : function_(function), list_(share<List>(list)) {
  if (!list_) {
    result_ = misuse(function, refused(list), "the list is ", Handles::describe(list));
    return;
  }
  lock_ = std::unique_lock(list_->mutex());
  if (list_->closed() || list_->updated()) {
    result_ = misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(list),
                     " is closed; reset it before appending");
    return;
  }
  submission_ = std::make_unique<Submission>();
  submission_->head.function = function;
  if (signal) {
    signal_ = share<Event>(signal);
    if (!signal_) {
      result_ =
          misuse(function, refused(signal), "the signal event is ", Handles::describe(signal));
      return;
    }
    refuse(check_reach(*signal_));
    refuse(check_signal());
  }
  if (ok()) result_ = read_waits(wait_count, waits);
}

ze_result_t Append::check_signal() {
  if (!signal_->counter_based()) return ZE_RESULT_SUCCESS;
  if (!list_->in_order()) {
    return misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(signal_->handle()),
                  " is counter-based and cannot be signalled by ",
                  Handles::describe(list_->handle()), ", which is not in-order");
  }
  const uint32_t needed = list_->immediate() ? ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE
                                             : ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE;
  if (!(signal_->shape().counter_flags & needed)) {
    return misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(signal_->handle()),
                  " was not created to be signalled by ",
                  list_->immediate() ? "immediate lists" : "regular lists");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Append::read_waits(uint32_t count, ze_event_handle_t* waits) {
  if (count && !waits) return ZE_RESULT_ERROR_INVALID_SIZE;
  submission_->head.waits.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Event* event = cast<Event>(waits[i]);
    if (!event) {
      return misuse(function_, refused(waits[i]), "wait event ", i, " is ",
                    Handles::describe(waits[i]));
    }
    if (const ze_result_t r = check_reach(*event); r != ZE_RESULT_SUCCESS) return r;
    submission_->head.waits.push_back(event->wait());
  }
  return ZE_RESULT_SUCCESS;
}

// A device that the pool was not made for has no address for its events.
ze_result_t Append::check_reach(const Event& event) const {
  const EventPool* const pool = event.shape().pool.get();
  if (!strict() || !pool || pool->reaches(list_->device()->handle())) return ZE_RESULT_SUCCESS;
  return misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(event.handle()),
                " is of a pool that is not visible to the device of ",
                Handles::describe(list_->handle()));
}

bool Append::can_reach(const void* pointer) const {
  const std::optional<Allocation> found = Memory::find(pointer);
  return !found || found->type != ZE_MEMORY_TYPE_DEVICE ||
         found->device == list_->device()->handle();
}

Append& Append::memory(const char* what, const void* pointer, size_t size) {
  if (ok() && !has(Feature::peer_access) && !can_reach(pointer)) {
    refuse(misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, what,
                  " is memory of another device, which this one cannot reach"));
  }
  if (!ok() || !strict()) return *this;
  std::string sentence;
  const Memory::State state = Memory::check(pointer, size, &sentence);
  if (state == Memory::State::usable || state == Memory::State::foreign) return *this;
  refuse(misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, what, ": ", sentence));
  return *this;
}

Append& Append::compute() {
  if (ok() && list_->ordinal() != kComputeOrdinal) {
    refuse(misuse(function_, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
                  Handles::describe(list_->handle()), " has ordinal ", list_->ordinal(),
                  ", which cannot run kernels"));
  }
  return *this;
}

Append& Append::kernel(const KernelSnapshot& kernel) {
  if (!ok()) return *this;
  std::string why;
  const ze_result_t result = kernel.check(&why);
  if (result != ZE_RESULT_SUCCESS) {
    refuse(misuse(function_, result, why));
    return *this;
  }
  const std::vector<Parameter>& parameters = kernel.code->signature.parameters();
  const bool looks = strict() || !has(Feature::peer_access);
  for (uint32_t i = 0; looks && i < parameters.size(); ++i) {
    const void* pointer = kernel.pointer(i);
    if (!pointer) continue;
    const std::string what =
        "argument " + std::to_string(i) + " of kernel " + kernel.code->signature.name();
    memory(what.c_str(), pointer, 0);
  }
  return *this;
}

ze_result_t Append::commit(Operation operation, Ordering ordering) {
  if (!ok()) return result_;
  Instruction& head = submission_->head;
  head.operation = std::move(operation);
  head.ordering = ordering;
  if (signal_) {
    head.signal.event = signal_->state();
    if (signal_->counter_based()) {
      head.signal.counter = list_->counter();
      head.signal.value = list_->next_mark();
      signal_->mark(head.signal.counter, head.signal.value);
    }
  }
  uint64_t await = 0;
  const ze_result_t result = list_->append(std::move(submission_), &await);
  lock_.unlock();
  if (result != ZE_RESULT_SUCCESS || await == 0) return result;
  return list_->channel().wait(await, UINT64_MAX);
}

}  // namespace xpu::cpu
