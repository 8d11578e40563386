// SPDX-License-Identifier: Apache-2.0
// Contexts and residency.
#include "cpu/context.h"

#include "cpu/device.h"
#include "cpu/driver.h"
#include "cpu/memory.h"

namespace xpu::cpu {

ze_result_t zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t* desc,
                            ze_context_handle_t* out) {
  if (!cast<Driver>(driver)) return refused(driver);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return publish(std::make_shared<Context>(), out);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t* desc,
                              uint32_t count, ze_device_handle_t* devices,
                              ze_context_handle_t* out) {
  if (count > 0 && !devices) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  for (uint32_t i = 0; i < count; ++i)
    if (!cast<Device>(devices[i])) return refused(devices[i]);
  return cpu::zeContextCreate(driver, desc, out);
}

ze_result_t zeContextDestroy(ze_context_handle_t context) {
  const Driver* driver = Driver::get();
  // The default context is the driver's own.
  if (driver && context && driver->default_context()->handle() == context)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return retire<Context>(context) ? ZE_RESULT_SUCCESS : refused(context);
}

ze_result_t zeContextGetStatus(ze_context_handle_t context) {
  return cast<Context>(context) ? ZE_RESULT_SUCCESS : refused(context);
}

// One coherent machine: there is nothing to make visible.
ze_result_t zeContextSystemBarrier(ze_context_handle_t context, ze_device_handle_t device) {
  if (!cast<Context>(context)) return refused(context);
  return cast<Device>(device) ? ZE_RESULT_SUCCESS : refused(device);
}

ze_result_t zeContextMakeMemoryResident(ze_context_handle_t context, ze_device_handle_t device,
                                        void* pointer, size_t size) {
  if (!cast<Context>(context)) return refused(context);
  if (!cast<Device>(device)) return refused(device);
  if (!pointer) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (size == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  switch (Memory::check(pointer, size)) {
    case Memory::State::usable:
    case Memory::State::foreign:
      return ZE_RESULT_SUCCESS;
    default:
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
}

ze_result_t zeContextEvictMemory(ze_context_handle_t context, ze_device_handle_t device,
                                 void* pointer, size_t size) {
  return cpu::zeContextMakeMemoryResident(context, device, pointer, size);
}

}  // namespace xpu::cpu
