# SPDX-License-Identifier: Apache-2.0
"""What the tests on PyTorch's device "xpu" share; run.py of tests/torch sets XPUGRAPH_TORCH_KEY=xpu for them."""
import gc

import pytest
import torch

import xpugraph_torch  # noqa: F401


@pytest.fixture(autouse=True)
def quiet():
    torch.manual_seed(11)
    yield
    gc.collect()
    assert not torch.xpu.is_current_stream_capturing()
    torch.xpu.synchronize()


def captured(body, **options):
    """A graph of what `body` does, and what it returned."""
    g = torch.xpu.XPUGraph()
    with torch.xpu.graph(g, **options):
        result = body()
    return g, result
