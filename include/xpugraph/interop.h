// SPDX-License-Identifier: Apache-2.0
// Interop: Level Zero handles in and out, for programs that already use Level Zero.
//
// No Level Zero header is needed: the handle types are declared here exactly as ze_api.h does, and
// both may be included, in any order. Handles that come in stay the caller's, and must outlive what
// is made from them; handles that go out stay the library's, and must not be destroyed.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/event.h>
#include <xpugraph/module.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _ze_driver_handle_t* ze_driver_handle_t;
typedef struct _ze_device_handle_t* ze_device_handle_t;
typedef struct _ze_context_handle_t* ze_context_handle_t;
typedef struct _ze_command_list_handle_t* ze_command_list_handle_t;
typedef struct _ze_event_handle_t* ze_event_handle_t;
typedef struct _ze_module_handle_t* ze_module_handle_t;

/// Size of a local-memory parameter in `paramSizes` of xpuKernelCreateFromNative().
/// Since 0.1.
#define XPU_PARAM_LOCAL ((size_t)-1)

/// What the library is to work with.
/// Since 0.1.
typedef struct xpuNativeDesc {
  uint32_t struct_size;  ///< in: sizeof(xpuNativeDesc)
  uint32_t deviceCount;
  ze_driver_handle_t driver;
  const ze_device_handle_t* devices;  ///< len = deviceCount; they become devices 0, 1, …
  ze_context_handle_t context;        ///< with all of the devices
  /// The driver library that made the handles; may be NULL if they come from the Level Zero loader.
  const char* driverPath;
} xpuNativeDesc;

/// Adopts a driver, devices and a context instead of opening them, so that all memory of that
/// context is valid here. Must come before any call that needs a device.
/// @param[in] desc  copied during the call; the handles must stay valid until the process ends.
/// Errors: xpuErrorSetOnActiveProcess if the library has started already; xpuErrorInvalidValue for
/// a device that is not the driver's.
/// Since 0.1.
XPU_API xpuError_t xpuInitFromNative(const xpuNativeDesc* desc);

/// The Level Zero handles of a device.
/// @param[out] driver  may be NULL.
/// @param[out] device_handle  may be NULL.
/// @param[out] context  may be NULL; the one in which the library allocates.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetNative(int device, ze_driver_handle_t* driver,
                                      ze_device_handle_t* device_handle,
                                      ze_context_handle_t* context);

/// Makes a stream over a command list that the caller owns, so that launches are ordered with what
/// the caller appends to it. The stream counts as made with xpuStreamNonBlocking.
/// @param[out] pStream  the stream; destroying it leaves the list alone.
/// @param[in] device  the list's device.
/// @param[in] command_list  immediate and in-order, of the library's context. It must outlive the
///     stream, and appends to it from outside must not overlap with calls on the stream.
/// Since 0.1.
XPU_API xpuError_t xpuStreamCreateFromNative(xpuStream_t* pStream, int device,
                                             ze_command_list_handle_t command_list);

/// The immediate, in-order command list of a stream. Appending to it is ordered with the stream's
/// work; it must not overlap with other calls on the stream.
/// @param[out] command_list  valid until the stream is destroyed.
/// Errors: xpuErrorStreamCaptureUnsupported while the stream is captured.
/// Since 0.1.
XPU_API xpuError_t xpuStreamGetNative(xpuStream_t stream, ze_command_list_handle_t* command_list);

/// The Level Zero event that is signalled when what the event stands for is finished. It may be
/// waited for, but not signalled or reset.
/// @param[out] native_event  valid until the event is recorded again or destroyed.
/// Errors: xpuErrorInvalidResourceHandle if it was never recorded; xpuErrorCapturedEvent if it was
/// last recorded in a capture.
/// Since 0.1.
XPU_API xpuError_t xpuEventGetNative(xpuEvent_t event, ze_event_handle_t* native_event);

/// Makes a kernel of a module that the caller owns.
/// @param[out] pKernel  the kernel; the caller destroys it with xpuKernelDestroy().
/// @param[in] device  the module's device.
/// @param[in] module  must outlive the kernel and every graph and executable that has it.
/// @param[in] name  the kernel's name in the module.
/// @param[in] numParams  entries of `paramSizes`.
/// @param[in] paramSizes  len = numParams; bytes of each parameter, or XPU_PARAM_LOCAL. May be
/// NULL:
///     then they are what the driver reports.
/// Errors: xpuErrorSymbolNotFound for an unknown name; xpuErrorInvalidValue if `numParams` is not
/// the kernel's; xpuErrorNotSupported if `paramSizes` is NULL and the driver does not report them.
/// Since 0.1.
XPU_API xpuError_t xpuKernelCreateFromNative(xpuKernel_t* pKernel, int device,
                                             ze_module_handle_t module, const char* name,
                                             size_t numParams, const size_t* paramSizes);

/// Destroys a kernel of xpuKernelCreateFromNative(), after waiting until the device is idle. Graphs
/// and executables that have it keep what they need.
/// Errors: xpuErrorInvalidResourceHandle for NULL, a dead kernel and a kernel that belongs to an
/// xpuModule_t.
/// Since 0.1.
XPU_API xpuError_t xpuKernelDestroy(xpuKernel_t kernel);

#ifdef __cplusplus
}
#endif
