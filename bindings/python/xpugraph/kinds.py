# SPDX-License-Identifier: Apache-2.0
"""The kinds of nodes: for each, how it is added and replaced, and what it makes the graph keep.

A further kind of the C API is one entry here and one method of Graph.
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from xpugraph import _callback, _raw
from xpugraph._arguments import kept_of
from xpugraph._checked import filled
from xpugraph.buffer import Buffer
from xpugraph.device import Device
from xpugraph.event import Event
from xpugraph.external_semaphore import (
    ExternalSemaphore, node_params, signal_params, wait_params)
from xpugraph.kernel import Dim, Kernel, dim3
from xpugraph.memop import MemOp, params_of

_TYPE = _raw.xpuGraphNodeType
_KIND = int(_raw.xpuMemcpyKind.xpuMemcpyDefault)


class Packed(NamedTuple):
    """What C wants behind the dependencies, and what must live as long as the node."""

    values: tuple[Any, ...]
    kept: tuple[Any, ...] = ()


class Kind(NamedTuple):
    """A kind of node: the C functions that add and replace it, and the way from Python to C."""

    type: int
    add: str
    pack: Callable[..., Packed]
    replace: Optional[str] = None

    def packed(self, what: tuple[Any, ...]) -> Packed:
        """The arguments of the ``Graph.add_…()`` call for it."""
        return self.pack(*what[:3], what[3:]) if self.pack is _kernel else self.pack(*what)

    @property
    def update(self) -> Optional[str]:
        """The C function that changes such a node of an executable."""
        if self.type == _TYPE.xpuGraphNodeTypeGraph:
            return "xpuGraphExecChildGraphNodeSetParams"
        return self.replace and self.replace.replace("xpuGraph", "xpuGraphExec", 1)


def address(place: Any) -> int:
    """The address of a buffer, of a NumPy array, or of a number."""
    if isinstance(place, Buffer):
        return place.pointer
    if isinstance(place, np.ndarray):
        if not place.flags.c_contiguous:
            raise ValueError("a copy takes arrays in C order without gaps")
        return int(place.ctypes.data)
    if isinstance(place, int):
        return place
    raise TypeError(f"a copy takes buffers, NumPy arrays and addresses, not {type(place).__name__}")


def _kernel(kernel: Kernel, grid: Dim, block: Dim, arguments: tuple[Any, ...]) -> Packed:
    frame = kernel.signature.frame_of(arguments)
    params = filled(_raw.xpuKernelNodeParams, func=_raw.xpuKernel_t(kernel.handle),
                    gridDim=dim3(grid, "the grid"), blockDim=dim3(block, "the block"),
                    kernelParams=frame.pointers)
    # The arguments are read during the call, and params only points to them.
    params.frame = frame
    return Packed((ctypes.byref(params),), (kernel.owner, *kept_of(arguments)))


def _memcpy(target: Any, source: Any, nbytes: Optional[int] = None) -> Packed:
    sizes: set[int] = {place.nbytes for place in (target, source) if hasattr(place, "nbytes")}
    if nbytes is None:
        if len(sizes) != 1:
            raise ValueError("target and source have different sizes, or none: nbytes must be given")
        nbytes = sizes.pop()
    elif sizes and nbytes > min(sizes):
        raise ValueError(f"{nbytes} bytes are more than there are: {min(sizes)}")
    return Packed((address(target), address(source), nbytes, _KIND), (target, source))


def _memcpy3d(target: Any, source: Any, extent: tuple[int, int, int], target_pitch: int,
              source_pitch: int, target_rows: int = 0, source_rows: int = 0) -> Packed:
    width, height, depth = extent
    params = filled(
        _raw.xpuMemcpy3DParms, kind=_KIND, extent=(width, height, depth),
        dstPtr=(address(target), target_pitch, width, target_rows or height),
        srcPtr=(address(source), source_pitch, width, source_rows or height))
    return Packed((ctypes.byref(params),), (target, source))


def _memset(target: Buffer, value: Any, rows: Optional[tuple[int, int, int]] = None) -> Packed:
    pattern = np.array(value, target.dtype).tobytes()
    element = target.dtype.itemsize
    if element not in (1, 2, 4):
        if len(set(pattern)) > 1:
            raise ValueError(f"a fill has elements of 1, 2 or 4 bytes, and {value!r} as {target.dtype} "
                             "is not one byte again and again")
        pattern, element = pattern[:1], 1
    width, height, pitch = rows if rows else (target.nbytes // element, 1, 0)
    params = filled(_raw.xpuMemsetParams, dst=target.pointer, pitch=pitch,
                    value=int.from_bytes(pattern, "little"), elementSize=element, width=width,
                    height=height)
    return Packed((ctypes.byref(params),), (target,))


def _host(function: Callable[[], Any]) -> Packed:
    callback = _callback.repeated(function)
    params = filled(_raw.xpuHostNodeParams, fn=callback)
    return Packed((ctypes.byref(params),), (callback,))


def _child(graph: Any) -> Packed:
    return Packed((graph.handle,), tuple(graph.kept()))


def _event(event: Event) -> Packed:
    return Packed((event.handle,), (event,))


def _signal(semaphore: ExternalSemaphore, value: int = 0) -> Packed:
    params = node_params(_raw.xpuExternalSemaphoreSignalNodeParams, semaphore, signal_params(value))
    return Packed((ctypes.byref(params),), (semaphore,))


def _wait(semaphore: ExternalSemaphore, value: int = 0) -> Packed:
    params = node_params(_raw.xpuExternalSemaphoreWaitNodeParams, semaphore, wait_params(value))
    return Packed((ctypes.byref(params),), (semaphore,))


def _batch(*operations: MemOp) -> Packed:
    return Packed((ctypes.byref(params_of(operations)),), ())


def _mem_alloc(nbytes: int, device: Device) -> Packed:
    params = filled(_raw.xpuMemAllocNodeParams, bytesize=nbytes)
    params.poolProps = filled(_raw.xpuMemPoolProps, allocType=1, location=(1, device.index))
    return Packed((ctypes.byref(params),), ())


KERNEL = Kind(_TYPE.xpuGraphNodeTypeKernel, "xpuGraphAddKernelNode", _kernel,
              "xpuGraphKernelNodeSetParams")
MEMCPY = Kind(_TYPE.xpuGraphNodeTypeMemcpy, "xpuGraphAddMemcpyNode1D", _memcpy,
              "xpuGraphMemcpyNodeSetParams1D")
MEMCPY_3D = Kind(_TYPE.xpuGraphNodeTypeMemcpy, "xpuGraphAddMemcpyNode", _memcpy3d,
                 "xpuGraphMemcpyNodeSetParams")
MEMSET = Kind(_TYPE.xpuGraphNodeTypeMemset, "xpuGraphAddMemsetNode", _memset,
              "xpuGraphMemsetNodeSetParams")
HOST = Kind(_TYPE.xpuGraphNodeTypeHost, "xpuGraphAddHostNode", _host, "xpuGraphHostNodeSetParams")
CHILD = Kind(_TYPE.xpuGraphNodeTypeGraph, "xpuGraphAddChildGraphNode", _child)
EMPTY = Kind(_TYPE.xpuGraphNodeTypeEmpty, "xpuGraphAddEmptyNode", lambda: Packed(()))
EVENT_RECORD = Kind(_TYPE.xpuGraphNodeTypeEventRecord, "xpuGraphAddEventRecordNode", _event,
                    "xpuGraphEventRecordNodeSetEvent")
EVENT_WAIT = Kind(_TYPE.xpuGraphNodeTypeWaitEvent, "xpuGraphAddEventWaitNode", _event,
                  "xpuGraphEventWaitNodeSetEvent")
SEMAPHORE_SIGNAL = Kind(_TYPE.xpuGraphNodeTypeExtSemaphoreSignal,
                        "xpuGraphAddExternalSemaphoresSignalNode", _signal,
                        "xpuGraphExternalSemaphoresSignalNodeSetParams")
SEMAPHORE_WAIT = Kind(_TYPE.xpuGraphNodeTypeExtSemaphoreWait,
                      "xpuGraphAddExternalSemaphoresWaitNode", _wait,
                      "xpuGraphExternalSemaphoresWaitNodeSetParams")
BATCH = Kind(_TYPE.xpuGraphNodeTypeBatchMemOp, "xpuGraphAddBatchMemOpNode", _batch,
             "xpuGraphBatchMemOpNodeSetParams")
MEM_ALLOC = Kind(_TYPE.xpuGraphNodeTypeMemAlloc, "xpuGraphAddMemAllocNode", _mem_alloc)
MEM_FREE = Kind(_TYPE.xpuGraphNodeTypeMemFree, "xpuGraphAddMemFreeNode",
                lambda place: Packed((address(place),), ()))
