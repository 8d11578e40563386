// SPDX-License-Identifier: Apache-2.0
// Error codes, the thread's last error, and the conventions that every other header relies on.
//
// Every call returns xpuError_t. When a call fails, its outputs are untouched and the objects it
// was given are as they were before the call. Codes and names are those of the CUDA 13 runtime with
// the prefix `xpu`.
//
// Structs that may grow begin with `uint32_t struct_size`, which the caller sets to `sizeof` of the
// struct before the call; zero the rest first (`xpuDeviceProp p = {sizeof p};` does both). A
// library newer than the caller reads and writes no more than that many bytes. A caller newer than
// the library may pass a larger struct if what the library does not know is zero; in a struct that
// the library writes, it sets those bytes to zero. A size smaller than the struct of its first
// release, such as a forgotten 0, gives xpuErrorInvalidValue. New members come at the end, and zero
// means "as before". Members called `reserved` must be 0. Until 1.0 the soname is libxpugraph.so.0;
// from 1.0 on programs that were built with any earlier 1.x run unchanged.
//
// Handles are words, not addresses. NULL, a destroyed handle and a handle of another type are
// recognised and give xpuErrorInvalidValue or xpuErrorInvalidResourceHandle, never a crash.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Version of these headers. xpuRuntimeGetVersion() gives that of the library that was loaded.
#define XPUGRAPH_VERSION_MAJOR 0
#define XPUGRAPH_VERSION_MINOR 1
#define XPUGRAPH_VERSION_PATCH 0
/// One number to compare: 1000 * major + 10 * minor + patch.
#define XPUGRAPH_VERSION \
  (XPUGRAPH_VERSION_MAJOR * 1000 + XPUGRAPH_VERSION_MINOR * 10 + XPUGRAPH_VERSION_PATCH)

#if defined(__GNUC__) || defined(__clang__)
#define XPU_API __attribute__((visibility("default")))
#else
#define XPU_API
#endif

// Every enum is an `int` wide, and in C++ any value of that width may be passed and is checked.
#ifdef __cplusplus
#define XPU_ENUM : int
#else
#define XPU_ENUM
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call answers. Numbers are those of CUDA 13; codes that concern only what this library
/// does not have (textures, surfaces, profiling, process sharing) are left out, and their numbers
/// stay free.
/// Since 0.1.
typedef enum xpuError XPU_ENUM {
  xpuSuccess = 0,
  xpuErrorInvalidValue = 1,
  xpuErrorMemoryAllocation = 2,
  xpuErrorInitializationError = 3,
  xpuErrorInvalidConfiguration = 9,
  xpuErrorInvalidPitchValue = 12,
  xpuErrorInvalidSymbol = 13,
  xpuErrorInvalidHostPointer = 16,
  xpuErrorInvalidDevicePointer = 17,
  xpuErrorInvalidMemcpyDirection = 21,
  xpuErrorNotYetImplemented = 31,
  xpuErrorStubLibrary = 34,
  xpuErrorInsufficientDriver = 35,
  xpuErrorCallRequiresNewerDriver = 36,
  xpuErrorDevicesUnavailable = 46,
  xpuErrorIncompatibleDriverContext = 49,
  xpuErrorMissingConfiguration = 52,
  xpuErrorPriorLaunchFailure = 53,
  xpuErrorInvalidDeviceFunction = 98,
  xpuErrorNoDevice = 100,
  xpuErrorInvalidDevice = 101,
  xpuErrorStartupFailure = 127,
  xpuErrorInvalidKernelImage = 200,
  xpuErrorDeviceUninitialized = 201,
  xpuErrorAlreadyMapped = 208,
  xpuErrorNoKernelImageForDevice = 209,
  xpuErrorAlreadyAcquired = 210,
  xpuErrorNotMapped = 211,
  xpuErrorECCUncorrectable = 214,
  xpuErrorUnsupportedLimit = 215,
  xpuErrorDeviceAlreadyInUse = 216,
  xpuErrorPeerAccessUnsupported = 217,
  xpuErrorJitCompilerNotFound = 221,
  xpuErrorJitCompilationDisabled = 223,
  xpuErrorInvalidSource = 300,
  xpuErrorFileNotFound = 301,
  xpuErrorSharedObjectSymbolNotFound = 302,
  xpuErrorSharedObjectInitFailed = 303,
  xpuErrorOperatingSystem = 304,
  xpuErrorInvalidResourceHandle = 400,
  xpuErrorIllegalState = 401,
  xpuErrorLossyQuery = 402,
  xpuErrorSymbolNotFound = 500,
  xpuErrorNotReady = 600,
  xpuErrorIllegalAddress = 700,
  xpuErrorLaunchOutOfResources = 701,
  xpuErrorLaunchTimeout = 702,
  xpuErrorPeerAccessAlreadyEnabled = 704,
  xpuErrorPeerAccessNotEnabled = 705,
  xpuErrorSetOnActiveProcess = 708,
  xpuErrorContextIsDestroyed = 709,
  xpuErrorAssert = 710,
  xpuErrorTooManyPeers = 711,
  xpuErrorHostMemoryAlreadyRegistered = 712,
  xpuErrorHostMemoryNotRegistered = 713,
  xpuErrorHardwareStackError = 714,
  xpuErrorIllegalInstruction = 715,
  xpuErrorMisalignedAddress = 716,
  xpuErrorInvalidAddressSpace = 717,
  xpuErrorInvalidPc = 718,
  xpuErrorLaunchFailure = 719,
  xpuErrorCooperativeLaunchTooLarge = 720,
  xpuErrorNotPermitted = 800,
  xpuErrorNotSupported = 801,
  xpuErrorSystemNotReady = 802,
  xpuErrorSystemDriverMismatch = 803,
  xpuErrorCompatNotSupportedOnDevice = 804,
  xpuErrorStreamCaptureUnsupported = 900,
  xpuErrorStreamCaptureInvalidated = 901,
  xpuErrorStreamCaptureMerge = 902,
  xpuErrorStreamCaptureUnmatched = 903,
  xpuErrorStreamCaptureUnjoined = 904,
  xpuErrorStreamCaptureIsolation = 905,
  xpuErrorStreamCaptureImplicit = 906,
  xpuErrorCapturedEvent = 907,
  xpuErrorStreamCaptureWrongThread = 908,
  xpuErrorTimeout = 909,
  xpuErrorGraphExecUpdateFailure = 910,
  xpuErrorExternalDevice = 911,
  xpuErrorInvalidClusterSize = 912,
  xpuErrorFunctionNotLoaded = 913,
  xpuErrorInvalidResourceType = 914,
  xpuErrorInvalidResourceConfiguration = 915,
  xpuErrorGraphRecaptureFailure = 918,
  xpuErrorUnknown = 999
} xpuError_t;

