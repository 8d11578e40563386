// SPDX-License-Identifier: Apache-2.0
// Giving commands ids and changing them.
//
// An update is prepared on copies and then put in as a whole, so a refused one changes nothing.
// That is more than Intel's driver promises, which applies descriptors one by one until one is
// refused.
#include "cpu/mutable.h"

#include <map>

#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

constexpr ze_mutable_command_exp_flags_t kAll = 0x7f;
constexpr ze_mutable_command_exp_flags_t kWithoutKernel =
    kAll & ~static_cast<uint32_t>(ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION);

// A mutable list that may be changed now, under its lock.
class Update {
 public:
  Update(const char* function, ze_command_list_handle_t handle)
      : function_(function), list_(share<List>(handle)) {
    if (!list_) {
      result_ = refused(handle);
      return;
    }
    lock_ = std::unique_lock(list_->mutex());
    const std::string name = Handles::describe(handle);
    if (!list_->is_mutable()) {
      result_ = misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, name,
                       " was not created as a mutable list");
    } else if (!list_->closed() && !list_->updated()) {
      result_ = misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, name,
                       " is not closed: commands are updated after recording");
    } else if (strict() && list_->in_flight()) {
      result_ = misuse(function, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, name,
                       " is updated while it is in flight");
    }
  }
  bool ok() const noexcept { return result_ == ZE_RESULT_SUCCESS; }
  ze_result_t result() const noexcept { return result_; }
  List& list() noexcept { return *list_; }

  // The command with that id, which must have been recorded with `flag`.
  ze_result_t find(uint64_t id, ze_mutable_command_exp_flags_t flag, MutableCommand** out) {
    auto& commands = list_->commands();
    if (id == 0 || id > commands.size() ||
        commands[id - 1].instruction == MutableCommand::kUnused) {
      return misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, "command id ", id,
                    " names no command of ", Handles::describe(list_->handle()));
    }
    if (!(commands[id - 1].flags & flag)) {
      return misuse(function_, ZE_RESULT_ERROR_INVALID_ARGUMENT, "command ", id,
                    " was not recorded with mutation flag ", flag);
    }
    *out = &commands[id - 1];
    return ZE_RESULT_SUCCESS;
  }

 private:
  const char* function_;
  std::shared_ptr<List> list_;
  std::unique_lock<std::mutex> lock_;
  ze_result_t result_ = ZE_RESULT_SUCCESS;
};

// Launches as they will be, by instruction.
using Launches = std::map<size_t, op::Launch>;

void put(List& list, Launches launches) {
  Code& code = list.writable();
  for (auto& [at, launch] : launches) {
    code.instructions[at].operation = std::move(launch);
    list.changed().push_back(at);
  }
  list.open_for_update();
}

ze_result_t find_launch(Update& update, Launches& launches, uint64_t id,
                        ze_mutable_command_exp_flags_t flag, op::Launch** out) {
  MutableCommand* command = nullptr;
  const ze_result_t result = update.find(id, flag, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  const size_t at = command->instruction;
  auto found = launches.find(at);
  if (found == launches.end()) {
    const auto* launch = std::get_if<op::Launch>(&update.list().code()->instructions[at].operation);
    if (!launch) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    found = launches.emplace(at, *launch).first;
  }
  *out = &found->second;
  return ZE_RESULT_SUCCESS;
}

ze_result_t apply_argument(Update& update, Launches& launches,
                           const ze_mutable_kernel_argument_exp_desc_t& d) {
  op::Launch* launch = nullptr;
  const ze_result_t result = find_launch(update, launches, d.commandId,
                                         ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS, &launch);
  if (result != ZE_RESULT_SUCCESS) return result;
  return launch->kernel.set_argument(d.argIndex, d.argSize, d.pArgValue);
}

ze_result_t apply_count(Update& update, Launches& launches,
                        const ze_mutable_group_count_exp_desc_t& d) {
  op::Launch* launch = nullptr;
  const ze_result_t result =
      find_launch(update, launches, d.commandId, ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT, &launch);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!d.pGroupCount) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  launch->count = {d.pGroupCount->groupCountX, d.pGroupCount->groupCountY,
                   d.pGroupCount->groupCountZ};
  return ZE_RESULT_SUCCESS;
}

