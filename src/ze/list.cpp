// SPDX-License-Identifier: Apache-2.0
// Makes command lists and appends what is not a copy or a fill.
#include "ze/list.h"

#include "ze/bridge.h"
#include "ze/gate.h"

namespace xpu::ze {
namespace {

uint32_t count_of(std::span<const ze_event_handle_t> events) noexcept {
  return static_cast<uint32_t>(events.size());
}

// The API takes arrays of handles that it does not change as non-const.
ze_event_handle_t* data_of(std::span<const ze_event_handle_t> events) noexcept {
  return events.empty() ? nullptr : const_cast<ze_event_handle_t*>(events.data());
}

}  // namespace

List::List() noexcept = default;
List::List(List&&) noexcept = default;
List& List::operator=(List&&) noexcept = default;
List::~List() = default;

List::List(Device& device, ze_command_list_handle_t handle) noexcept
    : device_(&device), handle_(handle) {}

Result<List> List::immediate(Device& device, const Immediate& what) {
  const bool in_order = device.features().in_order;
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = what.ordinal;
  desc.index = what.index;
  desc.flags = in_order ? static_cast<uint32_t>(ZE_COMMAND_QUEUE_FLAG_IN_ORDER) : 0;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  desc.priority = what.priority;
  ze_command_list_handle_t handle = nullptr;
  ZE_TRY(device.table(), CommandListCreateImmediate, device.context(), device.handle(), &desc,
         &handle);
  List list(device, handle);
  list.own_ = OwnList(device.table(), handle);
  list.ordinal_ = what.ordinal;
  list.immediate_ = true;
  list.ordered_ = true;
  list.emulated_ = !in_order;
  list.copy_only_ = device.engines().copy_queues && what.ordinal == device.engines().copy_ordinal;
  if (!device.features().append_lists)
    list.bridge_ = std::make_unique<Bridge>(device, what.ordinal, what.index);
  return list;
}

Result<List> List::regular(Device& device, const Regular& what) {
  const bool in_order = what.ordered && device.features().in_order;
  ze_mutable_command_list_exp_desc_t patchable = {};
  patchable.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC;
  ze_command_list_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  desc.pNext = what.patchable ? &patchable : nullptr;
  desc.commandQueueGroupOrdinal = what.ordinal;
  desc.flags = in_order ? static_cast<uint32_t>(ZE_COMMAND_LIST_FLAG_IN_ORDER) : 0;
  ze_command_list_handle_t handle = nullptr;
  ZE_TRY(device.table(), CommandListCreate, device.context(), device.handle(), &desc, &handle);
  List list(device, handle);
  list.own_ = OwnList(device.table(), handle);
  list.ordinal_ = what.ordinal;
  list.ordered_ = what.ordered;
  list.emulated_ = what.ordered && !in_order;
  list.copy_only_ = device.engines().copy_queues && what.ordinal == device.engines().copy_ordinal;
  return list;
}

Result<List> List::borrow(Device& device, ze_command_list_handle_t handle) {
  // Only a driver of 1.17 can be asked what a list is; for others the caller's word has to do.
  const Table& table = device.table();
  ze_command_queue_flags_t flags = 0;
  if (table.CommandListImmediateGetFlags && device.driver().api_minor() >= 17) {
    ZE_TRY(table, CommandListImmediateGetFlags, handle, &flags);
    if (!(flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER))
      return invalid_value(
          "the list is not in-order: create it with ZE_COMMAND_QUEUE_FLAG_IN_ORDER",
          "command_list");
  }
  List list(device, handle);
  list.ordinal_ = device.engines().compute_ordinal;
  list.immediate_ = true;
  list.ordered_ = true;
  if (!device.features().append_lists)
    list.bridge_ = std::make_unique<Bridge>(device, list.ordinal_, 0);
  return list;
}

Status List::order_by_barrier() {
  return ZE_CALL(device_->table(), CommandListAppendBarrier, handle_, nullptr, 0, nullptr);
}

Status List::launch(ze_kernel_handle_t kernel, const ze_group_count_t& groups, const Sync& sync) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendLaunchKernel, handle_, kernel, &groups,
                 sync.signal, count_of(sync.waits), data_of(sync.waits));
}

Status List::launch_cooperative(ze_kernel_handle_t kernel, const ze_group_count_t& groups,
                                const Sync& sync) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendLaunchCooperativeKernel, handle_, kernel,
                 &groups, sync.signal, count_of(sync.waits), data_of(sync.waits));
}

