// SPDX-License-Identifier: Apache-2.0
// Command queues: closed lists in, through a channel of the hardware queue's worker.
#pragma once

#include "spec/levelzero.h"

#include <cstdint>
#include <memory>

#include "cpu/channel.h"
#include "cpu/context.h"
#include "cpu/device.h"
#include "cpu/handle.h"

namespace xpu::cpu {

class Worker;

// What a command queue and an immediate list are created with.
struct QueueShape {
  std::shared_ptr<Context> context;
  std::shared_ptr<Device> device;
  uint32_t ordinal = 0;
  uint32_t index = 0;
  ze_command_queue_flags_t flags = 0;
  ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  ze_command_queue_priority_t priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL;

  // Checks handles and descriptor and fills `shape`.
  static ze_result_t read(ze_context_handle_t context, ze_device_handle_t device,
                          const ze_command_queue_desc_t* desc, QueueShape* shape);
  Worker& worker() const;
};

class Queue : public Object {
 public:
  static constexpr ObjectType kType = ObjectType::queue;
  explicit Queue(QueueShape shape)
      : Object(kType),
        shape_(std::move(shape)),
        worker_(shape_.worker()),
        channel_(std::make_shared<Channel>(worker_, true)) {}
  const QueueShape& shape() const noexcept { return shape_; }
  Worker& worker() const noexcept { return worker_; }
  // Lists of one queue run one after the other: the specification promises less, so this hides a
  // missing barrier between lists, but programs rely on it and every real driver does it.
  Channel& channel() const noexcept { return *channel_; }

 private:
  const QueueShape shape_;
  Worker& worker_;
  const std::shared_ptr<Channel> channel_;
};

// Closed lists made ready to be submitted to a queue or immediate list of that shape.
ze_result_t gather_lists(const char* function, const QueueShape& target, uint32_t count,
                         ze_command_list_handle_t* lists, Submission* submission);

ze_result_t zeCommandQueueCreate(ze_context_handle_t, ze_device_handle_t,
                                 const ze_command_queue_desc_t*, ze_command_queue_handle_t*);
ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t);
ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t, uint32_t,
                                              ze_command_list_handle_t*, ze_fence_handle_t);
ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t, uint64_t);
ze_result_t zeCommandQueueGetOrdinal(ze_command_queue_handle_t, uint32_t*);
ze_result_t zeCommandQueueGetIndex(ze_command_queue_handle_t, uint32_t*);
ze_result_t zeCommandQueueGetFlags(ze_command_queue_handle_t, ze_command_queue_flags_t*);
ze_result_t zeCommandQueueGetMode(ze_command_queue_handle_t, ze_command_queue_mode_t*);
ze_result_t zeCommandQueueGetPriority(ze_command_queue_handle_t, ze_command_queue_priority_t*);

}  // namespace xpu::cpu
