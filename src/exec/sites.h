// SPDX-License-Identifier: Apache-2.0
// Which device runs which node of a graph: a kernel's own, a copy's or a fill's by its memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/params.h"
#include "plan/facts.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace xpu::exec {

// Where memory is. An executable's copies and fills keep to that, whatever their addresses become.
struct Place {
  runtime::MemoryKind kind = runtime::MemoryKind::unregistered;
  int8_t device = -1;  // of device memory
  bool operator==(const Place&) const = default;
};
// The memory that a pointer is in.
Place place_of(const runtime::Memory& memory, const void* pointer);

// What a copy or fill reads (src) and writes (dst).
struct Touches {
  Place dst, src;
};

// Nodes that no device is better for (host functions, copies within the host's memory or managed
// memory) run on the one that the graph is instantiated for.
class Sites final : public plan::Whereabouts {
 public:
  // Bodies of conditional nodes are on one device.
  enum class Spread : uint8_t { devices, one_device };

  Sites(runtime::Device& home, Spread spread) noexcept : devices_{&home}, spread_(spread) {}

  bool is_host_memory(const void* pointer) const override;
  Result<plan::Site> site(const plan::PlanNode& node, uint32_t index) override;

  // By plan::Site::device.
  std::vector<runtime::Device*> take_devices() noexcept { return std::move(devices_); }
  // By node; empty without copies and fills.
  std::vector<Touches> take_touches() noexcept { return std::move(touches_); }

 private:
  runtime::Device& home() const noexcept { return *devices_[0]; }
  Result<plan::Site> of(const graph::NodeParams& params, uint32_t index);
  Result<plan::Site> of_copy(const graph::CopyShape& shape, uint32_t index);
  Result<plan::Site> on(runtime::Device& device, const char* what);
  Result<plan::Site> on_memory_of(Place place);
  Touches& touches(uint32_t index);

  std::vector<runtime::Device*> devices_;
  std::vector<Touches> touches_;
  const Spread spread_;
};

}  // namespace xpu::exec
