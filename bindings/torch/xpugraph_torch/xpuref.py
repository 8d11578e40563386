# SPDX-License-Identifier: Apache-2.0
"""What programs find as torch.xpuref; names and meanings are those of torch.xpu."""
import os

import torch

from . import _C
from .callables import make_graphed_callables
from .graphs import XPUGraph, graph, graph_pool_handle, is_current_stream_capturing
from .memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_accumulated_memory_stats,
    reset_peak_memory_stats,
)
from .random import (
    default_generator,
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from .streams import Event, Stream, current_stream, default_stream, set_stream, stream, synchronize

__all__ = [
    "Event", "Stream", "XPUGraph", "current_device", "current_stream", "default_generator",
    "default_stream", "device", "device_count", "empty_cache", "get_amp_supported_dtype", "get_rng_state",
    "get_rng_state_all", "graph", "graph_pool_handle", "host_operators", "initial_seed", "is_available", "is_bf16_supported",
    "is_current_stream_capturing", "is_initialized", "make_graphed_callables", "manual_seed",
    "manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info", "memory_allocated",
    "memory_reserved", "memory_stats", "reset_accumulated_memory_stats", "reset_peak_memory_stats", "seed",
    "seed_all", "set_device", "set_rng_state", "set_rng_state_all", "set_stream", "stream", "synchronize",
]

_forked = False


def _note_fork():
    global _forked
    _forked = True


# The driver's threads do not survive a fork.
os.register_at_fork(after_in_child=_note_fork)


def _is_in_bad_fork():
    return _forked


def _lazy_init():
    if _forked:
        raise RuntimeError("the device cannot be used in a forked process: start it with the spawn method")
    if not is_available():
        raise RuntimeError(f"there is no device: {_C.device_error()}")


def is_available():
    return _C.device_count() > 0


def is_initialized():
    return is_available()


def device_count():
    return _C.device_count()


def current_device():
    return torch.accelerator.current_device_index()


def set_device(device):
    torch.accelerator.set_device_index(device)


class device(torch.accelerator.device_index):
    """Makes a device the current one in a `with` block.

    Parameters
    ----------
    device
        A number, torch.device or string; None changes nothing.
    """

    def __init__(self, device):
        if device is not None and not isinstance(device, int):
            device = torch.device(device).index
        super().__init__(device)


def host_operators():
    """How often each operator ran as a CPU kernel, because the device has none for it, or none for such tensors.

    Returns
    -------
    dict
        From names, such as 'aten::sort.stable', to counts since the program began.
    """
    return _C.host_operators()


def get_amp_supported_dtype():
    return [torch.bfloat16, torch.float16]


def is_bf16_supported():
    return True
