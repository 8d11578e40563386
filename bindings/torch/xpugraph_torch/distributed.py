# SPDX-License-Identifier: Apache-2.0
"""torch.distributed's backend "xpuref": Gloo on copies on the CPU, enough for DistributedDataParallel.

>>> torch.distributed.init_process_group("cpu:gloo,xpuref:xpuref", ...)
"""
from datetime import timedelta

import torch.distributed as dist

from . import _C


def _create(store, rank, size, timeout: timedelta):
    return _C.collectives(dist.ProcessGroupGloo(store, rank, size, timeout))


if dist.is_available() and dist.is_gloo_available():
    dist.Backend.register_backend("xpuref", _create, devices=["xpuref"])
