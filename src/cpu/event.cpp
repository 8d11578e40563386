// SPDX-License-Identifier: Apache-2.0
// Event pools and events as the host sees them: creation, destruction, and questions about them.
#include "cpu/event.h"

#include "cpu/device.h"
#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

constexpr ze_event_pool_flags_t kPoolFlags =
    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP |
    ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP;
constexpr ze_event_scope_flags_t kScopeFlags =
    ZE_EVENT_SCOPE_FLAG_SUBDEVICE | ZE_EVENT_SCOPE_FLAG_DEVICE | ZE_EVENT_SCOPE_FLAG_HOST;
constexpr ze_event_counter_based_flags_t kCounterFlags = 0x7f;
constexpr ze_event_counter_based_flags_t kListKinds =
    ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE;

// Which lists may signal the pool's events: 0 for binary events. Without flags the extension means
// immediate lists only.
ze_event_counter_based_flags_t counter_flags_of(const void* next) noexcept {
  for (auto* d = static_cast<const ze_base_desc_t*>(next); d;
       d = static_cast<const ze_base_desc_t*>(d->pNext)) {
    if (d->stype != ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC) continue;
    const auto flags = reinterpret_cast<const ze_event_pool_counter_based_exp_desc_t*>(d)->flags;
    return flags ? flags : static_cast<uint32_t>(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
  }
  return 0;
}

ze_result_t publish_event(Event::Shape shape, ze_event_handle_t* out) {
  auto event = std::make_shared<Event>(std::move(shape));
  const std::shared_ptr<EventState> state = event->state();
  const ze_result_t result = publish(std::move(event), out);
  if (result == ZE_RESULT_SUCCESS) state->set_handle(*out);
  return result;
}

}  // namespace

ze_result_t zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t* desc,
                              uint32_t device_count, ze_device_handle_t* devices,
                              ze_event_pool_handle_t* out) {
  auto owner = share<Context>(context);
  if (!owner) return refused(context);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags & ~kPoolFlags) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (desc->count == 0 || (!devices && device_count)) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < device_count; ++i) {
    if (!cast<Device>(devices[i])) return refused(devices[i]);
  }
  const ze_event_counter_based_flags_t counter_flags = counter_flags_of(desc->pNext);
  if (counter_flags && !has(Feature::counter_events)) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (counter_flags & ~kListKinds) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return publish(
      std::make_shared<EventPool>(std::move(owner), *desc, counter_flags,
                                  std::vector<ze_device_handle_t>(devices, devices + device_count)),
      out);
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t handle) {
  EventPool* pool = cast<EventPool>(handle);
  if (!pool) return refused(handle);
  const uint32_t live = pool->live.load(std::memory_order_relaxed);
  if (strict() && live) {
    return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                  " still has ", live, " events; destroy them first");
  }
  (void)retire<EventPool>(handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t handle, ze_context_handle_t* out) {
  EventPool* pool = cast<EventPool>(handle);
  if (!pool) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = static_cast<ze_context_handle_t>(pool->context->handle());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t handle, ze_event_pool_flags_t* out) {
  EventPool* pool = cast<EventPool>(handle);
  if (!pool) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = pool->flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventCreate(ze_event_pool_handle_t handle, const ze_event_desc_t* desc,
                          ze_event_handle_t* out) {
  auto pool = share<EventPool>(handle);
  if (!pool) return refused(handle);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if ((desc->signal | desc->wait) & ~kScopeFlags) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (desc->index >= pool->count) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, "index ", desc->index, " is outside ",
                  Handles::describe(handle), " of ", pool->count, " events");
  }
  Event::Shape shape;
  shape.counter_flags = pool->counter_flags;
  shape.signal_scope = desc->signal;
  shape.wait_scope = desc->wait;
  shape.has_ticks = pool->has_ticks();
  shape.host_visible = pool->flags & ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  shape.pool = std::move(pool);
  return publish_event(std::move(shape), out);
}

ze_result_t zeEventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_event_counter_based_desc_t* desc,
                                      ze_event_handle_t* out) {
  if (!has(Feature::counter_events)) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (!cast<Context>(context)) return refused(context);
  if (!cast<Device>(device)) return refused(device);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const ze_event_counter_based_flags_t flags = desc->flags;
  const uint32_t ticks =
      ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP | ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;
  if ((flags & ~kCounterFlags) || (flags & ticks) == ticks) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if ((desc->signal | desc->wait) & ~kScopeFlags) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  for (auto* d = static_cast<const ze_base_desc_t*>(desc->pNext); d;
       d = static_cast<const ze_base_desc_t*>(d->pNext)) {
    // How to sleep is a hint; an external counter would be another kind of event.
    if (d->stype != ZE_STRUCTURE_TYPE_EVENT_SYNC_MODE_DESC) {
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    }
  }
  Event::Shape shape;
  shape.counter_flags = flags & kListKinds ? flags : flags | ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE;
  shape.signal_scope = desc->signal;
  shape.wait_scope = desc->wait;
  shape.has_ticks = flags & ticks;
  shape.host_visible = flags & ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
  return publish_event(std::move(shape), out);
}

ze_result_t zeEventDestroy(ze_event_handle_t handle) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  // Counter-based events may go at any time: commands hold the mark, not the event.
  if (strict() && !event->counter_based()) {
    const uint32_t waits = event->state()->waits_before(UINT64_MAX);
    const uint32_t uses = event->state()->uses();
    if (waits + uses) {
      return misuse(__func__, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, Handles::describe(handle),
                    " is destroyed while ", waits, " commands in flight wait for it and ", uses,
                    " signal or reset it");
    }
  }
  if (auto gone = retire<Event>(handle)) gone->state()->set_destroyed();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetEventPool(ze_event_handle_t handle, ze_event_pool_handle_t* out) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!event->shape().pool) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *out = static_cast<ze_event_pool_handle_t>(event->shape().pool->handle());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetSignalScope(ze_event_handle_t handle, ze_event_scope_flags_t* out) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = event->shape().signal_scope;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetWaitScope(ze_event_handle_t handle, ze_event_scope_flags_t* out) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = event->shape().wait_scope;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetCounterBasedFlags(ze_event_handle_t handle,
                                        ze_event_counter_based_flags_t* out) {
  Event* event = cast<Event>(handle);
  if (!event) return refused(handle);
  if (!out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *out = event->shape().pool ? 0 : event->shape().counter_flags;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xpu::cpu
