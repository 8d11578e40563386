// SPDX-License-Identifier: Apache-2.0
// What this machine is: facts the device reports as its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace xpu::cpu {

struct Machine {
  std::string name;     // the processor's, as the kernel spells it
  uint32_t vendor = 0;  // PCI vendor of its maker, 0 if unknown
  uint32_t mhz = 0;
  uint32_t cores = 1;   // that this process may use
  uint64_t memory = 0;  // bytes of RAM
  size_t cache = 0;     // bytes of the last-level cache
  uint32_t simd_bytes = 16;
};

const Machine& machine();

}  // namespace xpu::cpu
