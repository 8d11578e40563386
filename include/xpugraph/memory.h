// SPDX-License-Identifier: Apache-2.0
// Memory: allocation, copies and fills.
//
// Device, host and managed memory are Level Zero USM: an address is the same on the host and on the
// device. Device memory must not be touched by the host. Copies and fills take any host pointer
// too; memory that this library did not allocate may cost a staging copy.
//
// The calls without `Async` use the legacy default stream and cannot be captured. They wait until
// they are finished, except that copies within device memory and fills of it may return earlier.
//
// Sizes and pitches are bytes unless it is said otherwise. Source and destination must not overlap.
// During a capture, calls that allocate, free or wait may be refused; capture.h says when.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a copy goes from and to.
/// Since 0.1.
typedef enum xpuMemcpyKind XPU_ENUM {
  xpuMemcpyHostToHost = 0,
  xpuMemcpyHostToDevice = 1,
  xpuMemcpyDeviceToHost = 2,
  xpuMemcpyDeviceToDevice = 3,
  xpuMemcpyDefault = 4  ///< read from the addresses; the library does so in any case
} xpuMemcpyKind;

/// What an address belongs to.
/// Since 0.1.
typedef enum xpuMemoryType XPU_ENUM {
  xpuMemoryTypeUnregistered = 0,  ///< memory that no driver knows, such as that of malloc
  xpuMemoryTypeHost = 1,
  xpuMemoryTypeDevice = 2,
  xpuMemoryTypeManaged = 3
} xpuMemoryType;

/// Flags of xpuHostAlloc(). All host memory is portable and mapped.
/// Since 0.1.
typedef enum xpuHostAllocFlags XPU_ENUM {
  xpuHostAllocDefault = 0x0,
  xpuHostAllocPortable = 0x1,
  xpuHostAllocMapped = 0x2,
  xpuHostAllocWriteCombined = 0x4  ///< the host will not read it; a hint
} xpuHostAllocFlags;

/// Flags of xpuMallocManaged(); both give memory that host and device may use.
/// Since 0.1.
typedef enum xpuMemAttachFlags XPU_ENUM {
  xpuMemAttachGlobal = 0x1,
  xpuMemAttachHost = 0x2
} xpuMemAttachFlags;

/// A block of rows: `pitch` bytes from row to row, `ysize` rows from slice to slice.
/// Since 0.1.
typedef struct xpuPitchedPtr {
  void* ptr;
  size_t pitch;  ///< bytes
  size_t xsize;  ///< width of a row in bytes; not read by copies
  size_t ysize;  ///< rows of a slice; not read when one slice is copied
} xpuPitchedPtr;

/// The size of a copy.
/// Since 0.1.
typedef struct xpuExtent {
  size_t width;   ///< bytes
  size_t height;  ///< rows
  size_t depth;   ///< slices
} xpuExtent;

/// Where in a block a copy begins.
/// Since 0.1.
typedef struct xpuPos {
  size_t x;  ///< bytes
  size_t y;  ///< rows
  size_t z;  ///< slices
} xpuPos;

/// A three-dimensional copy.
/// Since 0.1.
typedef struct xpuMemcpy3DParms {
  uint32_t struct_size;  ///< in: sizeof(xpuMemcpy3DParms)
  xpuMemcpyKind kind;
  xpuPos srcPos;
  xpuPitchedPtr srcPtr;
  xpuPos dstPos;
  xpuPitchedPtr dstPtr;
  xpuExtent extent;
} xpuMemcpy3DParms;

/// What is known about an address.
/// Since 0.1.
typedef struct xpuPointerAttributes {
  uint32_t struct_size;  ///< in: sizeof(xpuPointerAttributes)
  xpuMemoryType type;
  int32_t device;       ///< the device that it belongs to; -1 if none
  uint32_t reserved;    ///< 0
  void* devicePointer;  ///< the address for kernels, NULL if they cannot use it
  void* hostPointer;    ///< the address for the host, NULL if it cannot use it
} xpuPointerAttributes;

/// Allocates device memory on the current device. Its content is undefined.
/// @param[out] devPtr  the address, aligned to 256 bytes or more; NULL if `size` is 0.
/// Errors: xpuErrorMemoryAllocation.
/// Since 0.1.
XPU_API xpuError_t xpuMalloc(void** devPtr, size_t size);

/// Allocates device memory for `height` rows of `width` bytes.
/// @param[out] devPtr  the address, aligned as for xpuMalloc(); NULL if one of the sizes is 0.
/// @param[out] pitch  bytes from row to row, at least `width`.
/// Since 0.1.
XPU_API xpuError_t xpuMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height);

/// Allocates host memory that every device can use at the same address.
/// @param[out] ptr  the address, aligned to 64 bytes or more; NULL if `size` is 0.
/// Since 0.1.
XPU_API xpuError_t xpuMallocHost(void** ptr, size_t size);

/// As xpuMallocHost(), with flags.
/// @param[out] pHost  the address.
/// @param[in] flags  of xpuHostAllocFlags, or-ed.
/// Since 0.1.
XPU_API xpuError_t xpuHostAlloc(void** pHost, size_t size, unsigned int flags);