ze_result_t apply_size(Update& update, Launches& launches,
                       const ze_mutable_group_size_exp_desc_t& d) {
  op::Launch* launch = nullptr;
  const ze_result_t result =
      find_launch(update, launches, d.commandId, ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE, &launch);
  if (result != ZE_RESULT_SUCCESS) return result;
  return launch->kernel.set_group_size(d.groupSizeX, d.groupSizeY, d.groupSizeZ);
}

ze_result_t apply_offset(Update& update, Launches& launches,
                         const ze_mutable_global_offset_exp_desc_t& d) {
  op::Launch* launch = nullptr;
  const ze_result_t result = find_launch(update, launches, d.commandId,
                                         ZE_MUTABLE_COMMAND_EXP_FLAG_GLOBAL_OFFSET, &launch);
  if (result != ZE_RESULT_SUCCESS) return result;
  launch->kernel.offset = {d.offsetX, d.offsetY, d.offsetZ};
  return ZE_RESULT_SUCCESS;
}

ze_result_t apply(Update& update, Launches& launches, const ze_base_desc_t* d) {
  switch (static_cast<uint32_t>(d->stype)) {
    case ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC:
      return apply_argument(update, launches,
                            *reinterpret_cast<const ze_mutable_kernel_argument_exp_desc_t*>(d));
    case ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC:
      return apply_count(update, launches,
                         *reinterpret_cast<const ze_mutable_group_count_exp_desc_t*>(d));
    case ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC:
      return apply_size(update, launches,
                        *reinterpret_cast<const ze_mutable_group_size_exp_desc_t*>(d));
    case ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC:
      return apply_offset(update, launches,
                          *reinterpret_cast<const ze_mutable_global_offset_exp_desc_t*>(d));
    default:
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
}

ze_result_t next_id(const char* function, ze_command_list_handle_t handle,
                    const ze_mutable_command_id_exp_desc_t* desc,
                    std::vector<std::shared_ptr<Kernel>> kernels, uint64_t* out) {
  auto list = share<List>(handle);
  if (!list) return refused(handle);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags & ~kAll) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  std::lock_guard lock(list->mutex());
  const std::string name = Handles::describe(handle);
  if (!list->is_mutable()) {
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, name,
                  " was not created as a mutable list");
  }
  if (list->closed() || list->updated()) {
    return misuse(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, name,
                  " is closed: an id belongs to the next append");
  }
  auto& commands = list->commands();
  MutableCommand command;
  command.flags = desc->flags ? desc->flags : kWithoutKernel;
  command.kernels = std::move(kernels);
  // Asking twice before an append replaces what the first call asked for.
  if (!commands.empty() && commands.back().instruction == MutableCommand::kUnused) {
    commands.back() = std::move(command);
  } else {
    commands.push_back(std::move(command));
  }
  *out = commands.size();
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t check_mutable(const Instruction& instruction, const MutableCommand& command) {
  if (const auto* launch = std::get_if<op::Launch>(&instruction.operation)) {
    if (command.kernels.empty()) return ZE_RESULT_SUCCESS;
    for (const auto& kernel : command.kernels) {
      if (kernel->shared_code() == launch->kernel.code) return ZE_RESULT_SUCCESS;
    }
    return misuse(instruction.function, ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE,
                  "the kernel is none of those the command id was given out for");
  }
  // Intel's driver ends the process in this case.
  if (instruction.waits.empty() && !std::holds_alternative<op::Nothing>(instruction.operation)) {
    return misuse(instruction.function, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "a copy or fill has a command id and no wait events: only those could change");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t check_updated(const char* function, List& list) {
  for (const size_t at : list.changed()) {
    const auto* launch = std::get_if<op::Launch>(&list.code()->instructions[at].operation);
    if (!launch) continue;
    std::string why;
    const ze_result_t result = launch->kernel.check(&why);
    if (result != ZE_RESULT_SUCCESS) return misuse(function, result, why);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListIsMutableExp(ze_command_list_handle_t handle, ze_bool_t* out) {
  List* list = cast<List>(handle);
  if (!list) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = list->is_mutable();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListGetNextCommandIdExp(ze_command_list_handle_t list,
                                             const ze_mutable_command_id_exp_desc_t* desc,
                                             uint64_t* out) {
  if (desc && (desc->flags & ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION)) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "to exchange the kernel, name the kernels with ...IdWithKernelsExp");
  }
  return next_id(__func__, list, desc, {}, out);
}

ze_result_t zeCommandListGetNextCommandIdWithKernelsExp(
    ze_command_list_handle_t list, const ze_mutable_command_id_exp_desc_t* desc, uint32_t count,
    ze_kernel_handle_t* handles, uint64_t* out) {
  if (!desc) return list ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : refused(nullptr);
  const bool exchange = desc->flags & ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION;
  if (exchange && (count == 0 || !handles)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  std::vector<std::shared_ptr<Kernel>> kernels;
  for (uint32_t i = 0; exchange && i < count; ++i) {
    auto kernel = share<Kernel>(handles[i]);
    if (!kernel) return ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE;
    kernels.push_back(std::move(kernel));
  }
  return next_id(__func__, list, desc, std::move(kernels), out);
}

ze_result_t zeCommandListUpdateMutableCommandsExp(ze_command_list_handle_t list,
                                                  const ze_mutable_commands_exp_desc_t* desc) {
  Update update(__func__, list);
  if (!update.ok()) return update.result();
  if (!desc) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  Launches launches;
  for (auto* d = static_cast<const ze_base_desc_t*>(desc->pNext); d;
       d = static_cast<const ze_base_desc_t*>(d->pNext)) {
    const ze_result_t result = apply(update, launches, d);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  put(update.list(), std::move(launches));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t list,
                                                            uint64_t id, ze_event_handle_t handle) {
  Update update(__func__, list);
  if (!update.ok()) return update.result();
  MutableCommand* command = nullptr;
  ze_result_t result = update.find(id, ZE_MUTABLE_COMMAND_EXP_FLAG_SIGNAL_EVENT, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  const size_t at = command->instruction;
  const Signal& old = update.list().code()->instructions[at].signal;
  Signal now;
  if (handle) {
    Event* event = cast<Event>(handle);
    if (!event) return refused(handle);
    if (!old || old.event->counter_based() != event->counter_based() ||
        old.event->has_ticks() != event->state()->has_ticks()) {
      return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, Handles::describe(handle),
                    " is not of the kind that command ", id, " was recorded with");
    }
    now.event = event->state();
    if (event->counter_based()) {
      // The command's place in the list, and so its value, stays.
      now.counter = old.counter;
      now.value = old.value;
      event->mark(now.counter, now.value);
    }
  }
  update.list().writable().instructions[at].signal = std::move(now);
  update.list().open_for_update();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t list,
                                                           uint64_t id, uint32_t count,
                                                           ze_event_handle_t* handles) {
  Update update(__func__, list);
  if (!update.ok()) return update.result();
  MutableCommand* command = nullptr;
  ze_result_t result = update.find(id, ZE_MUTABLE_COMMAND_EXP_FLAG_WAIT_EVENTS, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  const size_t at = command->instruction;
  // Slots stay as many as were recorded, so that a removed wait can be put back.
  const size_t slots = update.list().code()->instructions[at].waits.size();
  if (count > slots || (count && !handles)) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_SIZE, "command ", id, " was recorded with ",
                  slots, " wait events, not ", count);
  }
  std::vector<Wait> waits(slots);
  for (uint32_t i = 0; i < count; ++i) {
    if (!handles[i]) continue;
    Event* event = cast<Event>(handles[i]);
    if (!event) return refused(handles[i]);
    waits[i] = event->wait();
  }
  update.list().writable().instructions[at].waits = std::move(waits);
  update.list().open_for_update();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t list,
                                                        uint32_t count, uint64_t* ids,
                                                        ze_kernel_handle_t* handles) {
  Update update(__func__, list);
  if (!update.ok()) return update.result();
  if (!ids || !handles) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  Launches launches;
  for (uint32_t i = 0; i < count; ++i) {
    MutableCommand* command = nullptr;
    ze_result_t result =
        update.find(ids[i], ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION, &command);
    if (result != ZE_RESULT_SUCCESS) return result;
    std::shared_ptr<Kernel> kernel;
    for (const auto& allowed : command->kernels) {
      if (allowed->handle() == handles[i]) kernel = allowed;
    }
    if (!kernel) {
      return misuse(__func__, ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE, Handles::describe(handles[i]),
                    " is none of those that command ", ids[i], " was recorded with");
    }
    op::Launch* launch = nullptr;
    result = find_launch(update, launches, ids[i], ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION,
                         &launch);
    if (result != ZE_RESULT_SUCCESS) return result;
    // Arguments and sizes start from the new kernel's handle; the program sets them all again.
    launch->kernel = kernel->snapshot();
  }
  put(update.list(), std::move(launches));
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
