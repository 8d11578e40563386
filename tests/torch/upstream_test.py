# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torch/xpu/graphs.py, unmodified, over this backend's graph class and streams.

PyTorch's file asks torch._C for three names, and torch.xpu for streams and waiting. They are replaced by ours, and the
file is loaded again, so that what is tested is what a program on a PyTorch with Intel GPUs runs.
"""
import importlib

import pytest
import torch
import xpugraph_torch
from conftest import DEVICE
from torch import nn


@pytest.fixture(scope="module")
def xpu():
    ours = torch.xpuref
    patch = pytest.MonkeyPatch()
    for name, value in (("_XPUGraph", xpugraph_torch._C.XPUGraph), ("_xpu_graph_pool_handle", ours.graph_pool_handle),
                        ("_xpu_isCurrentStreamCapturing", ours.is_current_stream_capturing)):
        patch.setattr(torch._C, name, value, raising=False)
    for name in ("Stream", "stream", "synchronize", "empty_cache", "current_stream"):
        patch.setattr(torch.xpu, name, getattr(ours, name))
    graphs = importlib.reload(torch.xpu.graphs)
    for name in ("XPUGraph", "graph", "graph_pool_handle", "is_current_stream_capturing", "make_graphed_callables"):
        patch.setattr(torch.xpu, name, getattr(graphs, name))
    yield torch.xpu
    patch.undo()
    importlib.reload(torch.xpu.graphs)


def test_it_is_their_file(xpu):
    assert xpu.XPUGraph.__module__ == "torch.xpu.graphs"
    assert issubclass(xpu.XPUGraph, xpugraph_torch._C.XPUGraph)


def test_capture_and_replay(xpu):
    x = torch.zeros(1000, device=DEVICE)
    g = xpu.XPUGraph()
    assert not xpu.is_current_stream_capturing()
    with xpu.graph(g):
        assert xpu.is_current_stream_capturing()
        for _ in range(10):
            x += 1
    for _ in range(3):
        g.replay()
    assert x.sum().item() == 30000


def test_recapture_after_reset(xpu):
    x = torch.zeros(10, device=DEVICE)
    g = xpu.XPUGraph()
    for step in (1, 10):
        with xpu.graph(g):
            x += step
        g.replay()
        g.reset()
    assert x.tolist() == [11] * 10


def test_keep_graph_and_raw_handles(xpu):
    x = torch.zeros(1, device=DEVICE)
    g = xpu.XPUGraph(keep_graph=True)
    with xpu.graph(g):
        x += 1
    assert g.raw_xpu_graph()
    g.instantiate()
    assert g.raw_xpu_graph_exec()
    g.replay()
    g.instantiate()
    g.replay()
    g.replay()
    assert x.item() == 3


def test_an_empty_graph_warns(xpu):
    with pytest.warns(UserWarning, match="empty"):
        with xpu.graph(xpu.XPUGraph()):
            pass


@pytest.mark.parametrize("share", [None, "pool", "handle"])
def test_two_graphs_one_after_the_other(xpu, share):
    x = torch.ones(1 << 12, device=DEVICE)
    first, second = xpu.XPUGraph(), xpu.XPUGraph()
    handle = xpu.graph_pool_handle() if share == "handle" else None
    with xpu.graph(first, pool=handle):
        y = x * 2
        for _ in range(3):
            y = y + 1
    with xpu.graph(second, pool=first.pool() if share == "pool" else handle):
        z = y * 3
        y += z
    for _ in range(2):
        first.replay()
        second.replay()
    assert y[0].item() == 20 and z[0].item() == 15


def test_random_numbers(xpu):
    x = torch.ones(1000, device=DEVICE)
    g = xpu.XPUGraph()
    with xpu.graph(g):
        y = nn.functional.dropout(x)
    torch.manual_seed(3)
    expected = [nn.functional.dropout(x).tolist() for _ in range(3)]
    torch.manual_seed(3)
    for values in expected:
        g.replay()
        assert y.tolist() == values


def test_out_of_memory(xpu):
    with pytest.raises(RuntimeError, match="out of memory"):
        with xpu.graph(xpu.XPUGraph()):
            torch.zeros(1 << 40, device=DEVICE)


def test_make_graphed_callables(xpu):
    model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.0), nn.Linear(8, 3)).to(DEVICE)
    twin = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.0), nn.Linear(8, 3)).to(DEVICE)
    twin.load_state_dict(model.state_dict())
    loss, plain_loss = nn.MSELoss(), nn.MSELoss()
    x = torch.randn(5, 6, device=DEVICE)
    model, loss = xpu.make_graphed_callables(
        (model, loss), ((torch.randn(5, 6, device=DEVICE),),
                        (torch.randn(5, 3, device=DEVICE, requires_grad=True), torch.randn(5, 3, device=DEVICE))))
    optimizers = [torch.optim.SGD(m.parameters(), 0.1) for m in (model, twin)]
    for _ in range(4):
        x, target = torch.randn(5, 6, device=DEVICE), torch.randn(5, 3, device=DEVICE)
        for module, measure, optimizer in ((model, loss, optimizers[0]), (twin, plain_loss, optimizers[1])):
            optimizer.zero_grad(set_to_none=True)
            measure(module(x), target).backward()
            optimizer.step()
    for mine, other in zip(model.parameters(), twin.parameters()):
        torch.testing.assert_close(mine.cpu(), other.cpu())


@pytest.mark.parametrize("build, error", [
    (lambda xpu, m, x: (m[0].register_forward_hook(lambda *_: None), xpu.make_graphed_callables(m[0], (x,))), RuntimeError),
    (lambda xpu, m, x: xpu.make_graphed_callables(m, (3,)), TypeError),
], ids=["hook", "number"])
def test_their_own_checks(xpu, build, error):
    model = nn.Sequential(nn.Linear(2, 2)).to(DEVICE)
    with pytest.raises(error):
        build(xpu, model, torch.randn(1, 2, device=DEVICE))