/// The address at which kernels find host memory: the same one.
/// @param[out] pDevice  the address.
/// @param[in] pHost  inside memory of xpuMallocHost() or xpuHostAlloc().
/// @param[in] flags  0.
/// Errors: xpuErrorInvalidValue if `pHost` is not such memory.
/// Since 0.1.
XPU_API xpuError_t xpuHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags);

/// Allocates memory that the host and the current device share; the driver moves it as needed.
/// @param[out] devPtr  the address.
/// @param[in] flags  one of xpuMemAttachFlags.
/// Errors: xpuErrorInvalidValue if `size` is 0; xpuErrorNotSupported if the device has no such
/// memory.
/// Since 0.1.
XPU_API xpuError_t xpuMallocManaged(void** devPtr, size_t size, unsigned int flags);

/// Frees memory of xpuMalloc(), xpuMallocPitch(), xpuMallocManaged() or a pool (mempool.h), after
/// waiting until the devices are idle. Graphs and executables that name the address do not keep it.
/// @param[in] devPtr  as it was returned; NULL does nothing.
/// Errors: xpuErrorInvalidValue for an address that is no such allocation or was freed before.
/// Since 0.1.
XPU_API xpuError_t xpuFree(void* devPtr);

/// Frees memory of xpuMallocHost() or xpuHostAlloc(), after waiting until the devices are idle.
/// @param[in] ptr  as it was returned; NULL does nothing.
/// Errors: as for xpuFree().
/// Since 0.1.
XPU_API xpuError_t xpuFreeHost(void* ptr);

/// Copies bytes. A count of 0 does nothing.
/// Errors: xpuErrorInvalidMemcpyDirection for an unknown kind; xpuErrorInvalidValue for NULL and
/// for a range that leaves its allocation.
/// Since 0.1.
XPU_API xpuError_t xpuMemcpy(void* dst, const void* src, size_t count, xpuMemcpyKind kind);

/// Queues a copy. Both ranges must stay valid, and the source unchanged, until it is finished. If
/// one of them is memory of type xpuMemoryTypeUnregistered, the call itself waits, except in a
/// capture. Errors: as for xpuMemcpy(). Since 0.1.
XPU_API xpuError_t xpuMemcpyAsync(void* dst, const void* src, size_t count, xpuMemcpyKind kind,
                                  xpuStream_t stream);

/// Copies `height` rows of `width` bytes.
/// @param[in] dpitch  bytes from row to row of `dst`, at least `width`.
/// @param[in] spitch  bytes from row to row of `src`, at least `width`.
/// Errors: xpuErrorInvalidPitchValue for a pitch below `width`; otherwise as for xpuMemcpy().
/// Since 0.1.
XPU_API xpuError_t xpuMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                               size_t width, size_t height, xpuMemcpyKind kind);

/// Queues a copy of rows; see xpuMemcpy2D() and xpuMemcpyAsync().
/// Since 0.1.
XPU_API xpuError_t xpuMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                    size_t width, size_t height, xpuMemcpyKind kind,
                                    xpuStream_t stream);

/// Copies a block. An extent with a 0 in it does nothing.
/// @param[in] p  copied during the call.
/// Errors: xpuErrorInvalidPitchValue for a pitch below the width; otherwise as for xpuMemcpy().
/// Since 0.1.
XPU_API xpuError_t xpuMemcpy3D(const xpuMemcpy3DParms* p);

/// Queues a copy of a block; see xpuMemcpy3D() and xpuMemcpyAsync().
/// Since 0.1.
XPU_API xpuError_t xpuMemcpy3DAsync(const xpuMemcpy3DParms* p, xpuStream_t stream);

/// Sets `count` bytes to the low byte of `value`. A count of 0 does nothing.
/// Errors: xpuErrorInvalidValue for NULL, for memory that devices cannot use and for a range that
/// leaves its allocation.
/// Since 0.1.
XPU_API xpuError_t xpuMemset(void* devPtr, int value, size_t count);

/// Queues a fill of bytes; see xpuMemset().
/// Since 0.1.
XPU_API xpuError_t xpuMemsetAsync(void* devPtr, int value, size_t count, xpuStream_t stream);

/// Sets `height` rows of `width` bytes, `pitch` bytes apart, to the low byte of `value`.
/// Errors: xpuErrorInvalidPitchValue for a pitch below `width`; otherwise as for xpuMemset().
/// Since 0.1.
XPU_API xpuError_t xpuMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height);

/// Queues a fill of rows; see xpuMemset2D().
/// Since 0.1.
XPU_API xpuError_t xpuMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                    size_t height, xpuStream_t stream);

/// How much memory the current device has.
/// @param[out] free  bytes still to be had. Where the driver does not tell, it is the total less
///     what this process has allocated: an upper bound.
/// @param[out] total  bytes.
/// Since 0.1.
XPU_API xpuError_t xpuMemGetInfo(size_t* free, size_t* total);

/// What an address belongs to. Any address may be asked about, also one inside an allocation; it is
/// not read.
/// @param[in,out] attributes  `struct_size` is read, the rest is written.
/// Since 0.1.
XPU_API xpuError_t xpuPointerGetAttributes(xpuPointerAttributes* attributes, const void* ptr);

#ifdef __cplusplus
}
#endif