/// What is known about the calling thread's last failure.
/// Since 0.1.
typedef struct xpuErrorInfo {
  uint32_t struct_size;   ///< in: sizeof(xpuErrorInfo)
  xpuError_t code;        ///< xpuSuccess if this thread has seen no failure
  uint32_t nativeResult;  ///< the ze_result_t behind it, 0 if Level Zero had no part in it
  uint32_t reserved;      ///< 0
  const char* function;   ///< the call that failed, e.g. "xpuGraphLaunch"; never NULL
  const char* argument;   ///< the parameter at fault as the header spells it, "" if none
  const char* sentence;   ///< what was wrong, what was expected and what to do; never NULL
} xpuErrorInfo;

/// The identifier of a code, e.g. "xpuErrorInvalidValue". A value that is no code gives
/// "unrecognized error code". The string is never NULL and lives as long as the library. Safe from
/// any thread, also while the library starts or ends.
/// Since 0.1.
XPU_API const char* xpuGetErrorName(xpuError_t error);

/// One sentence on what a code means, for people. A value that is no code gives "unrecognized error
/// code". The string is never NULL and lives as long as the library. Safe from any thread, also
/// while the library starts or ends.
/// Since 0.1.
XPU_API const char* xpuGetErrorString(xpuError_t error);

/// Returns the calling thread's last error and clears it. Successful calls do not clear it, and
/// xpuErrorNotReady is never stored.
/// Since 0.1.
XPU_API xpuError_t xpuGetLastError(void);

/// Returns the calling thread's last error and leaves it.
/// Since 0.1.
XPU_API xpuError_t xpuPeekAtLastError(void);

/// Tells more about the calling thread's last failure: the call, the argument, the Level Zero
/// result. It describes the last call of this thread that failed, also after xpuGetLastError() has
/// cleared the code, and does not clear it. xpuErrorNotReady is not a failure and is never
/// described.
/// @param[in,out] info  `struct_size` is read, the rest is written. The strings belong to the
///     library and are valid until the next failing call of this thread.
/// Errors: xpuErrorInvalidValue if `info` is NULL or `struct_size` is too small, which is not
/// itself recorded. Since 0.1.
XPU_API xpuError_t xpuGetLastErrorInfo(xpuErrorInfo* info);

#ifdef __cplusplus
}
#endif
