# SPDX-License-Identifier: Apache-2.0
"""xpugraph/launch.h for ctypes. Written by tools/gen: edit the header instead.

Attributes: what a kernel launch, or a kernel node, is besides its sizes and arguments.
"""

import ctypes as c
from enum import IntEnum

from xpugraph._function import Function, Param
from xpugraph._raw.graph import xpuGraphNode_t
from xpugraph._raw.module import xpuDim3, xpuKernel_t
from xpugraph._raw.stream import xpuStream_t


class xpuLaunchAttributeID(IntEnum):
    """Attributes of launches, with CUDA's numbers."""
    xpuLaunchAttributeIgnore = 0  # an entry of a list that means nothing
    xpuLaunchAttributeAccessPolicyWindow = 1  # kept
    xpuLaunchAttributeCooperative = 2  # all work-groups run at the same time
    xpuLaunchAttributeSynchronizationPolicy = 3  # of streams, not of launches
    xpuLaunchAttributeClusterDimension = 4  # 0, 0, 0 or 1, 1, 1: no clusters here
    xpuLaunchAttributeClusterSchedulingPolicyPreference = 5  # kept
    # Of launches, not of nodes: the kernel may start before the one before it has ended. It never
    # does here, which is always correct.
    xpuLaunchAttributeProgrammaticStreamSerialization = 6
    xpuLaunchAttributeProgrammaticEvent = 7  # of launches; not supported
    xpuLaunchAttributePriority = 8  # as of streams: lower is more urgent
    xpuLaunchAttributeMemSyncDomainMap = 9  # kept
    xpuLaunchAttributeMemSyncDomain = 10  # kept
    xpuLaunchAttributePreferredClusterDimension = 11  # as ClusterDimension
    xpuLaunchAttributeLaunchCompletionEvent = 12  # of launches; not supported
    xpuLaunchAttributeDeviceUpdatableKernelNode = 13  # 0: device code cannot update nodes here
    xpuLaunchAttributePreferredSharedMemoryCarveout = 14  # kept
    xpuLaunchAttributeNvlinkUtilCentricScheduling = 16  # kept


class xpuAccessProperty(IntEnum):
    """How accesses are meant to use a cache."""
    xpuAccessPropertyNormal = 0
    xpuAccessPropertyStreaming = 1
    xpuAccessPropertyPersisting = 2


class xpuLaunchMemSyncDomain(IntEnum):
    """Where in the memory order a launch is; see xpuLaunchAttributeMemSyncDomain."""
    xpuLaunchMemSyncDomainDefault = 0
    xpuLaunchMemSyncDomainRemote = 1


class xpuClusterSchedulingPolicy(IntEnum):
    """See xpuLaunchAttributeClusterSchedulingPolicyPreference."""
    xpuClusterSchedulingPolicyDefault = 0
    xpuClusterSchedulingPolicySpread = 1
    xpuClusterSchedulingPolicyLoadBalancing = 2


class xpuAccessPolicyWindow(c.Structure):
    """A range of addresses with a hint for caches."""

    _fields_ = [
        ("base_ptr", c.c_void_p),
        ("num_bytes", c.c_size_t),
        ("hitRatio", c.c_float),  # 0 to 1: the part of accesses that `hitProp` is for
        ("hitProp", c.c_int),
        ("missProp", c.c_int),  # not xpuAccessPropertyPersisting
        ("reserved", c.c_uint32),  # 0
    ]


class xpuLaunchMemSyncDomainMap(c.Structure):
    """Which domains of the device the two domains are."""

    _fields_ = [
        ("default_", c.c_uint8),
        ("remote", c.c_uint8),
    ]


class xpuDeviceUpdatableKernelNode(c.Structure):
    """See xpuLaunchAttributeDeviceUpdatableKernelNode."""

    _fields_ = [
        ("deviceUpdatable", c.c_int32),  # 0
        ("reserved", c.c_int32),  # 0
        ("devNode", c.c_void_p),  # NULL
    ]


class xpuLaunchAttributeValue(c.Union):
    """The value of an attribute."""

    _fields_ = [
        ("pad", c.c_char * 64),  # the room of all
        ("accessPolicyWindow", xpuAccessPolicyWindow),
        ("cooperative", c.c_int32),  # not 0: cooperative
        ("clusterDim", xpuDim3),  # work-groups
        ("clusterSchedulingPolicyPreference", c.c_int),
        ("programmaticStreamSerializationAllowed", c.c_int32),  # 0 or 1
        ("priority", c.c_int32),
        ("memSyncDomainMap", xpuLaunchMemSyncDomainMap),
        ("memSyncDomain", c.c_int),
        ("preferredClusterDim", xpuDim3),  # work-groups
        ("deviceUpdatableKernelNode", xpuDeviceUpdatableKernelNode),
        ("sharedMemCarveout", c.c_uint32),  # per cent, or UINT_MAX for the default
        ("nvlinkUtilCentricScheduling", c.c_uint32),  # 0 or 1
    ]


