// SPDX-License-Identifier: Apache-2.0
// Copies and fills in a stream whose device cannot reach the memory: another device does them, at
// their place in the stream's order.
#pragma once

#include "base/status.h"
#include "runtime/stream.h"
#include "ze/list.h"

namespace xpu::runtime {

// False: the stream's device can do it, and nothing has happened. A copy between two devices that
// do not reach each other goes through host memory that is allocated for it.
Result<bool> copied_across(Stream& stream, const ze::Copy& copy);
Result<bool> filled_across(Stream& stream, const ze::Fill& fill);

}  // namespace xpu::runtime
