// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation in a stream that is being captured.
#pragma once

#include <cstddef>
#include <vector>

#include "capture/view.h"
#include "runtime/device.h"

namespace xpu::capi {

// `size` is not 0. Devices in `access` may use the memory besides its own.
Status capture_malloc(const char* call, capture::View& view, void** out, size_t size,
                      runtime::Device& device, std::vector<int> access);
Status capture_free(const char* call, capture::View& view, void* address);

}  // namespace xpu::capi
