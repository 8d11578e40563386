// SPDX-License-Identifier: Apache-2.0
// Attributes: what a kernel launch, or a kernel node, is besides its sizes and arguments.
//
// An attribute is a number of xpuLaunchAttributeID with the member of xpuLaunchAttributeValue that
// belongs to it. Cooperative changes how a kernel is launched; Priority orders kernels of an
// executable if that is asked for; the others that may be set are kept and told, and have no effect
// on Level Zero.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/graph.h>
#include <xpugraph/module.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Attributes of launches, with CUDA's numbers.
/// Since 0.1.
typedef enum xpuLaunchAttributeID XPU_ENUM {
  xpuLaunchAttributeIgnore = 0,                 ///< an entry of a list that means nothing
  xpuLaunchAttributeAccessPolicyWindow = 1,     ///< kept
  xpuLaunchAttributeCooperative = 2,            ///< all work-groups run at the same time
  xpuLaunchAttributeSynchronizationPolicy = 3,  ///< of streams, not of launches
  xpuLaunchAttributeClusterDimension = 4,       ///< 0, 0, 0 or 1, 1, 1: no clusters here
  xpuLaunchAttributeClusterSchedulingPolicyPreference = 5,  ///< kept
  /// Of launches, not of nodes: the kernel may start before the one before it has ended. It never
  /// does here, which is always correct.
  xpuLaunchAttributeProgrammaticStreamSerialization = 6,
  xpuLaunchAttributeProgrammaticEvent = 7,           ///< of launches; not supported
  xpuLaunchAttributePriority = 8,                    ///< as of streams: lower is more urgent
  xpuLaunchAttributeMemSyncDomainMap = 9,            ///< kept
  xpuLaunchAttributeMemSyncDomain = 10,              ///< kept
  xpuLaunchAttributePreferredClusterDimension = 11,  ///< as ClusterDimension
  xpuLaunchAttributeLaunchCompletionEvent = 12,      ///< of launches; not supported
  xpuLaunchAttributeDeviceUpdatableKernelNode = 13,  ///< 0: device code cannot update nodes here
  xpuLaunchAttributePreferredSharedMemoryCarveout = 14,  ///< kept
  xpuLaunchAttributeNvlinkUtilCentricScheduling = 16     ///< kept
} xpuLaunchAttributeID;

/// How accesses are meant to use a cache.
/// Since 0.1.
typedef enum xpuAccessProperty XPU_ENUM {
  xpuAccessPropertyNormal = 0,
  xpuAccessPropertyStreaming = 1,
  xpuAccessPropertyPersisting = 2
} xpuAccessProperty;

/// A range of addresses with a hint for caches.
/// Since 0.1.
typedef struct xpuAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;  ///< 0 to 1: the part of accesses that `hitProp` is for
  xpuAccessProperty hitProp;
  xpuAccessProperty missProp;  ///< not xpuAccessPropertyPersisting
  uint32_t reserved;           ///< 0
} xpuAccessPolicyWindow;

/// Where in the memory order a launch is; see xpuLaunchAttributeMemSyncDomain.
/// Since 0.1.
typedef enum xpuLaunchMemSyncDomain XPU_ENUM {
  xpuLaunchMemSyncDomainDefault = 0,
  xpuLaunchMemSyncDomainRemote = 1
} xpuLaunchMemSyncDomain;

/// Which domains of the device the two domains are.
/// Since 0.1.
typedef struct xpuLaunchMemSyncDomainMap {
  unsigned char default_;
  unsigned char remote;
} xpuLaunchMemSyncDomainMap;

/// See xpuLaunchAttributeClusterSchedulingPolicyPreference.
/// Since 0.1.
typedef enum xpuClusterSchedulingPolicy XPU_ENUM {
  xpuClusterSchedulingPolicyDefault = 0,
  xpuClusterSchedulingPolicySpread = 1,
  xpuClusterSchedulingPolicyLoadBalancing = 2
} xpuClusterSchedulingPolicy;

/// See xpuLaunchAttributeDeviceUpdatableKernelNode.
/// Since 0.1.
typedef struct xpuDeviceUpdatableKernelNode {
  int deviceUpdatable;  ///< 0
  int reserved;         ///< 0
  void* devNode;        ///< NULL
} xpuDeviceUpdatableKernelNode;

