// SPDX-License-Identifier: Apache-2.0
// What is in flight: counted at submission and given back as it runs, so that strict mode can name
// what a program destroys, resets, changes or submits again too early.
#pragma once

#include <level_zero/ze_api.h>

#include "cpu/channel.h"

namespace xpu::cpu::account {

// May it be submitted? Reports, and answers an error, if a list is in flight already or a command
// uses an event, kernel or module that was destroyed since it was appended. SUCCESS unless strict.
ze_result_t check(const char* function, const Submission& submission);

void enter(Submission& submission);
void leave(Submission& submission) noexcept;
// The command has started: it waits no longer.
void leave_waits(const Instruction& instruction, uint64_t submission) noexcept;

}  // namespace xpu::cpu::account
