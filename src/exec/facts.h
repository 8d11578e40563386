// SPDX-License-Identifier: Apache-2.0
// What the planner is told of a device.
#pragma once

#include "plan/facts.h"
#include "runtime/device.h"

namespace xpu::exec {

plan::DeviceFacts facts_of(runtime::Device& device);

}  // namespace xpu::exec
