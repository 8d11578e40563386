// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation in a stream that is being captured.
#pragma once

#include <cstddef>

#include "capture/view.h"
#include "memory/stream_pool.h"

namespace xpu::capi {

// `size` is not 0. `pool` is where the memory would come from outside of a capture.
Status capture_malloc(const char* call, capture::View& view, void** out, size_t size,
                      memory::StreamPool& pool);
Status capture_free(const char* call, capture::View& view, void* address);

}  // namespace xpu::capi