class xpuLaunchAttribute(c.Structure):
    """An attribute with its value."""

    _fields_ = [
        ("id", c.c_int),
        ("reserved", c.c_uint32),  # 0
        ("val", xpuLaunchAttributeValue),
    ]


class xpuLaunchConfig_t(c.Structure):
    """How and where a kernel is launched."""

    _fields_ = [
        ("struct_size", c.c_uint32),  # in: sizeof(xpuLaunchConfig_t)
        ("numAttrs", c.c_uint32),  # entries of `attrs`
        ("gridDim", xpuDim3),  # work-groups
        ("blockDim", xpuDim3),  # work-items of a work-group
        ("dynamicSmemBytes", c.c_size_t),  # as `sharedMem` of xpuLaunchKernel()
        ("stream", xpuStream_t),
        # may be NULL if `numAttrs` is 0; of two alike the last one counts
        ("attrs", c.POINTER(xpuLaunchAttribute)),
    ]


LAYOUT = {
    "xpuAccessPolicyWindow": (32, [0, 8, 16, 20, 24, 28]),
    "xpuLaunchMemSyncDomainMap": (2, [0, 1]),
    "xpuDeviceUpdatableKernelNode": (16, [0, 4, 8]),
    "xpuLaunchAttributeValue": (64, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "xpuLaunchAttribute": (72, [0, 4, 8]),
    "xpuLaunchConfig_t": (56, [0, 4, 8, 20, 32, 40, 48]),
}


# Queues a kernel all of whose work-groups run at the same time, so that they may wait for each
# other. In a capture the node gets the attribute Cooperative.
# func [in]: a kernel of the stream's device.
# gridDim [in]: number of work-groups, as many as fit on the device at once.
# blockDim [in]: work-items of a work-group, each at least 1.
# args [in]: as for xpuLaunchKernel().
# sharedMem [in]: as for xpuLaunchKernel().
# Errors: as for xpuLaunchKernel(); xpuErrorCooperativeLaunchTooLarge for more work-groups than
# fit; xpuErrorNotSupported for a device without such launches (xpuDevAttrCooperativeLaunch).
# Since 0.1.
xpuLaunchCooperativeKernel = Function("xpuLaunchCooperativeKernel", c.c_int, [
    Param("func", xpuKernel_t),
    Param("gridDim", xpuDim3),
    Param("blockDim", xpuDim3),
    Param("args", c.POINTER(c.c_void_p)),
    Param("sharedMem", c.c_size_t),
    Param("stream", xpuStream_t),
])

# Queues a kernel with attributes. In a capture the node gets those that nodes can have.
# config [in]: copied during the call, with what it points to.
# func [in]: a kernel of the stream's device.
# args [in]: as for xpuLaunchKernel().
# Errors: as for xpuLaunchCooperativeKernel(); xpuErrorInvalidValue for an attribute that there is
# not or that launches do not have, and a value out of its range; xpuErrorNotSupported for one that
# Level Zero cannot give.
# Since 0.1.
xpuLaunchKernelExC = Function("xpuLaunchKernelExC", c.c_int, [
    Param("config", c.POINTER(xpuLaunchConfig_t)),
    Param("func", xpuKernel_t),
    Param("args", c.POINTER(c.c_void_p)),
])

# Sets an attribute of a kernel node. xpuGraphKernelNodeSetParams() leaves attributes as they are.
# attr [in]: of those that nodes have: neither a stream's nor only a launch's.
# value [in]: the member for `attr` is read.
# Errors: xpuErrorInvalidValue for another attribute and a value out of its range;
# xpuErrorNotSupported for a value that Level Zero cannot give.
# Since 0.1.
xpuGraphKernelNodeSetAttribute = Function("xpuGraphKernelNodeSetAttribute", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("attr", c.c_int),
    Param("value", c.POINTER(xpuLaunchAttributeValue)),
])

# Reads an attribute of a kernel node: the value that was set, or what holds without.
# attr [in]: as for xpuGraphKernelNodeSetAttribute().
# value_out [out]: the member for `attr`; the rest is set to 0.
# Since 0.1.
xpuGraphKernelNodeGetAttribute = Function("xpuGraphKernelNodeGetAttribute", c.c_int, [
    Param("hNode", xpuGraphNode_t),
    Param("attr", c.c_int),
    Param("value_out", c.POINTER(xpuLaunchAttributeValue), "out"),
])

# Gives a kernel node the attributes of another one, which may be of another graph.
# hDst [in]: a kernel node; what it had set before is gone.
# hSrc [in]: a kernel node of the same device.
# Errors: xpuErrorInvalidValue for kernels of different devices.
# Since 0.1.
xpuGraphKernelNodeCopyAttributes = Function("xpuGraphKernelNodeCopyAttributes", c.c_int, [
    Param("hDst", xpuGraphNode_t),
    Param("hSrc", xpuGraphNode_t),
])
