// SPDX-License-Identifier: Apache-2.0
// Command lists. A regular one collects instructions; an immediate one submits each as it is
// appended.
#pragma once

#include "spec/levelzero.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/channel.h"
#include "cpu/code.h"
#include "cpu/handle.h"
#include "cpu/queue.h"

namespace xpu::cpu {

// What zeCommandListGetNextCommandId gave an id to.
struct MutableCommand {
  static constexpr size_t kUnused = SIZE_MAX;  // no command was appended after the id was given out
  size_t instruction = kUnused;
  ze_mutable_command_exp_flags_t flags = 0;
  std::vector<std::shared_ptr<Kernel>> kernels;  // that may replace its kernel
};

class List : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::list;
  // Regular.
  List(QueueShape shape, ze_command_list_flags_t flags, bool is_mutable);
  // Immediate.
  explicit List(QueueShape shape);

  bool immediate() const noexcept { return channel_ != nullptr; }
  bool in_order() const noexcept { return in_order_; }
  bool is_mutable() const noexcept { return mutable_; }
  bool closed() const noexcept { return closed_; }
  bool updated() const noexcept { return updated_; }
  const QueueShape& shape() const noexcept { return shape_; }
  uint32_t ordinal() const noexcept { return shape_.ordinal; }
  const std::shared_ptr<Device>& device() const noexcept { return shape_.device; }
  ze_command_list_flags_t flags() const noexcept { return flags_; }

  // Regular lists.
  const std::shared_ptr<Code>& code() const noexcept { return code_; }
  // For changes: not the one that a run in flight reads.
  Code& writable();
  bool in_flight() const noexcept;
  void close() noexcept;
  void reset();
  void open_for_update() noexcept;
  // Instructions that were changed since the list was closed; closing it again looks at these alone,
  // so that an update costs the same in a list of any length.
  std::vector<size_t>& changed() noexcept { return changed_; }
  std::vector<MutableCommand>& commands() noexcept { return commands_; }

  // Immediate lists.
  Channel& channel() const noexcept { return *channel_; }

  // Guards an append, which immediate lists allow from several threads in one case (closed lists).
  std::mutex& mutex() noexcept { return mutex_; }
  // The counter that this list's commands raise, and the value for the command appended next.
  std::shared_ptr<Counter> counter() const noexcept {
    return immediate() ? counter_ : code_->counter;
  }
  uint64_t next_mark() noexcept { return immediate() ? ++marks_ : ++code_->marks; }
  // Regular: adds it to the code. Immediate: submits it, and in synchronous mode `*await` becomes
  // how many submissions to wait for.
  ze_result_t append(std::unique_ptr<Submission> submission, uint64_t* await);

 private:
  const QueueShape shape_;
  const ze_command_list_flags_t flags_;
  const bool in_order_;
  const bool mutable_;
  bool closed_ = false;
  bool updated_ = false;  // and not closed since
  std::mutex mutex_;
  std::shared_ptr<Code> code_;
  std::vector<MutableCommand> commands_;
  std::vector<size_t> changed_;
  std::shared_ptr<Channel> channel_;
  std::shared_ptr<Counter> counter_;
  uint64_t marks_ = 0;
};

ze_result_t zeCommandListCreate(ze_context_handle_t, ze_device_handle_t,
                                const ze_command_list_desc_t*, ze_command_list_handle_t*);
ze_result_t zeCommandListCreateImmediate(ze_context_handle_t, ze_device_handle_t,
                                         const ze_command_queue_desc_t*, ze_command_list_handle_t*);
ze_result_t zeCommandListDestroy(ze_command_list_handle_t);
ze_result_t zeCommandListClose(ze_command_list_handle_t);
ze_result_t zeCommandListReset(ze_command_list_handle_t);
ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t, uint64_t);
ze_result_t zeCommandListGetDeviceHandle(ze_command_list_handle_t, ze_device_handle_t*);
ze_result_t zeCommandListGetContextHandle(ze_command_list_handle_t, ze_context_handle_t*);
ze_result_t zeCommandListGetOrdinal(ze_command_list_handle_t, uint32_t*);
ze_result_t zeCommandListIsImmediate(ze_command_list_handle_t, ze_bool_t*);
ze_result_t zeCommandListGetFlags(ze_command_list_handle_t, ze_command_list_flags_t*);
ze_result_t zeCommandListImmediateGetIndex(ze_command_list_handle_t, uint32_t*);
ze_result_t zeCommandListImmediateGetFlags(ze_command_list_handle_t, ze_command_queue_flags_t*);
ze_result_t zeCommandListImmediateGetMode(ze_command_list_handle_t, ze_command_queue_mode_t*);
ze_result_t zeCommandListImmediateGetPriority(ze_command_list_handle_t,
                                              ze_command_queue_priority_t*);
ze_result_t zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t, uint32_t,
                                                        ze_command_list_handle_t*,
                                                        ze_event_handle_t, uint32_t,
                                                        ze_event_handle_t*);
ze_result_t zeCommandListImmediateAppendCommandListsWithParameters(ze_command_list_handle_t,
                                                                   uint32_t,
                                                                   ze_command_list_handle_t*,
                                                                   const void*, ze_event_handle_t,
                                                                   uint32_t, ze_event_handle_t*);

}  // namespace xpu::cpu
