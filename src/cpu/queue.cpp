// SPDX-License-Identifier: Apache-2.0
// Command queues.
#include "cpu/queue.h"

#include "cpu/account.h"
#include "cpu/list.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

namespace {
// EXPLICIT_ONLY, IN_ORDER, COPY_OFFLOAD_HINT.
constexpr ze_command_queue_flags_t kQueueFlags = 7;

template <class T>
ze_result_t answer(ze_command_queue_handle_t handle, T QueueShape::*member, T* out) {
  Queue* queue = cast<Queue>(handle);
  if (!queue) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = queue->shape().*member;
  return ZE_RESULT_SUCCESS;
}
}  // namespace

ze_result_t QueueShape::read(ze_context_handle_t context, ze_device_handle_t device,
                             const ze_command_queue_desc_t* desc, QueueShape* shape) {
  shape->context = share<Context>(context);
  if (!shape->context) return refused(context);
  shape->device = share<Device>(device);
  if (!shape->device) return refused(device);
  if (!desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if ((desc->flags & ~kQueueFlags) || desc->mode > ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS ||
      desc->priority > ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if ((desc->flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER) && !has(Feature::in_order)) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  if (desc->index >= queue_count(desc->ordinal)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  shape->ordinal = desc->ordinal;
  shape->index = desc->index;
  shape->flags = desc->flags;
  shape->mode = desc->mode;
  shape->priority = desc->priority;
  return ZE_RESULT_SUCCESS;
}

Worker& QueueShape::worker() const { return Workers::at(device->index(), ordinal, index); }

ze_result_t gather_lists(const char* function, const QueueShape& target, uint32_t count,
                         ze_command_list_handle_t* lists, Submission* submission) {
  submission->lists.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    const std::shared_ptr<List> list = share<List>(lists[i]);
    if (!list) {
      return misuse(function, refused(lists[i]), "list ", i, " is ", Handles::describe(lists[i]));
    }
    // Only for reports: spelling it out was a third of a launch.
    const auto name = [&] { return Handles::describe(lists[i]); };
    if (list->immediate()) {
      return misuse(function, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, name(), " is immediate");
    }
    if (list->ordinal() != target.ordinal || list->device() != target.device) {
      return misuse(function, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, name(), " of device ",
                    list->device()->index(), " ordinal ", list->ordinal(),
                    " is submitted to device ", target.device->index(), " ordinal ",
                    target.ordinal);
    }
    if (!list->closed()) {
      return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, name(),
                    list->updated() ? " was updated and not closed again" : " is not closed");
    }
    for (uint32_t j = 0; strict() && j < i; ++j) {
      if (lists[j] == lists[i]) {
        return misuse(function, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, name(),
                      " is submitted twice in one call");
      }
    }
    submission->lists.push_back(list->code());
  }
  const ze_result_t result = account::check(function, *submission);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (const auto& code : submission->lists) {
    if (code->marks) code->counter->restart();
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_command_queue_desc_t* desc,
                                 ze_command_queue_handle_t* out) {
  QueueShape shape;
  const ze_result_t result = QueueShape::read(context, device, desc, &shape);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return publish(std::make_shared<Queue>(std::move(shape)), out);
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t handle) {
  Queue* queue = cast<Queue>(handle);
  if (!queue) return refused(handle);
  if (strict() && !queue->channel().idle()) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " is destroyed while its submissions are in flight");
  }
  (void)retire<Queue>(handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t handle, uint32_t count,
                                              ze_command_list_handle_t* lists,
                                              ze_fence_handle_t fence_handle) {
  auto queue = share<Queue>(handle);
  if (!queue) return refused(handle);
  if (!lists) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (count == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  auto submission = std::make_unique<Submission>();
  submission->head.function = __func__;
  if (fence_handle) {
    submission->fence = share<Fence>(fence_handle);
    if (!submission->fence) return refused(fence_handle);
    if (submission->fence->queue() != queue) {
      return misuse(__func__, ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT,
                    Handles::describe(fence_handle), " belongs to another queue");
    }
  }
  const ze_result_t result = gather_lists(__func__, queue->shape(), count, lists, submission.get());
  if (result != ZE_RESULT_SUCCESS) return result;
  if (submission->fence) submission->fence->in_flight.fetch_add(1, std::memory_order_acq_rel);
  const uint64_t at = queue->channel().submit(std::move(submission));
  if (queue->shape().mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) return ZE_RESULT_SUCCESS;
  return queue->channel().wait(at, UINT64_MAX);
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t handle, uint64_t timeout) {
  auto queue = share<Queue>(handle);
  if (!queue) return refused(handle);
  return queue->channel().wait(queue->channel().submitted(), timeout);
}

ze_result_t zeCommandQueueGetOrdinal(ze_command_queue_handle_t handle, uint32_t* out) {
  return answer(handle, &QueueShape::ordinal, out);
}
ze_result_t zeCommandQueueGetIndex(ze_command_queue_handle_t handle, uint32_t* out) {
  return answer(handle, &QueueShape::index, out);
}
ze_result_t zeCommandQueueGetFlags(ze_command_queue_handle_t handle,
                                   ze_command_queue_flags_t* out) {
  return answer(handle, &QueueShape::flags, out);
}
ze_result_t zeCommandQueueGetMode(ze_command_queue_handle_t handle, ze_command_queue_mode_t* out) {
  return answer(handle, &QueueShape::mode, out);
}
ze_result_t zeCommandQueueGetPriority(ze_command_queue_handle_t handle,
                                      ze_command_queue_priority_t* out) {
  return answer(handle, &QueueShape::priority, out);
}

}  // namespace xpu::cpu
