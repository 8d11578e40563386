// SPDX-License-Identifier: Apache-2.0
// What every way to begin a capture asks first.
#pragma once

#include <xpugraph/capture.h>

#include "base/status.h"
#include "runtime/stream.h"

namespace xpu::capi {

Status check_mode(xpuStreamCaptureMode mode);
// The stream, if a capture may begin in it at all.
Result<runtime::Stream*> stream_to_capture(xpuStream_t stream);

}  // namespace xpu::capi
