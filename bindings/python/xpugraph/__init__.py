# SPDX-License-Identifier: Apache-2.0
"""CUDA Graphs for Intel GPUs and the CPU, on NumPy and any array, in the shape of torch.xpu.

Streams, events, memory, modules and kernels of the C library as Python objects.
"""
from xpugraph import _raw
from xpugraph._checked import call, raw
from xpugraph._raw import xpuError_t as ErrorCode
from xpugraph._raw import xpuGraphNodeType as NodeType
from xpugraph.buffer import Buffer
from xpugraph.creation import (
    asarray, empty, empty_like, empty_pinned, from_dlpack, from_usm, full, zeros, zeros_like)
from xpugraph.device import (
    Device, DeviceProperties, current_device, device_count, get_device_name, get_device_properties,
    init_from_native, is_available, set_device, synchronize)
from xpugraph.error import (
    BuildError, CaptureError, IllegalState, InvalidHandle, InvalidValue, LaunchFailure, NoDevice,
    NotReady, NotSupported, OutOfMemory, SymbolNotFound, XPUError)
from xpugraph.event import Event
from xpugraph.kernel import Kernel, KernelAttributes, LocalMemory
from xpugraph.memory import (
    Memory, empty_cache, max_memory_allocated, max_memory_reserved, mem_get_info, memory_allocated,
    memory_reserved, memory_stats, reset_peak_memory_stats)
from xpugraph.module import Module
from xpugraph.pool import PoolHandle, PoolUsage, graph_pool_handle
from xpugraph.stream import (
    ExternalStream, Stream, StreamContext, current_stream, default_stream, set_stream, stream)

__version__ = ".".join(map(str, (_raw.XPUGRAPH_VERSION_MAJOR, _raw.XPUGRAPH_VERSION_MINOR,
                                 _raw.XPUGRAPH_VERSION_PATCH)))

__all__ = [
    "BuildError", "Buffer", "CaptureError", "Device", "DeviceProperties", "ErrorCode", "Event",
    "ExternalStream", "IllegalState", "InvalidHandle", "InvalidValue", "Kernel",
    "KernelAttributes", "LaunchFailure", "LocalMemory", "Memory", "Module", "NoDevice", "NodeType",
    "NotReady", "NotSupported", "OutOfMemory", "PoolHandle", "PoolUsage", "Stream",
    "StreamContext", "SymbolNotFound", "XPUError", "asarray", "call", "current_device",
    "current_stream", "default_stream", "device_count", "empty", "empty_cache", "empty_like",
    "empty_pinned", "from_dlpack", "from_usm", "full", "get_device_name", "get_device_properties",
    "graph_pool_handle", "init_from_native", "is_available", "max_memory_allocated",
    "max_memory_reserved", "mem_get_info", "memory_allocated", "memory_reserved", "memory_stats",
    "raw", "reset_peak_memory_stats", "set_device", "set_stream", "stream", "synchronize", "zeros",
    "zeros_like",
]
