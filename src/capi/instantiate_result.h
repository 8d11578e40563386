// SPDX-License-Identifier: Apache-2.0
// What xpuGraphInstantiateWithParams() tells besides its error.
#pragma once

#include <xpugraph/exec.h>

#include "base/status.h"

namespace xpu::capi {

// Writes result and node. `graph` is the caller's handle, which may be a bad one.
void tell(const Status& status, xpuGraph_t graph, xpuGraphInstantiateParams* params);

}  // namespace xpu::capi
