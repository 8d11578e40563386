// SPDX-License-Identifier: Apache-2.0
// Encodings whose executable is gone while the device still runs them. Destroying an executable
// never waits; what is in flight is kept here and freed once it is over.
#pragma once

#include <cstddef>
#include <memory>

#include "exec/slot.h"

namespace xpu::exec {

// Frees it now if it is idle. Safe from any thread.
void retire(std::unique_ptr<Slot> slot) noexcept;

// Frees what is over by now and answers how many are still kept. Every instantiation, upload and
// destruction does it, and whoever has waited for a device should.
size_t free_retired() noexcept;

}  // namespace xpu::exec
