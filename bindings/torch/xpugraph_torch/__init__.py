# SPDX-License-Identifier: Apache-2.0
"""PyTorch on libxpugraph: the device "xpuref", with torch.xpu's graphs as torch.xpuref.

Importing this module registers the device; everything is reached through torch then:

>>> import torch, xpugraph_torch
>>> x = torch.ones(3, device="xpuref")
>>> g = torch.xpuref.XPUGraph()
>>> with torch.xpuref.graph(g):
...     x += 1
>>> g.replay()
"""
import os

import torch

#: Which of PyTorch's devices this is: a new one, or, for tests alone, PyTorch's own "xpu" (as_xpu.py).
_key = os.environ.get("XPUGRAPH_TORCH_KEY", "xpuref")
if _key not in ("xpuref", "xpu"):
    raise ImportError(f"XPUGRAPH_TORCH_KEY must be xpuref or xpu, or not be set, and is {_key!r}")
if _key == "xpu" and torch._C._has_xpu:
    raise ImportError("XPUGRAPH_TORCH_KEY=xpu needs a PyTorch without Intel GPUs: this one has the device xpu itself")

from . import _C  # noqa: E402, F401  (registers allocators, streams, hooks and operators)

if _key == "xpu":
    from . import as_xpu

    as_xpu.install()
else:
    torch.utils.rename_privateuse1_backend("xpuref")

    # They name the device, so it must be renamed before.
    from . import distributed, xpuref  # noqa: F401

    torch._register_device_module("xpuref", xpuref)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)

__version__ = "0.1.0"
