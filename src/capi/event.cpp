// SPDX-License-Identifier: Apache-2.0
// Entry points of event.h.
#include <xpugraph/event.h>

#include "capi/cast.h"
#include "capi/guard.h"
#include "capture/fork.h"
#include "capture/rules.h"
#include "memory/pools.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status create(xpuEvent_t* out, unsigned flags) {
  XPU_TRY(require(out, "event"));
  constexpr unsigned known = xpuEventBlockingSync | xpuEventDisableTiming | xpuEventInterprocess;
  if (flags & ~known) return invalid_value("flags has bits that are no xpuEventFlags", "flags");
  if (flags & xpuEventInterprocess)
    return Status::error(xpuErrorNotSupported, "events are not shared between processes", "flags");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY_ASSIGN(const runtime::Event* event, runtime::Event::create(runtime->current(), flags));
  *out = to_public<xpuEvent_t>(event->handle());
  return {};
}

Status record(const char* call, xpuEvent_t event, xpuStream_t stream, unsigned flags) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  XPU_TRY_ASSIGN(runtime::Event * e, live_event(event));
  if (flags & ~static_cast<unsigned>(xpuEventRecordExternal))
    return invalid_value("flags must be xpuEventRecordDefault or xpuEventRecordExternal", "flags");
  if (&s->device() != &e->device())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "the event was made for another device than the stream", "stream");
  XPU_TRY(capture::legacy_use(call, *s));
  capture::View view(*s);
  if (flags & xpuEventRecordExternal) {
    if (!view)
      return Status::error(
          xpuErrorIllegalState,
          "xpuEventRecordExternal makes a node, and the stream is not being captured", "flags");
    return view.add(call, graph::EventParams::make_record(e->shared_from_this(), e->handle()));
  }
  return view ? capture::record(view, *e) : e->record(*s);
}

}  // namespace

xpuError_t xpuEventCreate(xpuEvent_t* event) {
  return guard(__func__, [&] { return create(event, xpuEventDefault); });
}

xpuError_t xpuEventCreateWithFlags(xpuEvent_t* event, unsigned int flags) {
  return guard(__func__, [&] { return create(event, flags); });
}

xpuError_t xpuEventRecord(xpuEvent_t event, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return record(call, event, stream, xpuEventRecordDefault);
  });
}

xpuError_t xpuEventRecordWithFlags(xpuEvent_t event, xpuStream_t stream, unsigned int flags) {
  return guard(__func__, [&](const char* call) { return record(call, event, stream, flags); });
}

xpuError_t xpuEventQuery(xpuEvent_t event) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Event * e, live_event(event));
    XPU_TRY(capture::host_use(call, *e));
    return e->query();
  });
}

xpuError_t xpuEventSynchronize(xpuEvent_t event) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Event * e, live_event(event));
    XPU_TRY(capture::host_use(call, *e));
    Status status = e->synchronize();
    memory::Pools::get().synchronised();
    return status;
  });
}

xpuError_t xpuEventElapsedTime(float* ms, xpuEvent_t start, xpuEvent_t end) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(ms, "ms"));
    XPU_TRY_ASSIGN(runtime::Event * first, live_event(start, "start"));
    XPU_TRY_ASSIGN(runtime::Event * last, live_event(end, "end"));
    XPU_TRY(capture::host_use(call, *first));
    XPU_TRY(capture::host_use(call, *last));
    XPU_TRY_ASSIGN(*ms, runtime::Event::elapsed(*first, *last));
    return {};
  });
}

xpuError_t xpuEventDestroy(xpuEvent_t event) {
  return guard(__func__, [&]() -> Status {
    if (runtime::Event::destroy(from_public(event))) return {};
    return no_such(xpuErrorInvalidResourceHandle, event, "event", "event");
  });
}
