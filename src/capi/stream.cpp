// SPDX-License-Identifier: Apache-2.0
// Entry points of stream.h.
#include <xpugraph/stream.h>

#include "capi/cast.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capture/fork.h"
#include "memory/pools.h"
#include "runtime/copy.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status create(xpuStream_t* out, unsigned flags, int priority) {
  XPU_TRY(require(out, "pStream"));
  if (flags & ~static_cast<unsigned>(xpuStreamNonBlocking))
    return invalid_value("flags must be xpuStreamDefault or xpuStreamNonBlocking", "flags");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY_ASSIGN(const runtime::Stream* stream,
                 runtime::Stream::create(runtime->current(), flags, priority));
  *out = to_public<xpuStream_t>(stream->handle());
  return {};
}

Status wait_event(const char* call, xpuStream_t stream, xpuEvent_t event, unsigned flags) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  Result<runtime::Event*> e = live_event(event);
  if (!e.ok()) {
    capture::View view(*s);
    return view ? view.refuse(call, e.take_status()) : e.take_status();
  }
  if (flags & ~static_cast<unsigned>(xpuEventWaitExternal))
    return invalid_value("flags must be xpuEventWaitDefault or xpuEventWaitExternal", "flags");
  runtime::Event& ev = *e.value();
  if (flags & xpuEventWaitExternal) {
    capture::View view(*s);
    if (!view)
      return Status::error(
          xpuErrorIllegalState,
          "xpuEventWaitExternal makes a node, and the stream is not being captured", "flags");
    return view.add(call, graph::EventParams::make_wait(ev.shared_from_this(), ev.handle()));
  }
  XPU_TRY_ASSIGN(const capture::WaitIs is, capture::wait(call, *s, ev));
  return is == capture::WaitIs::eager ? ev.wait(*s) : Status();
}

}  // namespace

xpuError_t xpuStreamCreate(xpuStream_t* pStream) {
  return guard(__func__, [&] { return create(pStream, xpuStreamDefault, 0); });
}

xpuError_t xpuStreamCreateWithFlags(xpuStream_t* pStream, unsigned int flags) {
  return guard(__func__, [&] { return create(pStream, flags, 0); });
}

xpuError_t xpuStreamCreateWithPriority(xpuStream_t* pStream, unsigned int flags, int priority) {
  return guard(__func__, [&] { return create(pStream, flags, priority); });
}

xpuError_t xpuStreamDestroy(xpuStream_t stream) {
  return guard(__func__, [&]() -> Status {
    const uint64_t handle = from_public(stream);
    void* object = HandleTable::find(HandleType::stream, handle);
    if (object) capture::leave(*static_cast<runtime::Stream*>(object));
    if (object && runtime::Stream::destroy(handle)) return {};
    return no_such(xpuErrorInvalidResourceHandle, stream, "created stream", "stream");
  });
}

xpuError_t xpuStreamSynchronize(xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::wait_for_stream(call, *s));
    Status status = s->synchronize();
    memory::Pools::get().synchronised();
    return status;
  });
}

xpuError_t xpuStreamQuery(xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::wait_for_stream(call, *s));
    return s->query();
  });
}

xpuError_t xpuStreamWaitEvent(xpuStream_t stream, xpuEvent_t event, unsigned int flags) {
  return guard(__func__, [&](const char* call) { return wait_event(call, stream, event, flags); });
}

xpuError_t xpuLaunchHostFunc(xpuStream_t stream, xpuHostFn_t fn, void* userData) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    if (!fn) return invalid_value("fn is NULL; it must be a function", "fn");
    return enqueue(
        call, *s, [&] { return graph::HostParams::make(fn, userData); },
        [&] { return runtime::host_function(*s, fn, userData); });
  });
}

xpuError_t xpuStreamGetFlags(xpuStream_t stream, unsigned int* flags) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(flags, "flags"));
    XPU_TRY_ASSIGN(const runtime::Stream* s, live_stream(stream));
    *flags = s->flags();
    return {};
  });
}

xpuError_t xpuStreamGetPriority(xpuStream_t stream, int* priority) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(priority, "priority"));
    XPU_TRY_ASSIGN(const runtime::Stream* s, live_stream(stream));
    *priority = s->priority();
    return {};
  });
}

xpuError_t xpuStreamGetDevice(xpuStream_t stream, int* device) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(device, "device"));
    XPU_TRY_ASSIGN(const runtime::Stream* s, live_stream(stream));
    *device = s->device().index();
    return {};
  });
}

xpuError_t xpuStreamGetId(xpuStream_t stream, unsigned long long* streamId) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(streamId, "streamId"));
    XPU_TRY_ASSIGN(const runtime::Stream* s, live_stream(stream));
    *streamId = s->id();
    return {};
  });
}
