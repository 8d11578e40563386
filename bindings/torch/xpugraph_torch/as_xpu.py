# SPDX-License-Identifier: Apache-2.0
"""For tests alone: this backend as PyTorch's own device "xpu", on a PyTorch without Intel GPUs.

With XPUGRAPH_TORCH_KEY=xpu in the environment, torch.xpu's unmodified Python runs over this package, and so do programs
that say device="xpu": python3 -m xpugraph_torch PROGRAM. What torch.xpu asks torch._C for is put there by install().
"""
import importlib

import torch

from . import _C
from .graphs import graph_pool_handle, is_current_stream_capturing

_KIND = torch._C._autograd.DeviceType.XPU.value


class _Stream(torch.Stream):
    """In place of torch._C._XpuStreamBase."""

    def __new__(cls, device=None, priority=0, stream_id=None, device_index=None, device_type=None):
        if stream_id is not None:
            return super().__new__(cls, stream_id=stream_id, device_index=device_index, device_type=device_type)
        if device is None:
            device = torch.accelerator.current_device_index()
        return super().__new__(cls, torch.device("xpu", device) if isinstance(device, int) else device, priority=priority)

    @property
    def sycl_queue(self):
        return self.stream_id


class _Event:
    """In place of torch._C._XpuEventBase. It has a torch.Event and is none, since those measure time only with others of exactly
    their class."""

    def __new__(cls, enable_timing=False):
        event = super().__new__(cls)
        event._event = torch.Event("xpu", enable_timing=enable_timing)
        return event

    def record(self, stream):
        self._event.record(stream)

    def wait(self, stream):
        self._event.wait(stream)

    def query(self):
        return self._event.query()

    def elapsed_time(self, end_event):
        return self._event.elapsed_time(end_event._event)

    def synchronize(self):
        self._event.synchronize()

    @property
    def device(self):
        return self._event.device

    @property
    def sycl_event(self):
        return self._event.event_id


def _current_stream(index):
    stream = torch.accelerator.current_stream(index)
    return stream.stream_id, stream.device_index, _KIND


def _set_stream(stream_id, device_index, device_type):
    torch.accelerator.set_stream(torch.Stream(stream_id=stream_id, device_index=device_index, device_type=device_type))


def _exchange_device(index):
    before = torch.accelerator.current_device_index()
    if index >= 0:
        torch.accelerator.set_device_index(index)
    return before


_names = {
    "_has_xpu": True,
    "_XPUGraph": _C.XPUGraph,
    "_XpuEventBase": _Event,
    "_XpuStreamBase": _Stream,
    "_xpu_emptyCache": torch.accelerator.empty_cache,
    "_xpu_exchangeDevice": _exchange_device,
    "_xpu_getCurrentRawStream": lambda index: _current_stream(index)[0],
    "_xpu_getCurrentStream": _current_stream,
    "_xpu_getDevice": torch.accelerator.current_device_index,
    "_xpu_getDeviceCount": _C.device_count,
    "_xpu_getMemoryInfo": torch.accelerator.get_memory_info,
    "_xpu_graph_pool_handle": graph_pool_handle,
    "_xpu_init": lambda: None,
    "_xpu_isCurrentStreamCapturing": is_current_stream_capturing,
    "_xpu_isInBadFork": lambda: False,
    "_xpu_maybeExchangeDevice": _exchange_device,
    "_xpu_memoryStats": torch.accelerator.memory_stats,
    "_xpu_resetAccumulatedMemoryStats": torch.accelerator.reset_accumulated_memory_stats,
    "_xpu_resetPeakMemoryStats": torch.accelerator.reset_peak_memory_stats,
    "_xpu_setDevice": torch.accelerator.set_device_index,
    "_xpu_setStream": _set_stream,
    "_xpu_synchronize": torch.accelerator.synchronize,
}


def install():
    """Makes torch.xpu what it is on a PyTorch with Intel GPUs."""
    for name, value in _names.items():
        setattr(torch._C, name, value)
    # They took their base classes from torch._C when they were loaded.
    for name in ("streams", "graphs"):
        module = importlib.reload(importlib.import_module(f"torch.xpu.{name}"))
        for word in getattr(module, "__all__", ("Stream", "Event")):
            setattr(torch.xpu, word, getattr(module, word))
    torch.xpu._exchange_device = torch.xpu._maybe_exchange_device = _exchange_device
    torch.xpu.default_generators = tuple(_C.default_generator(i) for i in range(_C.device_count()))
