// SPDX-License-Identifier: Apache-2.0
// Memory nodes from their public structs, for the calls of node.h and any_node.h.
#pragma once

#include "capi/new_node.h"

namespace xpu::capi {

// Writes the address to `params->dptr`.
Status add_alloc(const Place& place, xpuMemAllocNodeParams* params, const char* argument);
Status add_free(const Place& place, void* dptr);

}  // namespace xpu::capi
