// SPDX-License-Identifier: Apache-2.0
// What a driver says about itself, and the context that allocations live in.
#include "ze/driver.h"

#include <cstring>

namespace xpu::ze {

Result<std::unique_ptr<Driver>> Driver::over(const Table& table, ze_driver_handle_t driver,
                                             std::vector<ze_device_handle_t> devices,
                                             ze_context_handle_t context, std::string how) {
  std::unique_ptr<Driver> made(new Driver());
  made->table_ = table;
  made->handle_ = driver;
  made->devices_ = std::move(devices);
  made->how_ = std::move(how);
  const Table& calls = made->table_;

  ze_api_version_t version = {};
  ZE_TRY(calls, DriverGetApiVersion, driver, &version);
  made->api_minor_ = static_cast<uint32_t>(version) & 0xffff;

  ze_driver_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  ZE_TRY(calls, DriverGetProperties, driver, &properties);
  made->driver_version_ = properties.driverVersion;

  uint32_t count = 0;
  ZE_TRY(calls, DriverGetExtensionProperties, driver, &count, nullptr);
  made->extensions_.resize(count);
  if (count) ZE_TRY(calls, DriverGetExtensionProperties, driver, &count, made->extensions_.data());
  made->extensions_.resize(count);

  if (context) {
    made->context_ = context;
    return made;
  }
  ze_context_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  ZE_TRY(calls, ContextCreate, driver, &desc, &made->context_);
  made->own_context_ = OwnContext(calls, made->context_);
  return made;
}

uint32_t Driver::extension(const char* name) const noexcept {
  for (const ze_driver_extension_properties_t& e : extensions_) {
    if (!std::strncmp(e.name, name, sizeof e.name)) return e.version;
  }
  return 0;
}

bool Driver::has(const char* function, uint32_t since_minor) const noexcept {
  return driver_has(table_, handle_, api_minor_, function, since_minor);
}

}  // namespace xpu::ze
