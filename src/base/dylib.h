// SPDX-License-Identifier: Apache-2.0
// A shared library opened at run time, as an owner.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace xpu {

class Dylib {
 public:
  // RTLD_NOW | RTLD_LOCAL; the dynamic linker's own sentence is in the Status.
  static Result<Dylib> open(const std::string& name);

  Dylib() noexcept = default;
  Dylib(Dylib&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Dylib& operator=(Dylib&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Dylib();

  void* find(const char* symbol) const noexcept;
  // Keeps it loaded until the process ends: drivers own threads that outlive any owner.
  void keep_forever() noexcept { handle_ = nullptr; }

 private:
  void* handle_ = nullptr;
};

}  // namespace xpu
