// SPDX-License-Identifier: Apache-2.0
// The memory of a module's variables of program scope.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cpu/spirv_globals.h"

namespace xpu::cpu {

class Globals {
 public:
  // The variables of the module, which is changed to use their memory. nullptr, and the module as
  // it was, if it has none (`known` is then true) or some cannot be placed, which `log` then tells.
  static Status place(std::vector<uint32_t>& words, std::shared_ptr<Globals>* out, bool* known,
                      std::string* log);
  Globals(const Globals&) = delete;
  Globals& operator=(const Globals&) = delete;
  ~Globals();

  // From here on it is memory that the device has.
  void belong_to(ze_device_handle_t device, ze_context_handle_t context);

  struct Place {
    void* address;
    size_t size;
  };
  std::optional<Place> find(const std::string& name) const;

 private:
  Globals(std::byte* base, size_t size, SpirvGlobals globals)
      : base_(base), size_(size), globals_(std::move(globals)) {}

  std::byte* const base_;
  const size_t size_;
  const SpirvGlobals globals_;
  bool listed_ = false;
};

}  // namespace xpu::cpu
