// SPDX-License-Identifier: Apache-2.0
// The public parameter structs of nodes as checked parameter versions.
#pragma once

#include <xpugraph/node.h>

#include "capi/kernel_params.h"
#include "graph/params.h"

namespace xpu::capi {

Result<graph::ParamsRef> to_params(const xpuMemcpy3DParms* params, const char* argument);
Result<graph::ParamsRef> to_linear_copy(void* dst, const void* src, size_t count,
                                        xpuMemcpyKind kind);
Result<graph::ParamsRef> to_params(const xpuMemsetParams* params, const char* argument);
Result<graph::ParamsRef> to_params(const xpuHostNodeParams* params);
// `kind` is event_record or event_wait.
Result<graph::ParamsRef> to_event_params(graph::NodeKind kind, xpuEvent_t event);

}  // namespace xpu::capi
