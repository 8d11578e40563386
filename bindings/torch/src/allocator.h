// SPDX-License-Identifier: Apache-2.0
// Device memory for tensors.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>

#include "block.h"
#include "device.h"

namespace xpugraph_torch {

/// Outside of captures memory comes from a pool of this package's own for each device and is
/// allocated and freed in the order of streams; the pool keeps what is freed. In a capture it comes
/// from the capture's private pool.
class DeviceMemory final : public c10::DeviceAllocator {
 public:
  static DeviceMemory& instance();

  c10::DataPtr allocate(size_t bytes) override;
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* target, const void* source, size_t bytes) const override;

  bool initialized() override { return device_count() > 0; }
  void emptyCache(c10::MempoolId_t pool) override;
  void recordStream(const c10::DataPtr& data, c10::Stream stream) override;
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex index) override;
  void resetAccumulatedStats(c10::DeviceIndex index) override;
  void resetPeakStats(c10::DeviceIndex index) override;
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex index) override;

  /// Frees what was dropped while its streams were captured; called when a capture has ended.
  static void free_postponed();
};

}  // namespace xpugraph_torch
