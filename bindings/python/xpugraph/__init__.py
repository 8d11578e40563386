# SPDX-License-Identifier: Apache-2.0
"""CUDA Graphs for Intel GPUs and the CPU, on NumPy and any array, in the shape of torch.xpu.

Record a stream of device work once, turn it into an executable, replay it for the price of one driver
call:

>>> import numpy as np, xpugraph as xpu
>>> module = xpu.Module.from_source("kernel void add(global int* p, int n) { p[get_global_id(0)] += n; }")
>>> numbers = xpu.zeros(256, np.int32)
>>> g = xpu.XPUGraph()
>>> with xpu.graph(g):
...     module["add"][4, 64](numbers, 1)
>>> g.replay()
>>> numbers.get()[:3]
array([1, 1, 1], dtype=int32)

Parameters that recur are not described again:

``stream`` (Stream, optional)
    In whose order something is done; by default the current one of the calling thread.
``device`` (Device, int, ``"xpu:1"``, optional)
    By default the calling thread's current one, or that of the stream.
``after`` (Node or iterable of Node, optional)
    The nodes that come before a new one.
``verbose`` (bool)
    Whether a picture also shows all parameters.

Sizes are bytes and shapes count elements, unless it says otherwise. Whatever C refuses is an XPUError or a
class of it, with the C function and the argument.
"""
from xpugraph import _raw
from xpugraph._arguments import LocalMemory
from xpugraph._checked import call, raw
from xpugraph._raw import xpuError_t as ErrorCode
from xpugraph._raw import xpuGraphNodeType as NodeType
from xpugraph.buffer import Buffer
from xpugraph.capture import XPUGraph, graph, is_current_stream_capturing
from xpugraph.conditional import Branch, Condition
from xpugraph.creation import (
    asarray, empty, empty_like, empty_pinned, from_dlpack, from_usm, full, zeros, zeros_like)
from xpugraph.device import (
    Device, DeviceProperties, current_device, device_count, get_device_name, get_device_properties,
    init_from_native, is_available, set_device, synchronize)
from xpugraph.error import (
    BuildError, CaptureError, IllegalState, InvalidHandle, InvalidValue, LaunchFailure, NoDevice,
    NotReady, NotSupported, OutOfMemory, SymbolNotFound, UpdateRefused, XPUError)
from xpugraph.event import Event
from xpugraph.exec import GraphExec
from xpugraph.external_semaphore import ExternalSemaphore
from xpugraph.graph import Graph
from xpugraph.kernel import Kernel, KernelAttributes
from xpugraph.memop import MemOp
from xpugraph.memory import (
    Memory, empty_cache, max_memory_allocated, max_memory_reserved, mem_get_info, memory_allocated,
    memory_reserved, memory_stats, reset_peak_memory_stats)
from xpugraph.module import Module
from xpugraph.node import Node
from xpugraph.pool import PoolHandle, PoolUsage, graph_pool_handle
from xpugraph.profile import NodeProfile, Profile
from xpugraph.recapture import recapture
from xpugraph.stream import (
    ExternalStream, Stream, StreamContext, current_stream, default_stream, set_stream, stream)

__version__ = ".".join(map(str, (_raw.XPUGRAPH_VERSION_MAJOR, _raw.XPUGRAPH_VERSION_MINOR,
                                 _raw.XPUGRAPH_VERSION_PATCH)))

__all__ = [
    "Branch", "Buffer", "BuildError", "CaptureError", "Condition", "Device", "DeviceProperties",
    "ErrorCode", "Event", "ExternalSemaphore", "ExternalStream", "Graph", "GraphExec", "IllegalState", "InvalidHandle",
    "InvalidValue", "Kernel", "KernelAttributes", "LaunchFailure", "LocalMemory", "MemOp", "Memory",
    "Module", "NoDevice", "Node", "NodeProfile", "NodeType", "NotReady", "NotSupported",
    "OutOfMemory", "PoolHandle", "PoolUsage", "Profile", "Stream", "StreamContext",
    "SymbolNotFound", "UpdateRefused", "XPUError", "XPUGraph", "asarray", "call", "current_device",
    "current_stream", "default_stream", "device_count", "empty", "empty_cache", "empty_like", "empty_pinned",
    "from_dlpack", "from_usm", "full", "get_device_name", "get_device_properties", "graph",
    "graph_pool_handle", "init_from_native", "is_available", "is_current_stream_capturing",
    "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated",
    "memory_reserved", "memory_stats", "raw", "recapture", "reset_peak_memory_stats", "set_device", "set_stream",
    "stream", "synchronize", "zeros", "zeros_like",
]
