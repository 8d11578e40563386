// SPDX-License-Identifier: Apache-2.0
// Events: marks in streams, to wait for, to order streams by, and to measure time with.
//
// An event stands for the work that was in a stream when it was last recorded; recording it again
// forgets the old mark, which waits that were already queued do not notice. An event that was never
// recorded counts as finished.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Flags of an event.
/// Since 0.1.
typedef enum xpuEventFlags XPU_ENUM {
  xpuEventDefault = 0x0,
  xpuEventBlockingSync = 0x1,   ///< waiting for it sleeps instead of polling
  xpuEventDisableTiming = 0x2,  ///< no time stamp; cheaper
  xpuEventInterprocess = 0x4    ///< refused with xpuErrorNotSupported
} xpuEventFlags;

/// Flags of a record.
/// Since 0.1.
typedef enum xpuEventRecordFlags XPU_ENUM {
  xpuEventRecordDefault = 0x0,
  xpuEventRecordExternal = 0x1  ///< in a capture: a node that records at every launch
} xpuEventRecordFlags;

/// Flags of xpuStreamWaitEvent().
/// Since 0.1.
typedef enum xpuEventWaitFlags XPU_ENUM {
  xpuEventWaitDefault = 0x0,
  xpuEventWaitExternal = 0x1  ///< in a capture: a node that waits at every launch
} xpuEventWaitFlags;

/// Makes an event on the current device, with default flags.
/// @param[out] event  the event; the caller destroys it.
/// Since 0.1.
XPU_API xpuError_t xpuEventCreate(xpuEvent_t* event);

/// Makes an event on the current device.
/// @param[out] event  the event; the caller destroys it.
/// @param[in] flags  of xpuEventFlags, or-ed.
/// Errors: xpuErrorNotSupported for xpuEventInterprocess; xpuErrorInvalidValue for unknown bits.
/// Since 0.1.
XPU_API xpuError_t xpuEventCreateWithFlags(xpuEvent_t* event, unsigned int flags);

/// Makes the event stand for all work that is in the stream now. The host does not wait. The stream
/// must be of the event's device. In a capture no node is made: the event stands for what the
/// stream has captured so far, and serves only to order streams of that capture until it is
/// recorded again outside.
/// Errors: xpuErrorInvalidResourceHandle for a bad event or a stream of another device.
/// Since 0.1.
XPU_API xpuError_t xpuEventRecord(xpuEvent_t event, xpuStream_t stream);

/// As xpuEventRecord(), with flags.
/// @param[in] flags  xpuEventRecordDefault or xpuEventRecordExternal; the latter is valid only
///     while the stream is captured (xpuErrorIllegalState otherwise) and makes an event record
///     node.
/// Since 0.1.
XPU_API xpuError_t xpuEventRecordWithFlags(xpuEvent_t event, xpuStream_t stream,
                                           unsigned int flags);

/// Asks whether the work that the event stands for is finished, without waiting.
/// @return xpuSuccess if it is, xpuErrorNotReady if not (not stored as the last error).
/// Errors: an error of that work; xpuErrorCapturedEvent if it was last recorded in a capture, which
/// is invalidated, or xpuErrorInvalidValue if that capture has ended.
/// Since 0.1.
XPU_API xpuError_t xpuEventQuery(xpuEvent_t event);

/// Waits until the work that the event stands for is finished.
/// Errors: as for xpuEventQuery().
/// Since 0.1.
XPU_API xpuError_t xpuEventSynchronize(xpuEvent_t event);

/// The device time between two records.
/// @param[out] ms  milliseconds from `start` to `end`, negative if `end` was reached first.
/// Errors: xpuErrorNotReady if one is not reached yet; xpuErrorInvalidResourceHandle if one was
/// never recorded or was made with xpuEventDisableTiming, or if their devices differ; for captured
/// events as for xpuEventQuery().
/// Since 0.1.
XPU_API xpuError_t xpuEventElapsedTime(float* ms, xpuEvent_t start, xpuEvent_t end);

/// Ends an event. It returns at once; waits that were already queued still happen, and graphs that
/// have the event in a node keep what they need of it.
/// Errors: xpuErrorInvalidResourceHandle for NULL or a destroyed event.
/// Since 0.1.
XPU_API xpuError_t xpuEventDestroy(xpuEvent_t event);

#ifdef __cplusplus
}
#endif
