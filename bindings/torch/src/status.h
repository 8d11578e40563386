// SPDX-License-Identifier: Apache-2.0
// Turns what a call of the C library answers into the exception that a PyTorch program expects.
#pragma once

#include <string>

#include <xpugraph/error.h>

namespace xpugraph_torch {

/// Throws for a failure: c10::OutOfMemoryError for memory, c10::Error otherwise, with the library's
/// own sentence.
void check(xpuError_t error);

/// What the library says about this thread's last failure.
std::string last_sentence();

}  // namespace xpugraph_torch
