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
import torch

from . import _C  # noqa: F401  (registers allocators, streams, hooks and operators)

torch.utils.rename_privateuse1_backend("xpuref")

from . import distributed, xpuref  # noqa: E402, F401  (they name the device, so it must be renamed before)

torch._register_device_module("xpuref", xpuref)
torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)

__version__ = "0.1.0"
