// SPDX-License-Identifier: Apache-2.0
// Command lists: creation, closing, and what a list can be asked.
#include "cpu/list.h"

#include "cpu/mutable.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

namespace {

// RELAXED_ORDERING to COPY_OFFLOAD_HINT of specification 1.17.
constexpr ze_command_list_flags_t kListFlags = 0x3f;

template <class T, class Get>
ze_result_t answer(ze_command_list_handle_t handle, T* out, Get get) {
  List* list = cast<List>(handle);
  if (!list) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = get(*list);
  return ZE_RESULT_SUCCESS;
}

}  // namespace

List::List(QueueShape shape, ze_command_list_flags_t flags, bool is_mutable)
    : Object(kType),
      shape_(std::move(shape)),
      flags_(flags),
      in_order_(flags & ZE_COMMAND_LIST_FLAG_IN_ORDER),
      mutable_(is_mutable) {
  reset();
}

List::List(QueueShape shape)
    : Object(kType),
      shape_(std::move(shape)),
      flags_(0),
      in_order_(shape_.flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER),
      mutable_(false),
      channel_(std::make_shared<Channel>(shape_.worker(), in_order_)),
      counter_(std::make_shared<Counter>()) {}

Code& List::writable() {
  // Runs read the code without a lock: one that is in flight is left to them.
  if (code_->in_flight.load(std::memory_order_acquire)) code_ = std::make_shared<Code>(*code_);
  return *code_;
}

bool List::in_flight() const noexcept {
  return immediate() ? !channel_->idle() : code_->in_flight.load(std::memory_order_acquire) != 0;
}

void List::close() noexcept {
  closed_ = true;
  updated_ = false;
  changed_.clear();
}

void List::open_for_update() noexcept {
  closed_ = false;
  updated_ = true;
}

void List::reset() {
  auto code = std::make_shared<Code>();
  code->in_order = in_order_;
  // A new one: marks that events hold from before the reset stay as reached as they were.
  if (in_order_) code->counter = std::make_shared<Counter>();
  code_ = std::move(code);
  commands_.clear();
  changed_.clear();
  closed_ = updated_ = false;
}

ze_result_t List::append(std::unique_ptr<Submission> submission, uint64_t* await) {
  if (immediate()) {
    const uint64_t count = channel_->submit(std::move(submission));
    if (shape_.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) *await = count;
    return ZE_RESULT_SUCCESS;
  }
  const bool named = !commands_.empty() && commands_.back().instruction == MutableCommand::kUnused;
  if (named) {
    const ze_result_t result = check_mutable(submission->head, commands_.back());
    if (result != ZE_RESULT_SUCCESS) return result;
    commands_.back().instruction = code_->instructions.size();
  }
  if (code_->name.empty()) code_->name = Handles::describe(handle());
  if (named || !code_->take_in(submission->head)) code_->append(std::move(submission->head));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                const ze_command_list_desc_t* desc, ze_command_list_handle_t* out) {
  if (desc && (desc->flags & ~kListFlags)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (desc && desc->commandQueueGroupOrdinal >= kQueueGroupCount) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  ze_command_queue_desc_t queue{};
  if (desc) queue.ordinal = desc->commandQueueGroupOrdinal;
  QueueShape shape;
  const ze_result_t result = QueueShape::read(context, device, desc ? &queue : nullptr, &shape);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const uint32_t both = ZE_COMMAND_LIST_FLAG_IN_ORDER | ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING;
  if ((desc->flags & both) == both) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "IN_ORDER and RELAXED_ORDERING exclude each other");
  }
  if ((desc->flags & ZE_COMMAND_LIST_FLAG_IN_ORDER) && !has(Feature::in_order)) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  bool is_mutable = false;
  for (auto* d = static_cast<const ze_base_desc_t*>(desc->pNext); d;
       d = static_cast<const ze_base_desc_t*>(d->pNext)) {
    if (d->stype == ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC) is_mutable = true;
  }
  if (is_mutable && !has(Feature::mutable_lists)) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return publish(std::make_shared<List>(std::move(shape), desc->flags, is_mutable), out);
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                         const ze_command_queue_desc_t* desc,
                                         ze_command_list_handle_t* out) {
  QueueShape shape;
  const ze_result_t result = QueueShape::read(context, device, desc, &shape);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return publish(std::make_shared<List>(std::move(shape)), out);
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t handle) {
  List* list = cast<List>(handle);
  if (!list) return refused(handle);
  if (strict() && list->in_flight()) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " is destroyed while it is in flight");
  }
  (void)retire<List>(handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListClose(ze_command_list_handle_t handle) {
  auto list = share<List>(handle);
  if (!list) return refused(handle);
  std::lock_guard lock(list->mutex());
  // Programs written for both kinds close and reset immediate lists too; there it means nothing.
  if (list->immediate()) return ZE_RESULT_SUCCESS;
  if (list->updated()) {
    const ze_result_t result = check_updated(__func__, *list);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  list->close();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t handle) {
  auto list = share<List>(handle);
  if (!list) return refused(handle);
  std::lock_guard lock(list->mutex());
  if (list->immediate()) return ZE_RESULT_SUCCESS;
  if (strict() && list->in_flight()) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " is reset while it is in flight");
  }
  list->reset();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t handle, uint64_t timeout) {
  auto list = share<List>(handle);
  if (!list) return refused(handle);
  if (!list->immediate()) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                  " is not an immediate list");
  }
  return list->channel().wait(list->channel().submitted(), timeout);
}

ze_result_t zeCommandListGetDeviceHandle(ze_command_list_handle_t handle, ze_device_handle_t* out) {
  return answer(handle, out, [](const List& list) {
    return static_cast<ze_device_handle_t>(list.device()->handle());
  });
}

ze_result_t zeCommandListGetContextHandle(ze_command_list_handle_t handle,
                                          ze_context_handle_t* out) {
  return answer(handle, out, [](const List& list) {
    return static_cast<ze_context_handle_t>(list.shape().context->handle());
  });
}

ze_result_t zeCommandListGetOrdinal(ze_command_list_handle_t handle, uint32_t* out) {
  return answer(handle, out, [](const List& list) { return list.ordinal(); });
}

ze_result_t zeCommandListIsImmediate(ze_command_list_handle_t handle, ze_bool_t* out) {
  return answer(handle, out, [](const List& list) { return ze_bool_t(list.immediate()); });
}

ze_result_t zeCommandListGetFlags(ze_command_list_handle_t handle, ze_command_list_flags_t* out) {
  return answer(handle, out, [](const List& list) { return list.flags(); });
}

}  // namespace xpu::cpu
