// SPDX-License-Identifier: Apache-2.0
// Crosses from an immediate list to a queue and back.
#include "ze/bridge.h"

#include "ze/device.h"
#include "ze/events.h"
#include "ze/list.h"

namespace xpu::ze {

Bridge::~Bridge() {
  for (const auto& span : spans_) {
    span->first.reset();
    span->last.reset();
    for (ze_event_handle_t event : {span->start, span->end, span->passed})
      device_.events().give(event);
  }
}

Status Bridge::open() {
  if (queue_) return Status();
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = ordinal_;
  desc.index = index_;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_queue_handle_t queue = nullptr;
  ZE_TRY(device_.table(), CommandQueueCreate, device_.context(), device_.handle(), &desc, &queue);
  queue_ = OwnQueue(device_.table(), queue);
  return Status();
}

Result<OwnList> Bridge::closed_list(ze_event_handle_t wait, ze_event_handle_t signal) {
  const Table& table = device_.table();
  ze_command_list_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  desc.commandQueueGroupOrdinal = ordinal_;
  ze_command_list_handle_t handle = nullptr;
  ZE_TRY(table, CommandListCreate, device_.context(), device_.handle(), &desc, &handle);
  OwnList list(table, handle);
  // A barrier orders against the lists beside it in the queue, an event command alone does not.
  ZE_TRY(table, CommandListAppendBarrier, handle, signal, wait ? 1 : 0, wait ? &wait : nullptr);
  ZE_TRY(table, CommandListClose, handle);
  return list;
}

Status Bridge::make(Span& span) {
  for (ze_event_handle_t* event : {&span.start, &span.end, &span.passed}) {
    XPU_TRY_ASSIGN(*event, device_.events().take());
  }
  XPU_TRY_ASSIGN(span.first, closed_list(span.start, nullptr));
  XPU_TRY_ASSIGN(span.last, closed_list(nullptr, span.end));
  return Status();
}

Result<Bridge::Span*> Bridge::free_span() {
  const Table& table = device_.table();
  for (const auto& span : spans_) {
    if (span->lost) continue;
    if (span->in_use && table.EventQueryStatus(span->passed) == ZE_RESULT_SUCCESS) {
      for (ze_event_handle_t event : {span->start, span->end, span->passed})
        ZE_TRY(table, EventHostReset, event);
      span->in_use = false;
    }
    if (!span->in_use) return span.get();
  }
  spans_.push_back(std::make_unique<Span>());
  if (Status status = make(*spans_.back()); !status.ok()) {
    for (ze_event_handle_t event :
         {spans_.back()->start, spans_.back()->end, spans_.back()->passed})
      device_.events().give(event);
    spans_.pop_back();
    return status;
  }
  return spans_.back().get();
}

Status Bridge::cross(List& list, Span& span, std::span<ze_command_list_handle_t> all) {
  XPU_TRY(list.signal(span.start));
  ZE_TRY(device_.table(), CommandQueueExecuteCommandLists, queue_.get(),
         static_cast<uint32_t>(all.size()), all.data(), nullptr);
  XPU_TRY(list.wait({&span.end, 1}));
  return list.signal(span.passed);
}

Status Bridge::append(List& list, std::span<const ze_command_list_handle_t> lists) {
  XPU_TRY(open());
  XPU_TRY_ASSIGN(Span * span, free_span());
  std::vector<ze_command_list_handle_t> all;
  all.reserve(lists.size() + 2);
  all.push_back(span->first.get());
  all.insert(all.end(), lists.begin(), lists.end());
  all.push_back(span->last.get());

  span->in_use = true;
  Status status = cross(list, *span, all);
  span->lost = !status.ok();
  return status;
}

}  // namespace xpu::ze
