// SPDX-License-Identifier: Apache-2.0
// Owners for Level Zero handles.
#pragma once

#include <utility>

#include "base/log.h"
#include "ze/result.h"
#include "ze/table.h"

namespace xpu::ze {

// Teardown cannot fail: a refusal is logged with the handle and the object counts as gone.
template <class Handle, auto Destroy>
class Own {
 public:
  Own() noexcept = default;
  Own(const Table& table, Handle handle) noexcept : table_(&table), handle_(handle) {}
  Own(Own&& other) noexcept
      : table_(other.table_), handle_(std::exchange(other.handle_, nullptr)) {}
  Own& operator=(Own&& other) noexcept {
    if (this != &other) {
      reset();
      table_ = other.table_;
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Own() { reset(); }

  void reset() noexcept {
    if (!handle_) return;
    const ze_result_t result = (table_->*Destroy)(handle_);
    if (result != ZE_RESULT_SUCCESS)
      XPU_LOG(error, "destroying handle %p: %s", static_cast<void*>(handle_), result_name(result));
    handle_ = nullptr;
  }
  Handle get() const noexcept { return handle_; }
  Handle release() noexcept { return std::exchange(handle_, nullptr); }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  const Table* table_ = nullptr;
  Handle handle_ = nullptr;
};

using OwnContext = Own<ze_context_handle_t, &Table::ContextDestroy>;
using OwnQueue = Own<ze_command_queue_handle_t, &Table::CommandQueueDestroy>;
using OwnList = Own<ze_command_list_handle_t, &Table::CommandListDestroy>;
using OwnEventPool = Own<ze_event_pool_handle_t, &Table::EventPoolDestroy>;
using OwnEvent = Own<ze_event_handle_t, &Table::EventDestroy>;
using OwnModule = Own<ze_module_handle_t, &Table::ModuleDestroy>;
using OwnBuildLog = Own<ze_module_build_log_handle_t, &Table::ModuleBuildLogDestroy>;
using OwnKernel = Own<ze_kernel_handle_t, &Table::KernelDestroy>;

using OwnSemaphore =
    Own<ze_external_semaphore_ext_handle_t, &Table::DeviceReleaseExternalSemaphoreExt>;

}  // namespace xpu::ze
