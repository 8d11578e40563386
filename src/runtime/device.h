// SPDX-License-Identifier: Apache-2.0
// Devices: properties, queues, streams and marks of one.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "runtime/default_order.h"
#include "runtime/lanes.h"
#include "runtime/mark.h"
#include "runtime/stream.h"
#include "ze/device.h"

namespace xpu::runtime {

class Memory;

// Raw numbers; the C door turns them into CUDA's attributes.
struct DeviceProperties {
  std::string name;
  uint32_t type = 0;  // as ze_device_type_t: 1 GPU, 2 CPU
  bool integrated = false;
  uint8_t uuid[16] = {};
  uint32_t vendor = 0, id = 0;
  uint32_t core_clock_mhz = 0;
  uint32_t memory_clock_mhz = 0, memory_bus_bits = 0;
  size_t memory = 0;
  size_t max_allocation = 0;
  uint32_t max_group_size = 0;
  uint32_t max_group[3] = {};   // work-items in each dimension
  uint32_t max_groups[3] = {};  // groups in each dimension
  uint32_t local_memory = 0;    // bytes for each group
  uint32_t subgroup = 0;        // the largest sub-group size
  uint32_t compute_units = 0;
  uint32_t threads_per_unit = 0;
  double ticks_per_second = 0;  // of the clock that timestamps are in
  uint64_t tick_mask = 0;
  uint64_t kernel_tick_mask = 0;  // of the same clock, as events with timestamps have it
  bool unified_memory = false;    // managed memory works
  bool concurrent_managed = false;
  bool system_memory = false;  // kernels may touch pageable memory
};

class Device {
 public:
  static Result<std::unique_ptr<Device>> make(int index, const ze::Driver& driver,
                                              ze_device_handle_t handle, Memory& memory);
  ~Device();

  int index() const noexcept { return index_; }
  ze::Device& ze() const noexcept { return *ze_; }
  const DeviceProperties& properties() const noexcept { return properties_; }
  Memory& memory() const noexcept { return memory_; }
  Marks& marks() const noexcept { return *marks_; }
  Lanes& lanes() noexcept { return lanes_; }
  DefaultOrder& default_order() noexcept { return default_order_; }
  // Whether memory can be mapped into addresses that were reserved before; tried at the first call.
  bool can_map() noexcept;
  // Whether commands here may touch memory of that device.
  Result<bool> can_reach(const Device& other) const;
  // Whether lists take waits for 64 bits in memory; tried at the first call. Intel's bmg takes 32.
  bool can_wait_for_64_bits() noexcept;
  // How often mapped memory was taken away from addresses that stay, on any device: a graph may
  // have nodes on several. A command list holds on to the memory that was there when a command was
  // appended, whoever owns it, so lists made before that must be made again.
  static uint64_t unmappings() noexcept { return unmappings_.load(std::memory_order_acquire); }
  static void unmapped() noexcept { unmappings_.fetch_add(1, std::memory_order_acq_rel); }

  // Made at first use.
  Result<Stream*> legacy_stream();
  // This thread's; it goes when its work is done after the thread has ended.
  Result<Stream*> per_thread_stream();
  // Numerically lower is more urgent: greatest <= least.
  int least_priority() const noexcept { return 0; }
  int greatest_priority() const noexcept { return -1; }
  Result<ze::List> new_list(int priority);

  // Holds a thing until what is queued now is over; then it goes soon, also if nobody calls.
  void keep_while_running(std::shared_ptr<const void> thing) noexcept;

  // Waits for every stream and lane. The first failure, kept errors included.
  Status synchronize();
  // Every stream that has not been destroyed, and those whose work still runs.
  template <class Visit>
  void each_stream(Visit&& visit);

  std::vector<std::shared_ptr<Stream>> streams() const;
  void enter(const std::shared_ptr<Stream>& stream);
  // Takes over a stream that the program is done with, until its work is.
  void retire(std::shared_ptr<Stream> stream) noexcept;

 private:
  Device(int index, std::unique_ptr<ze::Device> device, Memory& memory);
  Status read_properties();
  Status read_limits();
  Status read_memory();
  bool is_over(Stream& stream) noexcept;
  void reap() noexcept;

  const int index_;
  const uint64_t serial_;  // never used again, unlike an address
  std::unique_ptr<ze::Device> ze_;
  Memory& memory_;
  DeviceProperties properties_;
  std::shared_ptr<Marks> marks_;
  Lanes lanes_;
  DefaultOrder default_order_;
  mutable std::mutex lock_;  // guards all below
  std::shared_ptr<Stream> legacy_;
  std::atomic<Stream*> legacy_made_{nullptr};
  mutable std::vector<std::weak_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<Stream>> retired_;
  // Per-thread default streams; each goes after its thread, which holds the token.
  struct ThreadStream {
    std::weak_ptr<const void> token;
    std::shared_ptr<Stream> stream;
  };
  std::vector<ThreadStream> thread_streams_;
  std::atomic<uint32_t> next_queue_{0};
  std::once_flag map_tried_;
  bool can_map_ = false;
  std::once_flag wait_tried_;
  bool can_wait_for_64_bits_ = false;
  static inline std::atomic<uint64_t> unmappings_{0};
};

template <class Visit>
void Device::each_stream(Visit&& visit) {
  for (const std::shared_ptr<Stream>& stream : streams()) visit(*stream);
}

}  // namespace xpu::runtime
