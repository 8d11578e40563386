// SPDX-License-Identifier: Apache-2.0
// What all contenders stand on: one driver, one device, one context, one kernel, the same buffers.
//
// Only opening the driver is the library's code (src/ze); what is called afterwards are the
// driver's own functions, so nothing of libxpugraph is in the way of those who write Level Zero by
// hand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shape.h"
#include "ze/device.h"

namespace cost {

// Ends what is being measured; the message is the reason shown in its place.
[[noreturn]] void bad(ze_result_t result, const char* call);
inline void good(ze_result_t result, const char* call) {
  if (result != ZE_RESULT_SUCCESS) [[unlikely]]
    bad(result, call);
}
#define GOOD(call) cost::good(call, #call)

// Larger than what drivers take from a pool of small allocations, where many would share one.
inline constexpr size_t kBufferBytes = 4 << 20;

class Ground {
 public:
  // `driver` is "gpu", "loader" or the path of a driver to open directly.
  Ground(const std::string& driver, const std::string& spirv_path);
  ~Ground();
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  const xpu::ze::Table& calls() const { return driver_->table(); }
  const xpu::ze::Driver& driver() const { return *driver_; }
  const xpu::ze::Device& device() const { return *device_; }
  const std::string& driver_path() const { return path_; }  // empty: the loader
  const std::vector<char>& image() const { return image_; }

  void need_buffers(int count);
  void* const* buffer(int index) const { return &buffers_[index]; }
  // Another one, which no shape uses: what an update changes a node's buffer to.
  void* const* spare() const { return &spare_; }

  ze_command_list_handle_t immediate() const;
  ze_command_list_handle_t regular(const void* extension = nullptr) const;

  // Sets the arguments of a node and appends it.
  void append(ze_command_list_handle_t list, int number, const Node& node,
              ze_event_handle_t signal = nullptr, uint32_t wait_count = 0,
              ze_event_handle_t* waits = nullptr) const {
    const ze_group_count_t one = {1, 1, 1};
    const xpu::ze::Table& ze = calls();
    GOOD(ze.KernelSetArgumentValue(kernel_, 0, sizeof(void*), buffer(node.buffer)));
    GOOD(ze.KernelSetArgumentValue(kernel_, 1, sizeof number, &number));
    GOOD(ze.CommandListAppendLaunchKernel(list, kernel_, &one, signal, wait_count, waits));
  }

 private:
  void* new_buffer() const;

  std::unique_ptr<xpu::ze::Driver> driver_;
  std::unique_ptr<xpu::ze::Device> device_;
  std::string path_;
  std::vector<char> image_;
  std::vector<void*> buffers_;
  void* spare_ = nullptr;
  ze_module_handle_t module_ = nullptr;
  ze_kernel_handle_t kernel_ = nullptr;
};

}  // namespace cost
