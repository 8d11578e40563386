// SPDX-License-Identifier: Apache-2.0
// Devices: which there are, which one a thread works on, what it can do.
//
// The library starts at the first call that needs a device and takes the driver that the
// environment variable XPUGRAPH_DRIVER names: by default a GPU if there is one, else the CPU driver
// that comes with the library. If it cannot start, that call and every later one say why. Each
// thread has a current device, 0 at first.
#pragma once

#include <xpugraph/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a device is. Numbers as in ze_device_type_t.
/// Since 0.1.
typedef enum xpuDeviceType XPU_ENUM {
  xpuDeviceTypeGpu = 1,
  xpuDeviceTypeCpu = 2,
  xpuDeviceTypeOther = 3
} xpuDeviceType;

/// What xpuDeviceGetAttribute() can tell. Numbers as in CUDA 13.
/// Since 0.1.
typedef enum xpuDeviceAttr XPU_ENUM {
  xpuDevAttrMaxThreadsPerBlock = 1,
  xpuDevAttrMaxBlockDimX = 2,
  xpuDevAttrMaxBlockDimY = 3,
  xpuDevAttrMaxBlockDimZ = 4,
  xpuDevAttrMaxGridDimX = 5,
  xpuDevAttrMaxGridDimY = 6,
  xpuDevAttrMaxGridDimZ = 7,
  xpuDevAttrMaxSharedMemoryPerBlock = 8,  ///< bytes
  xpuDevAttrWarpSize = 10,                ///< widest sub-group
  xpuDevAttrClockRate = 13,               ///< kHz
  xpuDevAttrMultiProcessorCount = 16,     ///< sub-slices of a GPU, threads of a CPU
  xpuDevAttrIntegrated = 18,              ///< 1 if it has the host's memory
  xpuDevAttrCanMapHostMemory = 19,        ///< 1
  xpuDevAttrConcurrentKernels = 31,       ///< 1 if kernels without an order may overlap
  xpuDevAttrAsyncEngineCount = 40,        ///< copy engines
  xpuDevAttrUnifiedAddressing = 41,       ///< 1
  xpuDevAttrStreamPrioritiesSupported = 78,
  xpuDevAttrManagedMemory = 83,
  xpuDevAttrConcurrentManagedAccess = 89,
  xpuDevAttrCooperativeLaunch = 95
} xpuDeviceAttr;

/// What a device is and has.
/// Since 0.1.
typedef struct xpuDeviceProp {
  uint32_t struct_size;  ///< in: sizeof(xpuDeviceProp)
  xpuDeviceType type;
  char name[256];               ///< UTF-8, ended by a NUL
  uint8_t uuid[16];             ///< as the driver gives it
  uint32_t vendorId;            ///< PCI
  uint32_t deviceId;            ///< PCI
  size_t totalGlobalMem;        ///< bytes
  size_t maxMemAllocSize;       ///< bytes of one allocation, at most
  size_t sharedMemPerBlock;     ///< bytes of work-group local memory
  int32_t maxThreadsPerBlock;   ///< work-items of a work-group
  int32_t maxThreadsDim[3];     ///< of each dimension of a work-group
  int32_t maxGridSize[3];       ///< work-groups of each dimension
  int32_t warpSize;             ///< widest sub-group
  int32_t multiProcessorCount;  ///< sub-slices of a GPU, threads of a CPU
  int32_t clockRate;            ///< kHz
  int32_t integrated;           ///< 1 if it has the host's memory
  int32_t managedMemory;        ///< 1 if xpuMallocManaged() works
  int32_t computeEngineCount;   ///< engines that run kernels
  int32_t asyncEngineCount;     ///< engines that only copy
} xpuDeviceProp;

/// The version of the loaded library, as XPUGRAPH_VERSION. Works without a device.
/// @param[out] runtimeVersion  1000 * major + 10 * minor + patch.
/// Since 0.1.
XPU_API xpuError_t xpuRuntimeGetVersion(int* runtimeVersion);

/// The Level Zero version that the driver implements.
/// @param[out] driverVersion  1000 * major + 10 * minor; 0 if there is no driver.
/// Since 0.1.
XPU_API xpuError_t xpuDriverGetVersion(int* driverVersion);

/// The number of devices.
/// @param[out] count  0 is not possible: without a device the call fails.
/// Errors: xpuErrorNoDevice; xpuErrorInsufficientDriver if no driver could be loaded.
/// Since 0.1.
XPU_API xpuError_t xpuGetDeviceCount(int* count);

/// The calling thread's current device.
/// @param[out] device  its number.
/// Since 0.1.
XPU_API xpuError_t xpuGetDevice(int* device);

/// Sets the calling thread's current device.
/// Errors: xpuErrorInvalidDevice.
/// Since 0.1.
XPU_API xpuError_t xpuSetDevice(int device);

/// Tells what a device is and has.
/// @param[in,out] prop  `struct_size` is read, the rest is written.
/// Errors: xpuErrorInvalidDevice.
/// Since 0.1.
XPU_API xpuError_t xpuGetDeviceProperties(xpuDeviceProp* prop, int device);

/// Tells one number about a device.
/// @param[out] value  the number; larger ones than fit are INT_MAX.
/// Errors: xpuErrorInvalidValue for an unknown attribute; xpuErrorInvalidDevice.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetAttribute(int* value, xpuDeviceAttr attr, int device);

/// Tells whether kernels of a device can use the device memory of another one.
/// @param[out] canAccessPeer  1 or 0; 0 for the device itself.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice);

/// The priorities that streams of the current device can have; lower is more urgent.
/// @param[out] leastPriority  the highest number; may be NULL.
/// @param[out] greatestPriority  the lowest number; may be NULL. Both are 0 if there is only one.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);

/// Waits until all work of the current device, in every stream, is finished.
/// Errors: an error of that work; xpuErrorStreamCaptureUnsupported while a stream of the device is
/// captured, which invalidates that capture.
/// Since 0.1.
XPU_API xpuError_t xpuDeviceSynchronize(void);

#ifdef __cplusplus
}
#endif
