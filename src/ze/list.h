// SPDX-License-Identifier: Apache-2.0
// Command lists, regular and immediate: one method per command, each with its fallback inside, so
// that callers see one device.
#pragma once

#include <memory>
#include <span>

#include "base/status.h"
#include "ze/device.h"
#include "ze/own.h"

namespace xpu::ze {

class Bridge;
class HostGate;
struct HostCall;

// The event a command signals when it is complete, and those it waits for before it starts.
// A counter-based event may be signalled only on an ordered() list.
struct Sync {
  ze_event_handle_t signal = nullptr;
  std::span<const ze_event_handle_t> waits = {};
};
inline constexpr Sync kNoSync;

// Bytes from one pitched volume to another; positions are folded into the addresses.
struct Copy {
  void* dst = nullptr;
  const void* src = nullptr;
  size_t width = 0;                     // bytes in a row
  size_t height = 1;                    // rows in a slice
  size_t depth = 1;                     // slices
  size_t dst_pitch = 0, src_pitch = 0;  // bytes from row to row; unused for one row
  size_t dst_slice = 0, src_slice = 0;  // bytes from slice to slice; unused for one slice
};

struct Fill {
  void* dst = nullptr;
  uint32_t value = 0;         // its low element_size bytes are written
  uint32_t element_size = 1;  // 1, 2 or 4 bytes
  size_t width = 0;           // elements in a row
  size_t height = 1;
  size_t pitch = 0;  // bytes from row to row; unused for one row
};

// How a value in memory is to compare with a wait's; with the driver's numbers.
enum class Compare : uint32_t {
  equal = ZE_WAIT_ON_MEMORY_EQUAL,
  greater_or_equal = ZE_WAIT_ON_MEMORY_GREATER_OR_EQUAL,
};

using HostFunction = void (*)(void*);
// `before` says whether what comes before it could be waited for.
using ThreadFunction = void (*)(void* data, ze_result_t before);

class List {
 public:
  struct Immediate {
    uint32_t ordinal = 0;
    uint32_t index = 0;
    ze_command_queue_priority_t priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
  };
  struct Regular {
    uint32_t ordinal = 0;
    bool ordered = false;    // each command waits for the one before
    bool patchable = false;  // a mutable list; needs Features::mutable_commands
  };

  // Asynchronous and ordered.
  static Result<List> immediate(Device& device, const Immediate& what);
  static Result<List> regular(Device& device, const Regular& what);
  // Somebody else's immediate list. It must be asynchronous and in order.
  static Result<List> borrow(Device& device, ze_command_list_handle_t list);

  List() noexcept;
  List(List&&) noexcept;
  List& operator=(List&&) noexcept;
  ~List();

  // Arguments and group size are the kernel handle's at this moment.
  Status launch(ze_kernel_handle_t kernel, const ze_group_count_t& groups,
                const Sync& sync = kNoSync);
  // All groups at the same time; only with Engines::cooperative.
  Status launch_cooperative(ze_kernel_handle_t kernel, const ze_group_count_t& groups,
                            const Sync& sync = kNoSync);
  // As one command whatever the number of driver commands it takes: the signal comes after all.
  Status copy(const Copy& copy, const Sync& sync = kNoSync);
  Status fill(const Fill& fill, const Sync& sync = kNoSync);
  // Whether the driver gets one command for it, so that an event tells when all of it ran.
  static bool is_one_command(const Copy& copy) noexcept;
  static bool is_one_command(const Fill& fill) noexcept;
  // Everything before it is complete before anything after it starts.
  Status barrier() {
    if (ordered_) return Status();
    return order_by_barrier();
  }
  Status barrier(const Sync& sync);
  // Signals after everything before it (on an ordered list).
  Status signal(ze_event_handle_t event);
  Status wait(std::span<const ze_event_handle_t> events);
  // The device's clock, written when the list gets there; `at` is host memory of the context.
  Status write_timestamp(uint64_t* at, const Sync& sync = kNoSync);
  // Runs on a thread of the driver or of ours; must not call this library or Level Zero. On a
  // regular list only with Features::host_function.
  Status host_function(HostFunction function, void* user_data, const Sync& sync = kNoSync);
  // Immediate lists only. Runs on a thread of this list's, which may call this library's floors and
  // Level Zero; the list goes on when it returns. `taken` says, also after a failure, whether it
  // will be called.
  Status thread_function(ThreadFunction function, void* data, const Sync& sync, bool& taken);
  // Writes 4 or 8 bytes after everything before it (on an ordered list).
  Status write_value(void* at, uint64_t value, size_t bytes);
  // With Features::memory_waits only: what comes after it waits until 4 or 8 bytes compare so.
  Status wait_value(void* at, uint64_t value, size_t bytes, Compare compare);
  // Immediate lists with Features::semaphores only; the arrays are read during the call.
  Status signal_semaphores(std::span<const ze_external_semaphore_ext_handle_t> semaphores,
                           const ze_external_semaphore_signal_params_ext_t* params,
                           const Sync& sync = kNoSync);
  Status wait_semaphores(std::span<const ze_external_semaphore_ext_handle_t> semaphores,
                         const ze_external_semaphore_wait_params_ext_t* params,
                         const Sync& sync = kNoSync);
  // Immediate lists only: closed lists of the same ordinal, in array order, as one unit.
  Status append_lists(std::span<const ze_command_list_handle_t> lists, const Sync& sync = kNoSync);

  // Regular lists only.
  Status close();
  Status reset();

  // Immediate lists with Features::list_sync only (runtime::Queue has the fallback); from any
  // thread, also while others append: waits for what is in it now; xpuErrorNotReady after
  // `timeout_ns`.
  Status synchronize(uint64_t timeout_ns);

  ze_command_list_handle_t get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  Device& device() const noexcept { return *device_; }
  uint32_t ordinal() const noexcept { return ordinal_; }
  bool is_immediate() const noexcept { return immediate_; }
  // Somebody else's, who may append to it, too.
  bool borrowed() const noexcept { return handle_ && !own_; }
  bool ordered() const noexcept { return ordered_; }
  // Of a copy-only queue group.
  bool is_copy_only() const noexcept { return copy_only_; }

 private:
  List(Device& device, ze_command_list_handle_t handle) noexcept;
  Status append_gated(const HostCall& call, const Sync& sync, bool& taken);
  // What an in-order list does by itself, where the driver has none.
  Status before() {
    if (emulated_) [[unlikely]]
      return order_by_barrier();
    return Status();
  }
  Status order_by_barrier();

  OwnList own_;
  Device* device_ = nullptr;
  ze_command_list_handle_t handle_ = nullptr;
  uint32_t ordinal_ = 0;
  uint32_t index_ = 0;
  bool immediate_ = false;
  bool ordered_ = false;
  bool emulated_ = false;  // ordered by barriers of ours
  bool copy_only_ = false;
  std::unique_ptr<Bridge> bridge_;
  std::unique_ptr<HostGate> gate_;  // made by the first host function
};

// Whether the device's lists take waits for 64 bits: one is asked, and never runs.
bool can_wait_for_64_bits(Device& device) noexcept;

}  // namespace xpu::ze
