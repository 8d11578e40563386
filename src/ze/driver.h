// SPDX-License-Identifier: Apache-2.0
// The Level Zero driver in use: how it was found, its devices, its context, its extensions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "ze/own.h"
#include "ze/table.h"

namespace xpu::ze {

// What a program that already uses Level Zero hands over.
struct NativeDriver {
  ze_driver_handle_t driver = nullptr;
  ze_context_handle_t context = nullptr;
  std::vector<ze_device_handle_t> devices;
  // The driver library if the program opened it directly; empty if it uses the loader.
  std::string library;
};

class Driver {
 public:
  // `choice` as XPUGRAPH_DRIVER takes it. A failure lists everything that was tried and why it did
  // not do.
  static Result<std::unique_ptr<Driver>> open(const std::string& choice);
  // Initialises nothing and owns nothing of what is handed over.
  static Result<std::unique_ptr<Driver>> adopt(const NativeDriver& native);
  // Over a table filled elsewhere. Makes a context for all `devices` unless one is given.
  static Result<std::unique_ptr<Driver>> over(const Table& table, ze_driver_handle_t driver,
                                              std::vector<ze_device_handle_t> devices,
                                              ze_context_handle_t context, std::string how);

  const Table& table() const noexcept { return table_; }
  ze_driver_handle_t handle() const noexcept { return handle_; }
  ze_context_handle_t context() const noexcept { return context_; }
  const std::vector<ze_device_handle_t>& devices() const noexcept { return devices_; }
  // For people: "libze_xpugraph_cpu.so.1, opened directly".
  const std::string& how() const noexcept { return how_; }
  // The minor version of the driver's specification: 1.<minor>.
  uint32_t api_minor() const noexcept { return api_minor_; }
  uint32_t driver_version() const noexcept { return driver_version_; }
  // The version of an extension as ZE_MAKE_VERSION makes it; 0 if the driver does not list it.
  uint32_t extension(const char* name) const noexcept;
  // True if the driver itself, not just a loader in front of it, has the function.
  bool has(const char* function, uint32_t since_minor) const noexcept;

 private:
  Driver() noexcept = default;

  Table table_;
  ze_driver_handle_t handle_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  OwnContext own_context_;  // empty when the context is the program's
  std::vector<ze_device_handle_t> devices_;
  std::vector<ze_driver_extension_properties_t> extensions_;
  std::string how_;
  uint32_t api_minor_ = 0;
  uint32_t driver_version_ = 0;
};

}  // namespace xpu::ze
