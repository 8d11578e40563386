// SPDX-License-Identifier: Apache-2.0
// The CPU driver, opened the way a loader does, for tests at Level Zero's own level.
//
// ZE(Name) is the driver's zeName, newer than the installed headers or not; the driver's path comes
// from ZE_CPU_DRIVER_PATH in the environment, which Meson sets.
#pragma once

#include "spec/levelzero.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct ZeDirect {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_pfnDriverGetExtensionFunctionAddress_t address;
  void* library;
};

inline ZeDirect& ze_direct() {
  static ZeDirect direct{};
  return direct;
}

// NULL if the driver does not have it, or hides it.
inline void* ze_function(const char* name) {
  void* function = nullptr;
  (void)ze_direct().address(ze_direct().driver, name, &function);
  return function;
}

#define ZE(Name) (reinterpret_cast<ze_pfn##Name##_t>(ze_function("ze" #Name)))

template <class Table>
ze_result_t ze_table(const char* getter, ze_api_version_t version, Table* table) {
  using Getter = ze_result_t (*)(ze_api_version_t, void*);
  const auto function = reinterpret_cast<Getter>(dlsym(ze_direct().library, getter));
  return function ? function(version, table) : ZE_RESULT_ERROR_UNINITIALIZED;
}

// Driver, first device and a context, or the end of the process: nothing can be tested without.
inline void ze_open() {
  ZeDirect& d = ze_direct();
  const char* path = getenv("ZE_CPU_DRIVER_PATH");
  d.library = dlopen(path ? path : "libze_xpugraph_cpu.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!d.library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  ze_global_dditable_t global{};
  void* driver_table[32] = {};
  void* device_table[64] = {};
  void* context_table[32] = {};
  const auto version = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 4));
  ze_table("zeGetGlobalProcAddrTable", version, &global);
  ze_table("zeGetDriverProcAddrTable", version, driver_table);
  ze_table("zeGetDeviceProcAddrTable", version, device_table);
  ze_table("zeGetContextProcAddrTable", version, context_table);
  const auto* drivers = reinterpret_cast<const ze_driver_dditable_t*>(driver_table);
  const auto* devices = reinterpret_cast<const ze_device_dditable_t*>(device_table);
  const auto* contexts = reinterpret_cast<const ze_context_dditable_t*>(context_table);
  uint32_t one = 1, first = 1;
  ze_context_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  if (global.pfnInit(0) || drivers->pfnGet(&one, &d.driver) ||
      devices->pfnGet(d.driver, &first, &d.device) ||
      contexts->pfnCreate(d.driver, &desc, &d.context)) {
    fprintf(stderr, "the CPU driver does not start\n");
    exit(1);
  }
  d.address = drivers->pfnGetExtensionFunctionAddress;
}

// The driver stays loaded: its threads may be inside it. The answer for main to return is passed
// through.
inline int ze_close(int failed) {
  ZE(ContextDestroy)(ze_direct().context);
  return failed;
}
