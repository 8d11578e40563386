# SPDX-License-Identifier: Apache-2.0
"""What all tests of the PyTorch backend share."""
import gc

import pytest
import torch

import xpugraph_torch  # noqa: F401

DEVICE = "xpuref"


@pytest.fixture(autouse=True)
def quiet():
    """Each test begins with one seed, and leaves nothing running, captured or failed behind."""
    torch.manual_seed(11)
    yield
    gc.collect()
    assert not torch.xpuref.is_current_stream_capturing()
    torch.xpuref.synchronize()


def captured(body, **options):
    """A graph of what `body` does, and what it returned."""
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g, **options):
        result = body()
    return g, result
