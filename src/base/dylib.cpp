// SPDX-License-Identifier: Apache-2.0
// Opens shared libraries.
#include "base/dylib.h"

#include <dlfcn.h>

namespace xpu {

Result<Dylib> Dylib::open(const std::string& name) {
  Dylib library;
  library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.handle_) return library;
  const char* why = dlerror();
  return Status::error(xpuErrorSharedObjectInitFailed, why ? why : name + " could not be opened");
}

Dylib::~Dylib() {
  if (handle_) dlclose(handle_);
}

void* Dylib::find(const char* symbol) const noexcept {
  return handle_ ? dlsym(handle_, symbol) : nullptr;
}

}  // namespace xpu
