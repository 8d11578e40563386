// SPDX-License-Identifier: Apache-2.0
// Whether what a copy or a fill touches lies inside the allocation that it begins in.
//
// Asked when the work is given, also for nodes, where the memory need not be used before the
// launch: a size that cannot be right is reported with its call and not by a fault long after.
// Memory that no driver knows, such as that of malloc, cannot be checked; a fill refuses it.
#pragma once

#include "graph/params.h"
#include "runtime/memory.h"

namespace xpu::capi {

Status check_range(const runtime::Memory& memory, const graph::CopyShape& shape);
Status check_range(const runtime::Memory& memory, const graph::FillShape& shape);

}  // namespace xpu::capi
