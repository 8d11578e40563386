// SPDX-License-Identifier: Apache-2.0
// Entry points of memory.h that copy and fill. All go one way: a shape, its checks, then a node or
// the driver.
#include "capi/transfer.h"

#include <xpugraph/memory.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/enqueue.h"
#include "capi/guard.h"
#include "capi/range.h"
#include "capi/shapes.h"
#include "capi/spelling.h"
#include "exec/as_driver.h"
#include "graph/check.h"
#include "runtime/copy.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

// Where a call without `Async` goes, after asking whether it may. It waits, so it cannot be
// captured.
Result<runtime::Stream*> synchronous(const char* call, runtime::Runtime& runtime) {
  XPU_TRY(capture::synchronous_use(call, runtime.current()));
  return runtime.current().legacy_stream();
}

bool nothing(const graph::CopyShape& s) noexcept { return !s.width || !s.height || !s.depth; }
bool nothing(const graph::FillShape& s) noexcept { return !s.width || !s.height; }

Status check_kind(xpuMemcpyKind kind) {
  if (static_cast<int>(kind) >= xpuMemcpyHostToHost && static_cast<int>(kind) <= xpuMemcpyDefault)
    return {};
  return Status::error(
      xpuErrorInvalidMemcpyDirection,
      "kind is " + std::to_string(static_cast<int>(kind)) + ", which is no xpuMemcpyKind", "kind");
}

// What is wrong with a transfer whatever becomes of it.
Status check(runtime::Runtime& runtime, const graph::CopyShape& shape) {
  XPU_TRY(graph::check_copy(shape));
  return check_range(runtime.memory(), shape);
}
Status check(runtime::Runtime& runtime, const graph::FillShape& shape) {
  if (shape.height > 1 && shape.pitch < shape.width)
    return Status::error(xpuErrorInvalidPitchValue,
                         "pitch is " + std::to_string(shape.pitch) + " bytes, but a row has " +
                             std::to_string(shape.width),
                         "pitch");
  XPU_TRY(graph::check_fill(shape));
  return check_range(runtime.memory(), shape);
}

Status run(runtime::Stream& stream, const graph::CopyShape& shape, bool blocking) {
  return runtime::copy(stream, exec::as_driver(shape), shape.kind, blocking);
}
Status run(runtime::Stream& stream, const graph::FillShape& shape, bool blocking) {
  return runtime::fill(stream, exec::as_driver(shape), blocking);
}

Result<graph::ParamsRef> record(const graph::CopyShape& shape) {
  return graph::CopyParams::make(shape);
}
Result<graph::ParamsRef> record(const graph::FillShape& shape) {
  return graph::FillParams::make(shape);
}

template <class Shape>
Status now(const char* call, const Shape& shape) {
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  if (nothing(shape)) return {};
  XPU_TRY(check(*runtime, shape));
  XPU_TRY_ASSIGN(runtime::Stream * stream, synchronous(call, *runtime));
  return run(*stream, shape, true);
}

template <class Shape>
Status later(const char* call, const Shape& shape, xpuStream_t stream) {
  XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
  if (nothing(shape)) return {};
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  XPU_TRY(check(*runtime, shape));
  return enqueue(
      call, *s, [&] { return record(shape); }, [&] { return run(*s, shape, false); });
}

constexpr std::initializer_list<Spelling> kRows = {{"dstPtr.pitch", "dpitch"},
                                                   {"srcPtr.pitch", "spitch"},
                                                   {"dstPtr", "dst"},
                                                   {"srcPtr", "src"},
                                                   {"extent", "height"}};
constexpr std::initializer_list<Spelling> kBytesFilled = {
    {"dst", "devPtr"}, {"width", "count"}, {"height", "count"}};
constexpr std::initializer_list<Spelling> kRowsFilled = {{"dst", "devPtr"}};

// The struct as a shape, or why it is none.
Result<graph::CopyShape> read(const xpuMemcpy3DParms* p) {
  xpuMemcpy3DParms params;
  XPU_TRY(copy_in(params, p, "p"));
  XPU_TRY(spelled_in(check_kind(params.kind), "p", kCopyMembers));
  return to_shape(params);
}

}  // namespace

namespace xpu::capi {

Status copy_now(const char* call, const graph::CopyShape& shape) { return now(call, shape); }
Status copy_later(const char* call, const graph::CopyShape& shape, xpuStream_t stream) {
  return later(call, shape, stream);
}

}  // namespace xpu::capi

xpuError_t xpuMemcpy(void* dst, const void* src, size_t count, xpuMemcpyKind kind) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(check_kind(kind));
    return now(call, to_shape_1d(dst, src, count, kind));
  });
}

xpuError_t xpuMemcpyAsync(void* dst, const void* src, size_t count, xpuMemcpyKind kind,
                          xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(check_kind(kind));
    return later(call, to_shape_1d(dst, src, count, kind), stream);
  });
}

xpuError_t xpuMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, xpuMemcpyKind kind) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(check_kind(kind));
    return spelled(now(call, to_shape_2d(dst, dpitch, src, spitch, width, height, kind)), kRows);
  });
}

xpuError_t xpuMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, xpuMemcpyKind kind, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(check_kind(kind));
    return spelled(later(call, to_shape_2d(dst, dpitch, src, spitch, width, height, kind), stream),
                   kRows);
  });
}

xpuError_t xpuMemcpy3D(const xpuMemcpy3DParms* p) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(const graph::CopyShape shape, read(p));
    return spelled_in(now(call, shape), "p", kCopyMembers);
  });
}

xpuError_t xpuMemcpy3DAsync(const xpuMemcpy3DParms* p, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(const graph::CopyShape shape, read(p));
    return spelled_in(later(call, shape, stream), "p", kCopyMembers);
  });
}

xpuError_t xpuMemset(void* devPtr, int value, size_t count) {
  return guard(__func__, [&](const char* call) {
    return spelled(now(call, to_byte_fill(devPtr, count, value, count, 1)), kBytesFilled);
  });
}

xpuError_t xpuMemsetAsync(void* devPtr, int value, size_t count, xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return spelled(later(call, to_byte_fill(devPtr, count, value, count, 1), stream), kBytesFilled);
  });
}

xpuError_t xpuMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return guard(__func__, [&](const char* call) {
    return spelled(now(call, to_byte_fill(devPtr, pitch, value, width, height)), kRowsFilled);
  });
}

xpuError_t xpuMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                            xpuStream_t stream) {
  return guard(__func__, [&](const char* call) {
    return spelled(later(call, to_byte_fill(devPtr, pitch, value, width, height), stream),
                   kRowsFilled);
  });
}
