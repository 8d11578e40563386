// SPDX-License-Identifier: Apache-2.0
// Eager work on a stream: copies, fills, launches, host functions.
#pragma once

#include <xpugraph/xpugraph.h>

#include "base/status.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"
#include "runtime/stream.h"
#include "ze/list.h"

namespace xpu::runtime {

// What a copy touches. The pointers tell; the direction that was given only has to be one.
struct CopyRoute {
  MemoryKind dst = MemoryKind::unregistered;
  MemoryKind src = MemoryKind::unregistered;
  bool pageable() const noexcept {
    return dst == MemoryKind::unregistered || src == MemoryKind::unregistered;
  }
};
Result<CopyRoute> copy_route(const Memory& memory, const ze::Copy& copy, xpuMemcpyKind kind);

// `blocking` as xpuMemcpy: the host waits unless both sides are device memory. An asynchronous copy
// to or from pageable memory waits too, since the program may reuse that memory on return.
Status copy(Stream& stream, const ze::Copy& copy, xpuMemcpyKind kind, bool blocking);
Status fill(Stream& stream, const ze::Fill& fill, bool blocking);
Status launch(Stream& stream, const Kernel& kernel, xpuDim3 grid, xpuDim3 block, void* const* args,
              size_t shared_mem, Launching how = Launching::usual);
// After everything submitted so far and before everything submitted later. Must not call the
// library.
Status host_function(Stream& stream, xpuHostFn_t function, void* user_data);

}  // namespace xpu::runtime
