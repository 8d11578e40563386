# SPDX-License-Identifier: Apache-2.0
"""Streams and events of the device."""
import torch

from . import _C


class Stream(torch.Stream):
    """A stream of the current device, or of another one.

    Parameters
    ----------
    device
        A torch.device, string or number.
    priority
        Below 0 for urgent work.
    """

    def __new__(cls, device=None, priority=0, **known):
        if known:  # stream_id, device_index and device_type of a stream that is there
            return super().__new__(cls, **known)
        if device is None:
            device = torch.accelerator.current_device_index()
        if isinstance(device, int):
            device = torch.device("xpuref", device)
        return super().__new__(cls, device, priority=priority)


class Event:
    """A mark in a stream: a torch.Event of this device, which measures time only with others of exactly its class.

    Parameters
    ----------
    enable_timing
        Whether elapsed_time() can be asked.
    external
        Whether a record or a wait in a capture becomes a node of the graph: each replay then records the event or waits for it.
        An event with external=False orders streams within the capture. It is an ExternalEvent.
    """

    def __new__(cls, enable_timing=False, external=False):
        return ExternalEvent(enable_timing) if external else torch.Event("xpuref", enable_timing=enable_timing)


class ExternalEvent(_C.ExternalEvent):
    """A mark that graphs set and wait for at each replay; see `Event`. Streams of None are the current one.

    Before its first replay a captured record has not happened, and whoever waits for the event waits for nothing.
    """

    def record(self, stream=None):
        super().record(stream or current_stream())

    def wait(self, stream=None):
        super().wait(stream or current_stream())

    def elapsed_time(self, end_event):
        """Milliseconds from this event to another external one."""
        if not isinstance(end_event, ExternalEvent):
            raise TypeError(f"elapsed_time() of an external event is to another one, not to a {type(end_event).__name__}")
        return super().elapsed_time(end_event)


class stream:
    """Makes a stream the current one in a `with` block; None changes nothing."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self.before = current_stream(self.stream.device)
            set_stream(self.stream)

    def __exit__(self, *error):
        if self.stream is not None:
            set_stream(self.before)


def current_stream(device=None):
    return torch.accelerator.current_stream(device)


def default_stream(device=None):
    if device is None or not isinstance(device, int):
        index = None if device is None else torch.device(device).index
        device = torch.accelerator.current_device_index() if index is None else index
    kind = torch._C._autograd.DeviceType.PrivateUse1
    return Stream(stream_id=0, device_index=device, device_type=kind.value)


def set_stream(stream):
    torch._C._accelerator_setStream(stream)


def synchronize(device=None):
    torch.accelerator.synchronize(device)
