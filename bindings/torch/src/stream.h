// SPDX-License-Identifier: Apache-2.0
// PyTorch's streams, which are numbers, and the library's streams behind them.
#pragma once

#include <c10/core/Stream.h>

#include <xpugraph/stream.h>

#include "device.h"

namespace xpugraph_torch {

/// The library's stream; made at its first use.
xpuStream_t native(c10::Stream stream);

c10::Stream default_stream(c10::DeviceIndex index);
/// One of 32 that are handed out in turn, as PyTorch does on CUDA: streams are never destroyed, so
/// a program that makes one for each iteration must not run out.
c10::Stream next_stream(c10::DeviceIndex index, bool urgent);
inline bool is_default(c10::Stream stream) { return stream.id() == 0; }

/// The calling thread's stream of a device; of the current one without a number.
c10::Stream current_stream(c10::DeviceIndex index);
c10::Stream current_stream();
/// Returns the one before.
c10::Stream set_current_stream(c10::Stream stream);

/// Waits, then throws what failed in the stream. Refused while the stream is captured.
void synchronize(c10::Stream stream);
bool is_idle(c10::Stream stream);
/// All streams of a device. Refused while any stream is captured, because the library would have to
/// give up that capture.
void synchronize_device(c10::DeviceIndex index);

}  // namespace xpugraph_torch
