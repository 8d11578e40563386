// SPDX-License-Identifier: Apache-2.0
// Operators without a kernel for the device: their CPU kernels, run in the order of the stream.
#pragma once

#include <map>
#include <string>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace xpugraph_torch {

/// Takes the arguments off the stack and puts the results there. The shapes of the results come
/// from the operator's Meta kernel, their memory from the device, and the CPU kernel is queued as
/// host work on the same memory; so it can be captured. An operator whose results depend on values
/// waits for the stream and runs at once, which a capture refuses.
void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

/// The same for an operator by name, with its arguments in order; for kernels that differ from an
/// operator with a CPU kernel in their name only.
torch::jit::Stack run_on_host(const char* name, const char* overload, torch::jit::Stack arguments);

/// "aten::" and the name.
inline std::string qualified(const char* name) { return std::string("aten::") + name; }

/// How often each operator came here since the program began; views, which cost no run, are not
/// counted.
std::map<std::string, size_t> host_operators();

}  // namespace xpugraph_torch
