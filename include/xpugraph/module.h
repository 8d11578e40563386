// SPDX-License-Identifier: Apache-2.0
// Modules and kernels: device code loaded from SPIR-V or from a native binary, and how it is
// launched.
//
// A module belongs to the device that was current when it was loaded. A kernel handle may be used
// by several threads at once: its arguments are given with each launch and are not state of the
// kernel.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuModule_st* xpuModule_t;
typedef struct xpuKernel_st* xpuKernel_t;

/// Three sizes.
/// Since 0.1.
typedef struct xpuDim3 {
  uint32_t x;
  uint32_t y;
  uint32_t z;
} xpuDim3;

/// What an image is.
/// Since 0.1.
typedef enum xpuModuleFormat XPU_ENUM {
  xpuModuleFormatAuto = 0,   ///< told apart by content: SPIR-V by its magic number, else native
  xpuModuleFormatSpirv = 1,  ///< a SPIR-V module with OpenCL kernels
  xpuModuleFormatNative = 2  ///< what the driver's compiler made for this very device
} xpuModuleFormat;

/// How to load a module.
/// Since 0.1.
typedef struct xpuModuleDesc {
  uint32_t struct_size;  ///< in: sizeof(xpuModuleDesc)
  xpuModuleFormat format;
  const void* image;         ///< len = imageSize; copied during the call
  size_t imageSize;          ///< bytes
  const char* buildOptions;  ///< for the driver's compiler; may be NULL
  /// [out] len = buildLogSize; may be NULL. What the compiler says, cut to fit and ended by a NUL;
  /// written also when the call fails.
  char* buildLog;
  size_t buildLogSize;  ///< bytes
} xpuModuleDesc;

/// What is known about a kernel.
/// Since 0.1.
typedef struct xpuKernelAttributes {
  uint32_t struct_size;         ///< in: sizeof(xpuKernelAttributes)
  uint32_t numParams;           ///< number of parameters
  size_t sharedSizeBytes;       ///< work-group local memory that the kernel itself declares
  size_t localSizeBytes;        ///< private memory of a work-item
  size_t spillSizeBytes;        ///< of it, what did not fit into registers
  uint32_t maxThreadsPerBlock;  ///< work-items of a work-group, at most
  uint32_t warpSize;            ///< sub-group size; a block that is a multiple of it is best
  xpuDim3 requiredBlockDim;     ///< the work-group size that the source demands; 0, 0, 0 if none
  uint32_t reserved;            ///< 0
} xpuKernelAttributes;

/// Loads a module on the current device from SPIR-V or a native binary, told apart by content.
/// @param[out] pModule  the module; the caller unloads it.
/// @param[in] image  len = size; copied during the call.
/// Errors: xpuErrorInvalidKernelImage for an image that is malformed or does not build;
/// xpuErrorNoKernelImageForDevice for a native binary of another device.
/// Since 0.1.
XPU_API xpuError_t xpuModuleLoadData(xpuModule_t* pModule, const void* image, size_t size);

/// As xpuModuleLoadData(), with the format, options for the compiler and its log.
/// @param[out] pModule  the module; the caller unloads it.
/// @param[in] desc  copied during the call.
/// Since 0.1.
XPU_API xpuError_t xpuModuleLoad(xpuModule_t* pModule, const xpuModuleDesc* desc);

/// Unloads a module; its kernel handles die with it. Work that was queued before still runs, and
/// graphs and executables that have such kernels keep what they need.
/// Errors: xpuErrorInvalidResourceHandle for NULL or an unloaded module.
/// Since 0.1.
XPU_API xpuError_t xpuModuleUnload(xpuModule_t module);

/// Finds a kernel by name. The same name gives the same handle each time.
/// @param[out] pKernel  the kernel; it lives as long as the module and is not destroyed by itself.
/// Errors: xpuErrorSymbolNotFound if the module has no such kernel.
/// Since 0.1.
XPU_API xpuError_t xpuModuleGetKernel(xpuKernel_t* pKernel, xpuModule_t module, const char* name);

/// Tells the limits and needs of a kernel.
/// @param[in,out] attr  `struct_size` is read, the rest is written.
/// Since 0.1.
XPU_API xpuError_t xpuKernelGetAttributes(xpuKernelAttributes* attr, xpuKernel_t kernel);

/// Tells how large a parameter is, and where it lies in a block of all arguments that is laid out
/// in order with natural alignment.
/// @param[in] paramIndex  counted from 0.
/// @param[out] paramOffset  bytes.
/// @param[out] paramSize  bytes; sizeof(size_t) for a local-memory parameter. May be NULL.
/// Errors: xpuErrorInvalidValue for an index past the last one.
/// Since 0.1.
XPU_API xpuError_t xpuKernelGetParamInfo(xpuKernel_t kernel, size_t paramIndex, size_t* paramOffset,
                                         size_t* paramSize);

/// Queues a kernel.
/// @param[in] func  a kernel of the stream's device.
/// @param[in] gridDim  number of work-groups, each at least 1.
/// @param[in] blockDim  work-items of a work-group, each at least 1.
/// @param[in] args  len = the kernel's number of parameters; `args[i]` points to the value of
///     parameter i, whose bytes are copied during the call. For a local-memory parameter it points
///     to a `size_t` with its size in bytes, or is NULL, and then `sharedMem` is its size. May be
///     NULL if there are no parameters.
/// @param[in] sharedMem  bytes for the local-memory parameter whose entry is NULL; otherwise 0.
/// Errors: xpuErrorInvalidDeviceFunction for a NULL kernel; xpuErrorInvalidResourceHandle for what
/// is no kernel or is of another device; xpuErrorInvalidConfiguration for sizes that the device or
/// the kernel cannot take; xpuErrorInvalidValue for a missing argument.
/// Since 0.1.
XPU_API xpuError_t xpuLaunchKernel(xpuKernel_t func, xpuDim3 gridDim, xpuDim3 blockDim, void** args,
                                   size_t sharedMem, xpuStream_t stream);

#ifdef __cplusplus
}
#endif