Status List::barrier(const Sync& sync) {
  // On an ordered list the order is there already.
  if (ordered_ && sync.waits.empty()) return sync.signal ? signal(sync.signal) : Status();
  if (ordered_ && !sync.signal) return wait(sync.waits);
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendBarrier, handle_, sync.signal,
                 count_of(sync.waits), data_of(sync.waits));
}

Status List::signal(ze_event_handle_t event) {
  // An event command in a plain list is ordered with nothing; a barrier signals after everything.
  if (!ordered_ || emulated_)
    return ZE_CALL(device_->table(), CommandListAppendBarrier, handle_, event, 0, nullptr);
  return ZE_CALL(device_->table(), CommandListAppendSignalEvent, handle_, event);
}

Status List::wait(std::span<const ze_event_handle_t> events) {
  if (events.empty()) return Status();
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendWaitOnEvents, handle_, count_of(events),
                 data_of(events));
}

Status List::write_timestamp(uint64_t* at, const Sync& sync) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendWriteGlobalTimestamp, handle_, at, sync.signal,
                 count_of(sync.waits), data_of(sync.waits));
}

Status List::host_function(HostFunction function, void* user_data, const Sync& sync) {
  if (device_->features().host_function) {
    XPU_TRY(before());
    return ZE_CALL(device_->table(), CommandListAppendHostFunction, handle_, function, user_data,
                   nullptr, sync.signal, count_of(sync.waits), data_of(sync.waits));
  }
  if (!immediate_)
    return Status::error(xpuErrorNotSupported,
                         "this driver takes no host functions in closed command lists");
  bool taken = false;
  return append_gated({function, nullptr, user_data}, sync, taken);
}

Status List::thread_function(ThreadFunction function, void* data, const Sync& sync, bool& taken) {
  return append_gated({nullptr, function, data}, sync, taken);
}

Status List::append_gated(const HostCall& call, const Sync& sync, bool& taken) {
  taken = false;
  XPU_TRY(wait(sync.waits));
  if (!gate_) gate_ = std::make_unique<HostGate>(*device_);
  XPU_TRY(gate_->append(*this, call, taken));
  return sync.signal ? signal(sync.signal) : Status();
}

Status List::append_lists(std::span<const ze_command_list_handle_t> lists, const Sync& sync) {
  if (lists.empty()) return barrier(sync);
  if (!bridge_) {
    XPU_TRY(before());
    return ZE_CALL(device_->table(), CommandListImmediateAppendCommandListsExp, handle_,
                   static_cast<uint32_t>(lists.size()),
                   const_cast<ze_command_list_handle_t*>(lists.data()), sync.signal,
                   count_of(sync.waits), data_of(sync.waits));
  }
  XPU_TRY(wait(sync.waits));
  XPU_TRY(bridge_->append(*this, lists));
  return sync.signal ? signal(sync.signal) : Status();
}

// The API takes arrays that it does not change as non-const.
Status List::signal_semaphores(std::span<const ze_external_semaphore_ext_handle_t> semaphores,
                               const ze_external_semaphore_signal_params_ext_t* params,
                               const Sync& sync) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendSignalExternalSemaphoreExt, handle_,
                 static_cast<uint32_t>(semaphores.size()),
                 const_cast<ze_external_semaphore_ext_handle_t*>(semaphores.data()),
                 const_cast<ze_external_semaphore_signal_params_ext_t*>(params), sync.signal,
                 count_of(sync.waits), data_of(sync.waits));
}

Status List::wait_semaphores(std::span<const ze_external_semaphore_ext_handle_t> semaphores,
                             const ze_external_semaphore_wait_params_ext_t* params,
                             const Sync& sync) {
  XPU_TRY(before());
  return ZE_CALL(device_->table(), CommandListAppendWaitExternalSemaphoreExt, handle_,
                 static_cast<uint32_t>(semaphores.size()),
                 const_cast<ze_external_semaphore_ext_handle_t*>(semaphores.data()),
                 const_cast<ze_external_semaphore_wait_params_ext_t*>(params), sync.signal,
                 count_of(sync.waits), data_of(sync.waits));
}

Status List::close() { return ZE_CALL(device_->table(), CommandListClose, handle_); }
Status List::reset() { return ZE_CALL(device_->table(), CommandListReset, handle_); }

Status List::synchronize(uint64_t timeout_ns) {
  return ZE_CALL(device_->table(), CommandListHostSynchronize, handle_, timeout_ns);
}

}  // namespace xpu::ze
