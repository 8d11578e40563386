// SPDX-License-Identifier: Apache-2.0
// Lists are counted always (a list in flight must not be changed in place); events and kernels only
// in strict mode, since that walks every command.
#include "cpu/account.h"

#include "cpu/module.h"
#include "cpu/strict.h"

namespace xpu::cpu::account {

namespace {

template <class Visit>
void for_each_kernel(const Instruction& instruction, Visit visit) {
  if (const auto* one = std::get_if<op::Launch>(&instruction.operation)) visit(one->kernel);
  if (const auto* many = std::get_if<op::LaunchIndirect>(&instruction.operation)) {
    for (const KernelSnapshot& kernel : many->kernels) visit(kernel);
  }
}

ze_result_t check_kernel(const char* function, const Instruction& instruction,
                         const KernelSnapshot& kernel) {
  const std::shared_ptr<Kernel> origin = kernel.origin.lock();
  const bool kernel_lives = origin && cast<Kernel>(origin->handle());
  const bool module_lives = origin && cast<Module>(origin->module()->handle());
  if (kernel_lives && module_lives) return ZE_RESULT_SUCCESS;
  return misuse(function, ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE, "kernel ",
                kernel.code->signature.name(), " that ", instruction.function,
                " appended, or its module, was destroyed since");
}

ze_result_t check_event(const char* function, const Instruction& instruction,
                        const EventState* event) {
  if (!event || event->counter_based() || !event->destroyed()) return ZE_RESULT_SUCCESS;
  return misuse(function, ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, event->describe(),
                " that ", instruction.function, " was given was destroyed since");
}

ze_result_t check_instruction(const char* function, const Instruction& instruction) {
  ze_result_t result = check_event(function, instruction, instruction.signal.event.get());
  auto add = [&result](ze_result_t next) {
    if (result == ZE_RESULT_SUCCESS) result = next;
  };
  for (const Wait& wait : instruction.waits) {
    add(check_event(function, instruction, wait.event.get()));
  }
  if (const auto* reset = std::get_if<op::Reset>(&instruction.operation)) {
    add(check_event(function, instruction, reset->event.get()));
  }
  for_each_kernel(instruction, [&](const KernelSnapshot& kernel) {
    add(check_kernel(function, instruction, kernel));
  });
  return result;
}

void enter_instruction(const Instruction& instruction, uint64_t submission) {
  for (const Wait& wait : instruction.waits) {
    if (wait.event && !wait.event->counter_based()) wait.event->enter_wait(submission);
  }
  if (instruction.signal) instruction.signal.event->enter_use();
  if (const auto* reset = std::get_if<op::Reset>(&instruction.operation)) {
    reset->event->enter_use();
  }
  for_each_kernel(instruction, [](const KernelSnapshot& kernel) { kernel.enter(); });
}

void leave_kernels(const Instruction& instruction) noexcept {
  for_each_kernel(instruction, [](const KernelSnapshot& kernel) { kernel.leave(); });
}

}  // namespace

ze_result_t check(const char* function, const Submission& submission) {
  if (!strict()) return ZE_RESULT_SUCCESS;
  // The head's handles were checked just now; the lists' were when they were appended.
  for (const auto& code : submission.lists) {
    if (code->in_flight.load(std::memory_order_acquire)) {
      return misuse(function, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, code->name,
                    " is submitted again while it is in flight");
    }
    for (const Instruction& instruction : code->instructions) {
      const ze_result_t result = check_instruction(function, instruction);
      if (result != ZE_RESULT_SUCCESS) return result;
    }
  }
  return ZE_RESULT_SUCCESS;
}

void enter(Submission& submission) {
  for (const auto& code : submission.lists) {
    code->in_flight.fetch_add(1, std::memory_order_acq_rel);
  }
  if (!strict()) return;
  enter_instruction(submission.head, submission.number);
  for (const auto& code : submission.lists) {
    for (const Instruction& i : code->instructions) enter_instruction(i, submission.number);
  }
}

void leave(Submission& submission) noexcept {
  if (strict()) {
    leave_kernels(submission.head);
    for (const auto& code : submission.lists) {
      for (const Instruction& i : code->instructions) leave_kernels(i);
    }
  }
  for (const auto& code : submission.lists) {
    code->in_flight.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void leave_waits(const Instruction& instruction, uint64_t submission) noexcept {
  if (!strict()) return;
  for (const Wait& wait : instruction.waits) {
    if (wait.event && !wait.event->counter_based()) wait.event->leave_wait(submission);
  }
}

}  // namespace xpu::cpu::account
