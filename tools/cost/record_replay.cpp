// SPDX-License-Identifier: Apache-2.0
// Finds the functions of the driver's own graphs: a driver opened directly is asked for addresses;
// behind the loader, which exports the names whatever is behind it, the driver's list of extensions
// and its version decide.
#include "record_replay.h"

#include <dlfcn.h>

#include <cstring>

namespace cost {

RecordReplay::RecordReplay(const xpu::ze::Driver& driver) {
  void* loader = nullptr;
  if (driver.extension("ZE_extension_record_replay_graph") || driver.api_minor() >= 17)
    loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  auto find = [&](auto& function, const char* name) {
    void* address = loader ? dlsym(loader, name) : nullptr;
    const auto look_up = driver.table().DriverGetExtensionFunctionAddress;
    if (!address && look_up) (void)look_up(driver.handle(), name, &address);
    if (!address && missing.empty()) missing = name;
    std::memcpy(&function, &address, sizeof function);
  };
  find(CommandListBeginGraphCaptureExt, "zeCommandListBeginGraphCaptureExt");
  find(CommandListEndGraphCaptureExt, "zeCommandListEndGraphCaptureExt");
  find(GraphInstantiateExt, "zeGraphInstantiateExt");
  find(CommandListAppendGraphExt, "zeCommandListAppendGraphExt");
  find(ExecutableGraphDestroyExt, "zeExecutableGraphDestroyExt");
  find(GraphDestroyExt, "zeGraphDestroyExt");
}

}  // namespace cost
