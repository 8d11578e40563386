# SPDX-License-Identifier: Apache-2.0
"""xpugraph/error.h for ctypes. Written by tools/gen: edit the header instead.

Error codes, the thread's last error, and the conventions that every other header relies on.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param


XPUGRAPH_VERSION_MAJOR = 0
XPUGRAPH_VERSION_MINOR = 1
XPUGRAPH_VERSION_PATCH = 0
XPUGRAPH_VERSION = 10  # One number to compare: 1000 * major + 10 * minor + patch.


class xpuError_t(IntEnum):
    """What a call answers. Numbers are those of CUDA 13; codes that concern only what this library
    does not have (textures, surfaces, profiling, process sharing) are left out, and their numbers
    stay free.
    """
    xpuSuccess = 0
    xpuErrorInvalidValue = 1
    xpuErrorMemoryAllocation = 2
    xpuErrorInitializationError = 3
    xpuErrorInvalidConfiguration = 9
    xpuErrorInvalidPitchValue = 12
    xpuErrorInvalidSymbol = 13
    xpuErrorInvalidHostPointer = 16
    xpuErrorInvalidDevicePointer = 17
    xpuErrorInvalidMemcpyDirection = 21
    xpuErrorNotYetImplemented = 31
    xpuErrorStubLibrary = 34
    xpuErrorInsufficientDriver = 35
    xpuErrorCallRequiresNewerDriver = 36
    xpuErrorDevicesUnavailable = 46
    xpuErrorIncompatibleDriverContext = 49
    xpuErrorMissingConfiguration = 52
    xpuErrorPriorLaunchFailure = 53
    xpuErrorInvalidDeviceFunction = 98
    xpuErrorNoDevice = 100
    xpuErrorInvalidDevice = 101
    xpuErrorStartupFailure = 127
    xpuErrorInvalidKernelImage = 200
    xpuErrorDeviceUninitialized = 201
    xpuErrorAlreadyMapped = 208
    xpuErrorNoKernelImageForDevice = 209
    xpuErrorAlreadyAcquired = 210
    xpuErrorNotMapped = 211
    xpuErrorECCUncorrectable = 214
    xpuErrorUnsupportedLimit = 215
    xpuErrorDeviceAlreadyInUse = 216
    xpuErrorPeerAccessUnsupported = 217
    xpuErrorJitCompilerNotFound = 221
    xpuErrorJitCompilationDisabled = 223
    xpuErrorInvalidSource = 300
    xpuErrorFileNotFound = 301
    xpuErrorSharedObjectSymbolNotFound = 302
    xpuErrorSharedObjectInitFailed = 303
    xpuErrorOperatingSystem = 304
    xpuErrorInvalidResourceHandle = 400
    xpuErrorIllegalState = 401
    xpuErrorLossyQuery = 402
    xpuErrorSymbolNotFound = 500
    xpuErrorNotReady = 600
    xpuErrorIllegalAddress = 700
    xpuErrorLaunchOutOfResources = 701
    xpuErrorLaunchTimeout = 702
    xpuErrorPeerAccessAlreadyEnabled = 704
    xpuErrorPeerAccessNotEnabled = 705
    xpuErrorSetOnActiveProcess = 708
    xpuErrorContextIsDestroyed = 709
    xpuErrorAssert = 710
    xpuErrorTooManyPeers = 711
    xpuErrorHostMemoryAlreadyRegistered = 712
    xpuErrorHostMemoryNotRegistered = 713
    xpuErrorHardwareStackError = 714
    xpuErrorIllegalInstruction = 715
    xpuErrorMisalignedAddress = 716
    xpuErrorInvalidAddressSpace = 717
    xpuErrorInvalidPc = 718
    xpuErrorLaunchFailure = 719
    xpuErrorCooperativeLaunchTooLarge = 720
    xpuErrorNotPermitted = 800
    xpuErrorNotSupported = 801
    xpuErrorSystemNotReady = 802
    xpuErrorSystemDriverMismatch = 803
    xpuErrorCompatNotSupportedOnDevice = 804
    xpuErrorStreamCaptureUnsupported = 900
    xpuErrorStreamCaptureInvalidated = 901
    xpuErrorStreamCaptureMerge = 902
    xpuErrorStreamCaptureUnmatched = 903
    xpuErrorStreamCaptureUnjoined = 904
    xpuErrorStreamCaptureIsolation = 905
    xpuErrorStreamCaptureImplicit = 906
    xpuErrorCapturedEvent = 907
    xpuErrorStreamCaptureWrongThread = 908
    xpuErrorTimeout = 909
    xpuErrorGraphExecUpdateFailure = 910
    xpuErrorExternalDevice = 911
    xpuErrorInvalidClusterSize = 912
    xpuErrorFunctionNotLoaded = 913
    xpuErrorInvalidResourceType = 914
    xpuErrorInvalidResourceConfiguration = 915
    xpuErrorGraphRecaptureFailure = 918
    xpuErrorUnknown = 999


class xpuErrorInfo(c.Structure):
    """What is known about the calling thread's last failure."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuErrorInfo)
        ("code", c.c_int),  # xpuSuccess if this thread has seen no failure
        # the ze_result_t behind it, 0 if Level Zero had no part in it
        ("nativeResult", c.c_uint32),
        ("reserved", c.c_uint32),  # 0
        ("function", c.c_char_p),  # the call that failed, e.g. "xpuGraphLaunch"; never NULL
        ("argument", c.c_char_p),  # the parameter at fault as the header spells it, "" if none
        ("sentence", c.c_char_p),  # what was wrong, what was expected and what to do; never NULL
    ]


LAYOUT = {
    "xpuErrorInfo": (40, [0, 4, 8, 12, 16, 24, 32]),
}


# The identifier of a code, e.g. "xpuErrorInvalidValue". A value that is no code gives
# "unrecognized error code". The string is never NULL and lives as long as the library. Safe from
# any thread, also while the library starts or ends.
# Since 0.1.
xpuGetErrorName = Function("xpuGetErrorName", c.c_char_p, [
    Param("error", c.c_int),
])

# One sentence on what a code means, for people. A value that is no code gives "unrecognized error
# code". The string is never NULL and lives as long as the library. Safe from any thread, also
# while the library starts or ends.
# Since 0.1.
xpuGetErrorString = Function("xpuGetErrorString", c.c_char_p, [
    Param("error", c.c_int),
])

# Returns the calling thread's last error and clears it. Successful calls do not clear it, and
# xpuErrorNotReady is never stored.
# Since 0.1.
xpuGetLastError = Function("xpuGetLastError", c.c_int, [
])

# Returns the calling thread's last error and leaves it.
# Since 0.1.
xpuPeekAtLastError = Function("xpuPeekAtLastError", c.c_int, [
])

# Tells more about the calling thread's last failure: the call, the argument, the Level Zero
# result. It describes the last call of this thread that failed, also after xpuGetLastError() has
# cleared the code, and does not clear it. xpuErrorNotReady is not a failure and is never
# described.
# info [in,out]: `struct_size` is read, the rest is written. The strings belong to the library and
# are valid until the next failing call of this thread.
# Errors: xpuErrorInvalidValue if `info` is NULL or `struct_size` is too small, which is not itself
# recorded.
# Since 0.1.
xpuGetLastErrorInfo = Function("xpuGetLastErrorInfo", c.c_int, [
    Param("info", c.POINTER(xpuErrorInfo), "in,out"),
])
