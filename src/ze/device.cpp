// SPDX-License-Identifier: Apache-2.0
// Finds out what a device has and what may be used on it.
#include "ze/device.h"

#include <vector>

#include "base/log.h"
#include "ze/events.h"

namespace xpu::ze {

Device::Device(const Driver& driver, ze_device_handle_t handle)
    : driver_(driver),
      handle_(handle),
      events_(std::make_unique<EventStore>(*this, EventStore::Kind::once)) {}

Device::~Device() = default;

Result<std::unique_ptr<Device>> Device::probe(const Driver& driver, ze_device_handle_t handle) {
  std::unique_ptr<Device> device(new Device(driver, handle));
  XPU_TRY(device->read_engines());
  const Table& table = driver.table();
  Features& f = device->features_;
  f.in_order = device->can_be_in_order();
  f.list_sync = table.CommandListHostSynchronize && driver.has("zeCommandListHostSynchronize", 6);
  f.append_lists = table.CommandListImmediateAppendCommandListsExp &&
                   driver.extension(ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME);
  f.host_function =
      table.CommandListAppendHostFunction && driver.has("zeCommandListAppendHostFunction", 17);
  f.memory_waits = table.xCommandListAppendWaitOnMemory && table.xCommandListAppendWaitOnMemory64;
  f.semaphores = driver.extension(ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME) &&
                 table.DeviceImportExternalSemaphoreExt &&
                 table.DeviceReleaseExternalSemaphoreExt &&
                 table.CommandListAppendSignalExternalSemaphoreExt &&
                 table.CommandListAppendWaitExternalSemaphoreExt;
  f.mutable_commands = device->mutable_commands();
  if (f.in_order) device->probe_counter_events();
  XPU_LOG(info,
          "device %p: in-order %d, list sync %d, append lists %d, counter events %d%s, "
          "host functions %d, memory waits %d, semaphores %d, mutable 0x%x; %u compute queue(s), "
          "%u copy queue(s)",
          static_cast<void*>(handle), f.in_order, f.list_sync, f.append_lists, f.counter_events,
          device->counters_ ? " (pool)" : "", f.host_function, f.memory_waits, f.semaphores,
          f.mutable_commands, device->engines_.compute_queues, device->engines_.copy_queues);
  return device;
}

Status Device::read_engines() {
  uint32_t count = 0;
  ZE_TRY(table(), DeviceGetCommandQueueGroupProperties, handle_, &count, nullptr);
  std::vector<ze_command_queue_group_properties_t> groups(count);
  for (auto& group : groups) group.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  ZE_TRY(table(), DeviceGetCommandQueueGroupProperties, handle_, &count, groups.data());
  bool computes = false;
  for (uint32_t i = 0; i < count; i++) {
    const auto& group = groups[i];
    if (!group.numQueues) continue;
    if (group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) {
      if (computes) continue;
      computes = true;
      engines_.compute_ordinal = i;
      engines_.compute_queues = group.numQueues;
      engines_.cooperative = group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
      engines_.compute_pattern = group.maxMemoryFillPatternSize;
    } else if ((group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) && !engines_.copy_queues) {
      // The first copy-only group is the main copy engine, later ones belong to links.
      engines_.copy_ordinal = i;
      engines_.copy_queues = group.numQueues;
      engines_.copy_pattern = group.maxMemoryFillPatternSize;
    }
  }
  if (!computes) return Status::error(xpuErrorNoDevice, "a device has no queue that runs kernels");
  return Status();
}

// A driver older than 1.7 may take an unknown flag silently, a newer one may still refuse this one:
// so both its word and a list are asked for.
bool Device::can_be_in_order() const noexcept {
  if (driver_.api_minor() < 7) return false;
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = engines_.compute_ordinal;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  if (table().CommandListCreateImmediate(context(), handle_, &desc, &list) != ZE_RESULT_SUCCESS)
    return false;
  OwnList own(table(), list);
  return true;
}

// One is made: a loader exports the name whether or not the driver behind it has the function.
void Device::probe_counter_events() {
  if (table().EventCounterBasedCreate && driver_.has("zeEventCounterBasedCreate", 15) &&
      CounterEvent::make(*this).ok()) {
    features_.counter_events = true;
    return;
  }
  if (!driver_.extension(ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME)) return;
  counters_ = std::make_unique<EventStore>(*this, EventStore::Kind::counter);
  features_.counter_events = CounterEvent::make(*this).ok();
  if (!features_.counter_events) counters_.reset();
}

uint32_t Device::mutable_commands() const noexcept {
  const Table& t = table();
  if (!driver_.extension(ZE_MUTABLE_COMMAND_LIST_EXP_NAME) || !t.CommandListGetNextCommandIdExp ||
      !t.CommandListUpdateMutableCommandsExp)
    return 0;
  ze_mutable_command_list_exp_properties_t can = {};
  can.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES;
  ze_device_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &can;
  if (t.DeviceGetProperties(handle_, &properties) != ZE_RESULT_SUCCESS) return 0;
  return can.mutableCommandFlags;
}

}  // namespace xpu::ze
