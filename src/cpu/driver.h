// SPDX-License-Identifier: Apache-2.0
// The driver object: one per process, with its devices and its list of extensions.
#pragma once

#include "spec/levelzero.h"

#include <memory>
#include <vector>

#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/handle.h"

namespace xpu::cpu {

class Driver : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::driver;
  // The process's driver, published at first use and never destroyed; nullptr if memory ran out.
  static Driver* get();

  const std::vector<std::shared_ptr<Device>>& devices() const noexcept { return devices_; }
  const std::shared_ptr<Context>& default_context() const noexcept { return default_context_; }

 private:
  Driver() : Object(kType) {}
  static Driver* make();
  std::vector<std::shared_ptr<Device>> devices_;
  std::shared_ptr<Context> default_context_;
};

ze_result_t zeInit(ze_init_flags_t);
ze_result_t zeInitDrivers(uint32_t*, ze_driver_handle_t*, ze_init_driver_type_desc_t*);
ze_result_t zeDriverGet(uint32_t*, ze_driver_handle_t*);
ze_result_t zeDriverGetApiVersion(ze_driver_handle_t, ze_api_version_t*);
ze_result_t zeDriverGetProperties(ze_driver_handle_t, ze_driver_properties_t*);
ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t, ze_driver_ipc_properties_t*);
ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t, uint32_t*,
                                           ze_driver_extension_properties_t*);
ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t, const char*, void**);
ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t, const char**);
// Specification 1.14: answers a handle, not a result, so it has no row among the others.
ze_context_handle_t zeDriverGetDefaultContext(ze_driver_handle_t);

}  // namespace xpu::cpu
