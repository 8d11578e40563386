// SPDX-License-Identifier: Apache-2.0
// Contexts: on a CPU every device sees all memory, so residency is a check and nothing else.
#pragma once

#include <level_zero/ze_api.h>

#include "cpu/handle.h"

namespace xpu::cpu {

class Context : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::context;
  Context() : Object(kType) {}
};

ze_result_t zeContextCreate(ze_driver_handle_t, const ze_context_desc_t*, ze_context_handle_t*);
ze_result_t zeContextCreateEx(ze_driver_handle_t, const ze_context_desc_t*, uint32_t,
                              ze_device_handle_t*, ze_context_handle_t*);
ze_result_t zeContextDestroy(ze_context_handle_t);
ze_result_t zeContextGetStatus(ze_context_handle_t);
ze_result_t zeContextSystemBarrier(ze_context_handle_t, ze_device_handle_t);
ze_result_t zeContextMakeMemoryResident(ze_context_handle_t, ze_device_handle_t, void*, size_t);
ze_result_t zeContextEvictMemory(ze_context_handle_t, ze_device_handle_t, void*, size_t);

}  // namespace xpu::cpu
