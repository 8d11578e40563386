// SPDX-License-Identifier: Apache-2.0
// Registers what PyTorch asks a backend for by device type: memory, generators, storages.
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/detail/XPUHooksInterface.h>

#include <xpugraph/memory.h>

#include "allocator.h"
#include "generator.h"
#include "host_memory.h"
#include "status.h"
#include "storage.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

template <typename Base>
class Hooks : public Base {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count() > 0; }
  bool hasPrimaryContext(c10::DeviceIndex index) const override {
    return index >= 0 && index < device_count();
  }
  void init() const override {}

  c10::DeviceIndex deviceCount() const override { return device_count(); }
  c10::DeviceIndex getCurrentDevice() const override { return xpugraph_torch::current_device(); }
  void setCurrentDevice(c10::DeviceIndex index) const override { set_device(index); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    c10::DeviceIndex before = xpugraph_torch::current_device();
    set_device(index);
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return index < 0 ? xpugraph_torch::current_device() : exchangeDevice(index);
  }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override {
    return default_generator(index);
  }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return new_generator(index);
  }

  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  at::Allocator* getPinnedMemoryAllocator() const override { return &host_memory(); }
  at::Device getDeviceFromPtr(void* data) const override {
    xpuPointerAttributes attributes = {};
    attributes.struct_size = sizeof attributes;
    check(xpuPointerGetAttributes(&attributes, data));
    TORCH_CHECK(attributes.device >= 0, "this address belongs to no device");
    return device(static_cast<c10::DeviceIndex>(attributes.device));
  }
};

class PrivateHooks final : public Hooks<at::PrivateUse1HooksInterface> {
 public:
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    resize_storage(storage, bytes);
  }
};

class XpuHooks final : public Hooks<at::XPUHooksInterface> {
 public:
  bool hasXPU() const override { return device_count() > 0; }
  c10::DeviceIndex getNumGPUs() const override { return device_count(); }
  c10::DeviceIndex current_device() const override { return xpugraph_torch::current_device(); }
  void deviceSynchronize(c10::DeviceIndex index) const override { synchronize_device(index); }
};

const bool registered = [] {
  // Above what PyTorch itself registers for the key.
  constexpr uint8_t priority = 255;
  c10::SetAllocator(device_type, &DeviceMemory::instance(), priority);
  at::setHostAllocator(device_type, &host_memory(), priority);
  if (claims_xpu) {
    at::XPUHooksRegistry()->Register("XPUHooks", []() -> std::unique_ptr<at::XPUHooksInterface> {
      return std::make_unique<XpuHooks>();
    });
  } else {
    at::RegisterPrivateUse1HooksInterface(new PrivateHooks);
  }
  return true;
}();

}  // namespace
}  // namespace xpugraph_torch
