// SPDX-License-Identifier: Apache-2.0
// The join rule, asked at the end of a capture.
#pragma once

#include "capture/session.h"

namespace xpu::capture {

// Whether everything that forked streams captured leads to the origin's frontier. A stream's
// earlier nodes come before its last one, so only the last ones are looked for; a stream that
// captured nothing, or whose nodes were dropped with xpuStreamUpdateCaptureDependencies, need not
// be joined.
bool all_joined(const Session& session);

}  // namespace xpu::capture
