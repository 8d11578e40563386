// SPDX-License-Identifier: Apache-2.0
// Shapes of copies and fills as the driver's floor takes them, of nodes and of calls alike.
#pragma once

#include "graph/params.h"
#include "ze/list.h"

namespace xpu::exec {

ze::Copy as_driver(const graph::CopyShape& shape) noexcept;
ze::Fill as_driver(const graph::FillShape& shape) noexcept;

}  // namespace xpu::exec
