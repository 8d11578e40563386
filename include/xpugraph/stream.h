// SPDX-License-Identifier: Apache-2.0
// Streams: queues of device work that runs in the order in which it was given.
//
// A stream belongs to the device that was current when it was made. NULL stands for the device's
// legacy default stream, which waits for, and holds back, every stream of the device that was
// created without xpuStreamNonBlocking. Calls on one stream from several threads are serialised.
//
// Work that fails while it runs is reported by the next call that waits for its stream.
#pragma once

#include <xpugraph/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuStream_st* xpuStream_t;
/// See event.h; named here because a stream can wait for one.
typedef struct xpuEvent_st* xpuEvent_t;

/// A function that the library calls on a thread of its own, with nothing locked. It must not call
/// this library: every call from it gives xpuErrorNotPermitted, except those that ask about errors
/// (xpuGetErrorName(), xpuGetErrorString(), xpuGetLastError(), xpuPeekAtLastError(),
/// xpuGetLastErrorInfo()).
typedef void (*xpuHostFn_t)(void* userData);

/// The legacy default stream of the current device, the same as NULL. It cannot be captured.
#define xpuStreamLegacy ((xpuStream_t)0x1)
/// A default stream of the calling thread and the current device, made at first use. It is ordered
/// with the legacy stream as a stream without xpuStreamNonBlocking is, and it can be captured.
#define xpuStreamPerThread ((xpuStream_t)0x2)

/// Flags of a stream.
/// Since 0.1.
typedef enum xpuStreamFlags XPU_ENUM {
  xpuStreamDefault = 0x0,     ///< ordered with the legacy default stream
  xpuStreamNonBlocking = 0x1  ///< not ordered with the legacy default stream
} xpuStreamFlags;

/// Makes a stream on the current device, with default flags and priority. It may be made during a
/// capture, but has no part in it until it waits for a captured event.
/// @param[out] pStream  the stream; the caller destroys it.
/// Since 0.1.
XPU_API xpuError_t xpuStreamCreate(xpuStream_t* pStream);

/// Makes a stream on the current device, with default priority.
/// @param[out] pStream  the stream; the caller destroys it.
/// @param[in] flags  of xpuStreamFlags.
/// Since 0.1.
XPU_API xpuError_t xpuStreamCreateWithFlags(xpuStream_t* pStream, unsigned int flags);

/// Makes a stream on the current device.
/// @param[out] pStream  the stream; the caller destroys it.
/// @param[in] flags  of xpuStreamFlags.
/// @param[in] priority  lower is more urgent; a value outside xpuDeviceGetStreamPriorityRange() is
///     moved to its nearest end.
/// Since 0.1.
XPU_API xpuError_t xpuStreamCreateWithPriority(xpuStream_t* pStream, unsigned int flags,
                                               int priority);

/// Ends a stream. It returns at once: work already in the stream still runs, and what it needs is
/// released after it. The handle is dead when the call returns, also while work is left. Destroying
/// a stream that takes part in a capture invalidates the capture.
/// Errors: xpuErrorInvalidResourceHandle for NULL, the special streams and a destroyed stream.
/// Since 0.1.
XPU_API xpuError_t xpuStreamDestroy(xpuStream_t stream);

/// Waits until all work given to the stream so far is finished.
/// Errors: an error of that work; xpuErrorStreamCaptureUnsupported if the stream is being captured
/// or another capture forbids waiting (capture.h), which invalidates the capture.
/// Since 0.1.
XPU_API xpuError_t xpuStreamSynchronize(xpuStream_t stream);

/// Asks whether all work given to the stream so far is finished, without waiting.
/// @return xpuSuccess if it is, xpuErrorNotReady if not (which is no failure and is not stored as
///     the last error), otherwise as for xpuStreamSynchronize().
/// Since 0.1.
XPU_API xpuError_t xpuStreamQuery(xpuStream_t stream);

/// Makes what is given to `stream` from now on wait for what `event` stands for now: the work that
/// was in the recorded stream at its last record. An event that was never recorded is no wait. The
/// host does not wait. The event may be recorded again or destroyed right after the call. If the
/// event was recorded in a capture, `stream` joins that capture.
/// @param[in] flags  xpuEventWaitDefault or xpuEventWaitExternal (see event.h). The latter makes an
///     event wait node, and only in a captured stream.
/// Errors: xpuErrorInvalidResourceHandle for a bad event; xpuErrorIllegalState for
/// xpuEventWaitExternal outside of a capture; xpuErrorStreamCaptureMerge if event and stream are in
/// two captures; xpuErrorStreamCaptureIsolation if only the stream is in one; xpuErrorInvalidValue
/// if the event's capture has ended.
/// Since 0.1.
XPU_API xpuError_t xpuStreamWaitEvent(xpuStream_t stream, xpuEvent_t event, unsigned int flags);

/// Calls `fn(userData)` on a thread of the library when the work before it in the stream is
/// finished; what follows in the stream waits until it returns. `fn` must not call this library
/// (see xpuHostFn_t) or wait for work of it. `userData` is passed as it is and must stay valid
/// until `fn` has returned. In a capture it becomes a host node, called at every launch. Since 0.1.
XPU_API xpuError_t xpuLaunchHostFunc(xpuStream_t stream, xpuHostFn_t fn, void* userData);

/// The flags with which a stream was made.
/// @param[out] flags  of xpuStreamFlags.
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetFlags(xpuStream_t stream, unsigned int* flags);

/// The priority that a stream has, after it was moved into the range.
/// @param[out] priority  lower is more urgent.
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetPriority(xpuStream_t stream, int* priority);

/// The device of a stream.
/// @param[out] device  its number.
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetDevice(xpuStream_t stream, int* device);

/// A number that no other stream of this process has or has had.
/// @param[out] streamId  for NULL and the special streams, that of the stream they stand for.
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetId(xpuStream_t stream, unsigned long long* streamId);

#ifdef __cplusplus
}
#endif
