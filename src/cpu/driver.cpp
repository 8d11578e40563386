// SPDX-License-Identifier: Apache-2.0
// The driver, its extensions and the functions it hands out by name.
#include "cpu/driver.h"

#include <algorithm>
#include <cstring>

#include "cpu/ddi.h"
#include "cpu/settings.h"

namespace xpu::cpu {
namespace {

struct Extension {
  const char* name;
  uint32_t minor;    // version 1.minor
  uint32_t feature;  // a Feature bit that may hide it, or 0
};

constexpr uint32_t bit(Feature feature) { return static_cast<uint32_t>(feature); }

constexpr Extension kExtensions[] = {
    {ZE_GLOBAL_OFFSET_EXP_NAME, 0, 0},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, 0, 0},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME, 0, 0},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, 0, 0},
    {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, 0, 0},
    {ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME, 0, 0},
    {ZE_GET_KERNEL_ALLOCATION_PROPERTIES_EXP_NAME, 0, 0},
    // Version 1.0: 1.1 would promise the zer functions too.
    {ZE_DRIVER_DDI_HANDLES_EXT_NAME, 0, 0},
    {ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME, 0, bit(Feature::semaphores)},
    {ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME, 0, bit(Feature::counter_events)},
    {ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME, 0, bit(Feature::append_lists)},
    {ZE_MUTABLE_COMMAND_LIST_EXP_NAME, 1, bit(Feature::mutable_lists)},
};

constexpr uint32_t version(uint32_t minor) { return ZE_MAKE_VERSION(1, minor); }

template <class Out, class Fill>
ze_result_t enumerate(uint32_t* count, Out* out, uint32_t available, Fill fill) {
  if (!count) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!out || *count == 0) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i) fill(i, out[i]);
  return ZE_RESULT_SUCCESS;
}

}  // namespace

Driver* Driver::make() {
  std::shared_ptr<Driver> driver(new Driver);
  driver->default_context_ = std::make_shared<Context>();
  if (!Handles::publish(driver) || !Handles::publish(driver->default_context_)) return nullptr;
  for (uint32_t i = 0; i < settings().devices; ++i) {
    driver->devices_.push_back(std::make_shared<Device>(i));
    if (!Handles::publish(driver->devices_.back())) return nullptr;
  }
  return driver.get();
}

Driver* Driver::get() {
  static Driver* const driver = make();
  return driver;
}

ze_result_t zeInit(ze_init_flags_t flags) {
  if (flags > (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY))
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  // Programs that ask for GPUs only get us too: we stand in for one. Who wants a VPU does not.
  if (flags == ZE_INIT_FLAG_VPU_ONLY) return ZE_RESULT_ERROR_UNINITIALIZED;
  return Driver::get() ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t zeInitDrivers(uint32_t* count, ze_driver_handle_t* drivers,
                          ze_init_driver_type_desc_t* desc) {
  if (!count || !desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags == 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (!(desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU)) return ZE_RESULT_ERROR_UNINITIALIZED;
  return cpu::zeDriverGet(count, drivers);
}

ze_result_t zeDriverGet(uint32_t* count, ze_driver_handle_t* drivers) {
  Driver* driver = Driver::get();
  if (!driver) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return enumerate(count, drivers, 1, [&](uint32_t, ze_driver_handle_t& out) {
    out = static_cast<ze_driver_handle_t>(driver->handle());
  });
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t* out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = api_version();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t* out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  static constexpr uint8_t kUuid[] = {'x', 'p', 'u', 'g', 'r', 'a', 'p', 'h',
                                      '-', 'c', 'p', 'u', 0,   0,   0,   1};
  static_assert(sizeof kUuid == sizeof out->uuid.id);
  std::memcpy(out->uuid.id, kUuid, sizeof kUuid);
  out->driverVersion = 0x0001'0000;
  for (auto* next = static_cast<ze_base_properties_t*>(out->pNext); next;
       next = static_cast<ze_base_properties_t*>(next->pNext)) {
    if (next->stype == ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES)
      reinterpret_cast<ze_driver_memory_free_ext_properties_t*>(next)->freePolicies =
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
    if (next->stype == ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES)
      reinterpret_cast<ze_driver_ddi_handles_ext_properties_t*>(next)->flags =
          ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t driver, ze_driver_ipc_properties_t* out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  out->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t driver, uint32_t* count,
                                           ze_driver_extension_properties_t* out) {
  if (!cast<Driver>(driver)) return refused(driver);
  std::vector<const Extension*> shown;
  for (const Extension& e : kExtensions)
    if (!(settings().without & e.feature)) shown.push_back(&e);
  return enumerate(count, out, static_cast<uint32_t>(shown.size()),
                   [&](uint32_t i, ze_driver_extension_properties_t& entry) {
                     entry = {};
                     std::strncpy(entry.name, shown[i]->name, sizeof entry.name - 1);
                     entry.version = version(shown[i]->minor);
                   });
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char* name,
                                                void** out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!name || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = find_function(name);
  return *out ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

// Every failure is told by its result, a build's also by its log; there is nothing to add.
ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t driver, const char** out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = "";
  return ZE_RESULT_SUCCESS;
}

ze_context_handle_t zeDriverGetDefaultContext(ze_driver_handle_t driver) {
  const Driver* d = cast<Driver>(driver);
  return d ? static_cast<ze_context_handle_t>(d->default_context()->handle()) : nullptr;
}

}  // namespace xpu::cpu
