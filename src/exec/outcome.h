// SPDX-License-Identifier: Apache-2.0
// What became of an update.
#pragma once

#include <cstdint>

namespace xpu::exec {

// The numbers of the public xpuGraphExecUpdateResult.
enum class Outcome : uint8_t {
  success = 0,
  error = 1,
  topology_changed = 2,
  node_type_changed = 3,
  function_changed = 4,
  parameters_changed = 5,
  not_supported = 6,
  unsupported_function_change = 7,
  attributes_changed = 8,
};

}  // namespace xpu::exec
