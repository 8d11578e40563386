// SPDX-License-Identifier: Apache-2.0
// Whether two nodes do the same.
#pragma once

#include "graph/params.h"

namespace xpu::graph {

// By value; of child graphs only whether they are one and the same.
bool same(const NodeParams& a, const NodeParams& b);

}  // namespace xpu::graph
