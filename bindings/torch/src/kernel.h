// SPDX-License-Identifier: Apache-2.0
// Kernels of this package: found in the modules that are built into it, loaded at their first use,
// launched.
#pragma once

#include <array>
#include <atomic>
#include <string>

#include <ATen/core/TensorBody.h>

#include <xpugraph/module.h>

#include "device.h"
#include "status.h"
#include "storage.h"
#include "stream.h"

namespace xpugraph_torch {

/// A text as a template's argument, so that a function can be made for each name.
template <size_t N>
struct Name {
  consteval Name(const char (&name)[N]) { std::copy_n(name, N, text); }
  char text[N];
};

/// A kernel on every device. Meant to be a static object: it looks its kernel up once for each
/// device.
class Kernel {
 public:
  /// @param module  one of the files in kernels/, without its end.
  Kernel(const char* module, std::string name) : module_(module), name_(std::move(name)) {}

  /// NULL if the module has no kernel of that name.
  xpuKernel_t find() const;
  /// Throws in place of that.
  xpuKernel_t get() const;

 private:
  const char* module_;
  std::string name_;
  mutable std::array<std::atomic<xpuKernel_t>, most_devices> found_ = {};
  mutable std::array<std::atomic<bool>, most_devices> is_known_ = {};
};

/// Indices of kernels have 32 bits.
constexpr int64_t most_elements = INT32_MAX;

inline uint32_t groups_for(int64_t items, int64_t group) {
  return static_cast<uint32_t>((items + group - 1) / group);
}

/// Launches in the current stream, which must be one of the current device's; `use()` is the
/// caller's.
template <typename... Arguments>
void launch(xpuKernel_t kernel, xpuDim3 groups, xpuDim3 group, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  check(xpuLaunchKernel(kernel, groups, group, pointers, 0, native(current_stream())));
}

/// With a work-item for each of `items` elements, which are at least one. A group costs a CPU as
/// much as some 200 simple items.
template <typename... Arguments>
void launch_items(xpuKernel_t kernel, int64_t items, Arguments... arguments) {
  constexpr uint32_t group = 256;
  launch(kernel, {groups_for(items, group), 1, 1}, {group, 1, 1}, arguments...);
}

/// The address of a tensor for a kernel, which may use it from now on; NULL for one that is not
/// defined.
inline void* address(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.numel() == 0) return nullptr;
  use(tensor);
  return const_cast<void*>(tensor.const_data_ptr());
}
inline void* address(const std::optional<at::Tensor>& tensor) {
  return tensor ? address(*tensor) : nullptr;
}

/// Is it of a type, on the device and of a size that kernels can take?
inline bool is_plain(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.scalar_type() == type && on_device(tensor) && tensor.layout() == at::kStrided &&
         !tensor.is_neg() && !tensor.is_conj() && tensor.numel() <= most_elements;
}
template <typename... Tensors>
bool all_float(const Tensors&... tensors) {
  auto is_float = [](const auto& tensor) {
    if constexpr (std::is_same_v<std::decay_t<decltype(tensor)>, at::Tensor>)
      return is_plain(tensor, at::kFloat);
    else
      return !tensor || !tensor->defined() || is_plain(*tensor, at::kFloat);
  };
  return (is_float(tensors) && ...);
}

}  // namespace xpugraph_torch
