# SPDX-License-Identifier: Apache-2.0
"""Memory of captures: pools, what lives how long, and what is refused."""
import pytest
import torch
from conftest import DEVICE, captured


def test_a_capture_can_share_a_pool():
    pool = torch.xpuref.graph_pool_handle()
    first, a = captured(lambda: torch.ones(1 << 16, device=DEVICE) * 2, pool=pool)
    second, b = captured(lambda: torch.ones(1 << 16, device=DEVICE) * 3, pool=first.pool())
    assert first.pool() == second.pool() == pool
    first.replay()
    second.replay()
    assert a[0].item() == 2 and b[0].item() == 3 and a.data_ptr() != b.data_ptr()


def test_memory_that_died_in_the_capture_is_used_again():
    def body():
        addresses = set()
        for _ in range(20):
            t = torch.ones(1 << 18, device=DEVICE)
            addresses.add(t.data_ptr())
            del t
        return addresses

    _, addresses = captured(body)
    assert len(addresses) == 1


def test_outputs_outlive_their_graph():
    g, y = captured(lambda: torch.full((5,), 7.0, device=DEVICE))
    g.replay()
    torch.xpuref.synchronize()
    del g
    torch.xpuref.empty_cache()
    assert y.tolist() == [7] * 5


def test_a_graph_can_be_dropped_while_it_runs():
    x = torch.zeros(1 << 16, device=DEVICE)
    for _ in range(20):
        g, _ = captured(lambda: [x.add_(1) for _ in range(5)])
        g.replay()
        del g
    assert x[0].item() == 100


def test_memory_of_a_capture_under_way_cannot_be_used_elsewhere():
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        y = torch.ones(4, device=DEVICE)
        with torch.xpuref.stream(torch.xpuref.default_stream()):
            with pytest.raises(RuntimeError, match="still under way"):
                y + 1
    g.replay()
    assert (y + 1).tolist() == [2] * 4


def test_out_of_memory_in_a_capture_leaves_all_in_order():
    g = torch.xpuref.XPUGraph()
    with pytest.raises(torch.OutOfMemoryError, match="out of memory"):
        with torch.xpuref.graph(g):
            torch.empty(1 << 50, dtype=torch.uint8, device=DEVICE)
    with torch.xpuref.graph(g):
        y = torch.ones(2, device=DEVICE)
    g.replay()
    assert y.tolist() == [1, 1]


def test_a_pool_can_be_used_again_after_its_graphs_are_gone():
    pool = torch.xpuref.graph_pool_handle()
    for _ in range(3):
        g, (y, pinned) = captured(lambda: (torch.ones(4, device=DEVICE), torch.zeros(4, pin_memory=True)), pool=pool)
        g.replay()
        assert y.tolist() == [1] * 4
        del g, y, pinned


def test_a_graph_keeps_what_it_uses():
    x = torch.ones(1 << 16, device=DEVICE)
    host = torch.full((1 << 16,), 3.0).pin_memory()

    def body(x, host):
        y = torch.empty_like(x)
        y.copy_(host, non_blocking=True)
        return y + x

    g, y = captured(lambda: body(x, host))
    h, z = captured(lambda: y * 2)
    k, w = captured(lambda: (g.replay(), y + 1)[1])
    del x, host
    junk = [torch.full((1 << 16,), 7.0, device=DEVICE) for _ in range(4)]
    junk += [torch.full((1 << 16,), 7.0).pin_memory() for _ in range(4)]
    g.replay()
    del g, y
    h.replay()
    assert z[0].item() == 8
    del h
    k.replay()
    assert w[0].item() == 5 and len(junk) == 8


def test_memory_that_a_graph_kept_goes_with_it():
    torch.xpuref.synchronize()
    before = torch.xpuref.memory_allocated()
    x = torch.ones(1 << 20, device=DEVICE)
    g = captured(lambda: x.add_(1))[0]
    g.replay()
    del x
    assert torch.xpuref.memory_allocated() == before + (1 << 22)
    g.reset()
    assert torch.xpuref.memory_allocated() == before


def test_pinned_memory_that_is_dropped_during_a_capture():
    side = torch.xpuref.Stream()
    host = torch.full((1 << 16,), 3.0).pin_memory()
    with torch.xpuref.stream(side):
        x = host.to(DEVICE, non_blocking=True)
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g, stream=side):
        del host
        other = torch.zeros(1 << 16).pin_memory()
        y = x * 2
    again = torch.full((1 << 16,), 9.0).pin_memory()
    g.replay()
    assert y[0].item() == 6 and other[0] == 0 and again[0] == 9