/// The value of an attribute.
/// Since 0.1.
typedef union xpuLaunchAttributeValue {
  char pad[64];  ///< the room of all
  xpuAccessPolicyWindow accessPolicyWindow;
  int cooperative;     ///< not 0: cooperative
  xpuDim3 clusterDim;  ///< work-groups
  xpuClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;  ///< 0 or 1
  int priority;
  xpuLaunchMemSyncDomainMap memSyncDomainMap;
  xpuLaunchMemSyncDomain memSyncDomain;
  xpuDim3 preferredClusterDim;  ///< work-groups
  xpuDeviceUpdatableKernelNode deviceUpdatableKernelNode;
  unsigned int sharedMemCarveout;            ///< per cent, or UINT_MAX for the default
  unsigned int nvlinkUtilCentricScheduling;  ///< 0 or 1
} xpuLaunchAttributeValue;

/// An attribute with its value.
/// Since 0.1.
typedef struct xpuLaunchAttribute {
  xpuLaunchAttributeID id;
  uint32_t reserved;  ///< 0
  xpuLaunchAttributeValue val;
} xpuLaunchAttribute;

/// How and where a kernel is launched.
/// Since 0.1.
typedef struct xpuLaunchConfig_t {
  uint32_t struct_size;     ///< in: sizeof(xpuLaunchConfig_t)
  unsigned int numAttrs;    ///< entries of `attrs`
  xpuDim3 gridDim;          ///< work-groups
  xpuDim3 blockDim;         ///< work-items of a work-group
  size_t dynamicSmemBytes;  ///< as `sharedMem` of xpuLaunchKernel()
  xpuStream_t stream;
  xpuLaunchAttribute* attrs;  ///< may be NULL if `numAttrs` is 0; of two alike the last one counts
} xpuLaunchConfig_t;

/// Queues a kernel all of whose work-groups run at the same time, so that they may wait for each
/// other. In a capture the node gets the attribute Cooperative.
/// @param[in] func  a kernel of the stream's device.
/// @param[in] gridDim  number of work-groups, as many as fit on the device at once.
/// @param[in] blockDim  work-items of a work-group, each at least 1.
/// @param[in] args  as for xpuLaunchKernel().
/// @param[in] sharedMem  as for xpuLaunchKernel().
/// Errors: as for xpuLaunchKernel(); xpuErrorCooperativeLaunchTooLarge for more work-groups than
/// fit; xpuErrorNotSupported for a device without such launches (xpuDevAttrCooperativeLaunch).
/// Since 0.1.
XPU_API xpuError_t xpuLaunchCooperativeKernel(xpuKernel_t func, xpuDim3 gridDim, xpuDim3 blockDim,
                                              void** args, size_t sharedMem, xpuStream_t stream);

/// Queues a kernel with attributes. In a capture the node gets those that nodes can have.
/// @param[in] config  copied during the call, with what it points to.
/// @param[in] func  a kernel of the stream's device.
/// @param[in] args  as for xpuLaunchKernel().
/// Errors: as for xpuLaunchCooperativeKernel(); xpuErrorInvalidValue for an attribute that there is
/// not or that launches do not have, and a value out of its range; xpuErrorNotSupported for one
/// that Level Zero cannot give. Since 0.1.
XPU_API xpuError_t xpuLaunchKernelExC(const xpuLaunchConfig_t* config, xpuKernel_t func,
                                      void** args);

/// Sets an attribute of a kernel node. xpuGraphKernelNodeSetParams() leaves attributes as they are.
/// @param[in] attr  of those that nodes have: neither a stream's nor only a launch's.
/// @param[in] value  the member for `attr` is read.
/// Errors: xpuErrorInvalidValue for another attribute and a value out of its range;
/// xpuErrorNotSupported for a value that Level Zero cannot give. Since 0.1.
XPU_API xpuError_t xpuGraphKernelNodeSetAttribute(xpuGraphNode_t hNode, xpuLaunchAttributeID attr,
                                                  const xpuLaunchAttributeValue* value);

/// Reads an attribute of a kernel node: the value that was set, or what holds without.
/// @param[in] attr  as for xpuGraphKernelNodeSetAttribute().
/// @param[out] value_out  the member for `attr`; the rest is set to 0.
/// Since 0.1.
XPU_API xpuError_t xpuGraphKernelNodeGetAttribute(xpuGraphNode_t hNode, xpuLaunchAttributeID attr,
                                                  xpuLaunchAttributeValue* value_out);

/// Gives a kernel node the attributes of another one, which may be of another graph.
/// @param[in] hDst  a kernel node; what it had set before is gone.
/// @param[in] hSrc  a kernel node of the same device.
/// Errors: xpuErrorInvalidValue for kernels of different devices. Since 0.1.
XPU_API xpuError_t xpuGraphKernelNodeCopyAttributes(xpuGraphNode_t hDst, xpuGraphNode_t hSrc);

#ifdef __cplusplus
}
#endif
