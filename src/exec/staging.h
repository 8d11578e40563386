// SPDX-License-Identifier: Apache-2.0
// Host memory that copies between devices go through which cannot reach each other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "graph/params.h"
#include "plan/plan.h"
#include "ze/device.h"

namespace xpu::exec {

// Of one encoding: its launches do not overlap, so each copy has one block.
class Staging {
 public:
  explicit Staging(const ze::Device& device) noexcept : device_(device) {}

  // What stands in a list for plan node number `index`, which is one half of the copy `whole`. The
  // block grows with the copy, which changes its address: the other half must then be encoded
  // again, too. Not while the encoding is in flight.
  Result<graph::ParamsRef> half(const plan::PlanNode& node, uint32_t index,
                                const graph::CopyParams& whole);

 private:
  struct Free {
    const ze::Device* device;
    void operator()(void* block) const noexcept;
  };
  struct Block {
    uint32_t copy;  // plan node number of its first half
    size_t size;
    std::unique_ptr<void, Free> memory;
  };
  Result<void*> block(uint32_t copy, size_t size);

  const ze::Device& device_;
  std::vector<Block> blocks_;
};

}  // namespace xpu::exec
