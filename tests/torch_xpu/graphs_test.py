# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torch.xpu, unmodified, on this backend: what PyTorch's tests of graphs on Intel GPUs and on CUDA show, in
our words and as small as possible. Only `device="xpu"` and names of torch are used, as a program for a GPU would.
"""
import ctypes
import gc
import threading
import warnings
from pathlib import Path

import pytest
import torch
import xpugraph_torch
from conftest import captured
from torch.nn import functional as F


def test_it_is_pytorchs_own_code():
    assert torch.xpu.XPUGraph.__module__ == torch.xpu.graph.__module__ == "torch.xpu.graphs"
    assert torch.xpu.is_available() and torch.xpu.device_count() >= 1
    assert torch.accelerator.current_accelerator().type == "xpu"
    x = torch.ones(2, device="xpu")
    assert x.is_xpu and str(x.device) == "xpu:0" and x.xpu() is x


def test_whether_the_current_stream_is_capturing():
    assert not torch.xpu.is_current_stream_capturing()
    g = torch.xpu.XPUGraph()
    with torch.xpu.stream(torch.xpu.Stream()):
        g.capture_begin()
        assert torch.xpu.is_current_stream_capturing()
        torch.zeros(1, device="xpu")
        g.capture_end()
    assert not torch.xpu.is_current_stream_capturing()


def test_a_side_streams_work_is_replayed_elsewhere():
    side = torch.xpu.Stream()
    side.wait_stream(torch.xpu.current_stream())
    g = torch.xpu.XPUGraph()
    with torch.xpu.stream(side):
        a = torch.full((1000,), 1.0, device="xpu")
        g.capture_begin()
        b = a
        for _ in range(10):
            b = b + 1
        g.capture_end()
    torch.xpu.current_stream().wait_stream(side)
    g.replay()
    assert b.sum().item() == 11000


def test_a_reset_graph_captures_again():
    x = torch.zeros(10, device="xpu")
    g = torch.xpu.XPUGraph()
    for step in (1, 10):
        with torch.xpu.graph(g):
            x += step
        g.replay()
        g.reset()
    del g
    assert x.tolist() == [11] * 10


def test_an_empty_capture_warns():
    with pytest.warns(UserWarning, match="graph is empty"):
        captured(lambda: None)


def test_out_of_memory_in_a_capture():
    with pytest.raises(RuntimeError, match="out of memory"):
        captured(lambda: torch.zeros(1 << 40, device="xpu"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, y = captured(lambda: torch.ones(3, device="xpu") * 2)
    assert y.shape == (3,)


def test_repeated_captures_of_products_keep_no_memory():
    def once():
        g, y = captured(lambda: a @ a)
        g.replay()
        return g, y

    a = torch.randn(64, 64, device="xpu")
    for _ in range(5):
        once()
    gc.collect()
    torch.xpu.synchronize()
    torch.accelerator.empty_cache()
    before = torch.accelerator.memory_reserved()
    for _ in range(30):
        once()
    gc.collect()
    torch.xpu.synchronize()
    torch.accelerator.empty_cache()
    assert torch.accelerator.memory_reserved() - before < 4 << 20


DRAWS = {
    "dropout": lambda: F.dropout(torch.ones(40, device="xpu"), 0.3),
    "rrelu": lambda: F.rrelu(-torch.ones(40, device="xpu"), training=True),
    "normal": lambda: torch.randn(40, device="xpu"),
    "uniform": lambda: torch.rand(40, device="xpu"),
    "bernoulli": lambda: torch.bernoulli(torch.full((40,), 0.5, device="xpu")),
    "exponential": lambda: torch.empty(40, device="xpu").exponential_(),
    "randint": lambda: torch.randint(0, 99, (40,), device="xpu"),
    "randperm": lambda: torch.randperm(40, device="xpu"),
    "poisson": lambda: torch.poisson(torch.full((40,), 9.0, device="xpu")),
    "normal of tensors": lambda: torch.normal(torch.zeros(40, device="xpu"), torch.ones(40, device="xpu")),
    "cauchy": lambda: torch.empty(40, device="xpu").cauchy_(),
    "log normal": lambda: torch.empty(40, device="xpu").log_normal_(),
    "geometric": lambda: torch.empty(40, device="xpu").geometric_(0.3),
    "random": lambda: torch.empty(40, device="xpu").random_(),
    "multinomial": lambda: torch.multinomial(torch.ones(60, device="xpu"), 40),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_graphs_draw_as_eager_work_does_also_with_a_new_seed(draw):
    g, (first, second) = captured(lambda: (draw(), draw()))
    for seed in (5, 6):
        torch.manual_seed(seed)
        eager = [draw().tolist() for _ in range(5)]
        torch.manual_seed(seed)
        seen = [draw().tolist()]
        g.replay()
        seen += [first.tolist(), second.tolist()]
        g.replay()
        assert seen + [first.tolist(), second.tolist()] == eager


def test_states_that_are_taken_and_given_back_draw_as_eager_work_does():
    generator = torch.Generator("xpu")
    generator.manual_seed(5)
    old = generator.graphsafe_get_state()
    other = generator.clone_state()

    def draw():
        return torch.rand(4, device="xpu", generator=generator)

    def body():
        first = draw()
        generator.graphsafe_set_state(other)
        second = draw()
        generator.graphsafe_set_state(old)
        return first, second, draw()

    def states():
        return [(state.initial_seed(), state.get_offset()) for state in (old, other)]

    expected = []
    for _ in range(4):
        expected.append(([y.tolist() for y in body()], states()))
    for state in (old, other):
        state.set_offset(0)
    assert [y.tolist() for y in body()] == expected[0][0]
    g = torch.xpu.XPUGraph()
    for state in (old, other):
        g.register_generator_state(state)
    with torch.xpu.graph(g):
        results = body()
    for values, offsets in expected[1:]:
        g.replay()
        assert [y.tolist() for y in results] == values and states() == offsets
    with pytest.raises(RuntimeError, match="of cpu"):
        g.register_generator_state(torch.Generator())


def test_another_seed_in_a_capture_is_refused():
    torch.xpu.manual_seed(5)
    with pytest.raises(RuntimeError, match="seed"):
        captured(lambda: (torch.rand(1, device="xpu"), torch.xpu.manual_seed(6)))


@pytest.mark.parametrize("share", [None, "pool", "handle"])
def test_two_graphs_one_after_the_other(share):
    x = torch.ones(1 << 12, device="xpu")
    handle = torch.xpu.graph_pool_handle() if share == "handle" else None
    first, y = captured(lambda: x * 2 + 1 + 1 + 1, pool=handle)
    second, z = captured(lambda: (y * 3, y.add_(y * 3))[0], pool=first.pool() if share == "pool" else handle)
    for _ in range(2):
        first.replay()
        second.replay()
    assert y[0].item() == 20 and z[0].item() == 15


def test_three_graphs_of_one_pool_in_the_order_of_their_capture():
    x, pool = torch.ones(1000, device="xpu"), torch.xpu.graph_pool_handle()
    g0, a = captured(lambda: x + 1, pool=pool)
    g1, b = captured(lambda: a * 2, pool=pool)
    g2, c = captured(lambda: b + a, pool=pool)
    for g in (g0, g1, g2):
        g.replay()
    assert c[7].item() == 6


def test_results_outlive_their_graph():
    g, y = captured(lambda: torch.full((1000,), 3.0, device="xpu") * 2)
    g.replay()
    del g
    torch.xpu.synchronize()
    torch.xpu.empty_cache()
    assert y.sum().item() == 6000


def test_checkpoints_in_a_capture_draw_the_same_twice():
    from torch.utils.checkpoint import checkpoint
    x = torch.ones(50, device="xpu", requires_grad=True)

    def gradient():
        y = checkpoint(lambda x: F.dropout(x * 2, 0.5), x, use_reentrant=False, preserve_rng_state=False)
        return torch.autograd.grad(y.sum(), x)[0]

    stream = torch.xpu.Stream()
    with torch.xpu.stream(stream):
        gradient()
    g, grad = captured(gradient, stream=stream)
    g.replay()
    assert set(grad.tolist()) == {0.0, 4.0}


def test_raw_handles_and_instantiating_again():
    x = torch.zeros(1, device="xpu")
    g = torch.xpu.XPUGraph(keep_graph=True)
    with torch.xpu.graph(g):
        x += 1
    assert g.raw_xpu_graph()
    with pytest.raises(RuntimeError, match="instantiate"):
        g.raw_xpu_graph_exec()
    for expected in (1, 2, 3):
        if expected < 3:
            g.instantiate()
        g.replay()
        assert x.item() == expected
    g.reset()
    with torch.xpu.graph(g):
        x += 2
    g.replay()
    assert x.item() == 5
    other, _ = captured(lambda: x + 1)
    for refused in (other.instantiate, other.raw_xpu_graph):
        with pytest.raises(RuntimeError, match="keep_graph=true"):
            refused()


def test_raw_handles_are_those_of_the_c_library():
    c = ctypes.CDLL(str(Path(xpugraph_torch.__file__).parent / "_lib/libxpugraph.so.0"))
    x, g = torch.zeros(4, device="xpu"), torch.xpu.XPUGraph(keep_graph=True)
    with torch.xpu.graph(g):
        x += 1
        x += 1
    graph, count = ctypes.c_void_p(g.raw_xpu_graph()), ctypes.c_size_t()
    assert c.xpuGraphGetNodes(graph, None, ctypes.byref(count)) == 0 and count.value == 2
    g.instantiate()
    stream = ctypes.c_void_p()
    assert c.xpuStreamCreate(ctypes.byref(stream)) == 0
    torch.xpu.synchronize()
    for _ in range(3):
        assert c.xpuGraphLaunch(ctypes.c_void_p(g.raw_xpu_graph_exec()), stream) == 0
    assert c.xpuStreamSynchronize(stream) == 0 and c.xpuStreamDestroy(stream) == 0
    assert x.tolist() == [6] * 4


def test_the_default_stream_cannot_be_captured():
    g = torch.xpu.XPUGraph()
    with pytest.raises(RuntimeError, match="default stream"):
        g.capture_begin()
    with torch.xpu.graph(g):
        y = torch.ones(2, device="xpu")
    g.replay()
    assert y.tolist() == [1, 1]


def test_another_thread_may_work_during_a_capture():
    failures, x = [], torch.zeros(10, device="xpu")

    def work():
        try:
            with torch.xpu.stream(torch.xpu.Stream()):
                torch.ones(1 << 16, device="xpu").add_(1)
        except BaseException as error:  # told to the test
            failures.append(error)

    def body():
        x.add_(1)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        x.add_(1)

    g, _ = captured(body)
    g.replay()
    assert failures == [] and x.tolist() == [2] * 10


def test_values_cannot_be_read_in_a_capture():
    with pytest.raises(RuntimeError, match="captur"):
        captured(lambda: torch.ones(1, device="xpu").mul(2).item())


def test_pageable_copies_are_refused_and_pinned_ones_replayed():
    with pytest.raises(RuntimeError, match="pinned"):
        captured(lambda: torch.zeros(4, device="xpu").copy_(torch.ones(4), non_blocking=True))
    pinned, x = torch.ones(4).pin_memory(), torch.zeros(4, device="xpu")
    g, _ = captured(lambda: x.copy_(pinned, non_blocking=True))
    pinned.fill_(7)
    g.replay()
    assert x.tolist() == [7] * 4


def test_events_measure_time_and_order_streams():
    begin, end = torch.xpu.Event(enable_timing=True), torch.xpu.Event(enable_timing=True)
    begin.record()
    torch.ones(100_000, device="xpu").exp().sum()
    end.record()
    end.synchronize()
    assert begin.query() and begin.elapsed_time(end) > 0


def test_the_graph_of_torch_accelerator():
    x = torch.zeros(10, device="xpu")
    with torch.xpu.stream(torch.xpu.Stream()):
        g = torch.accelerator.Graph()
        with g:
            x += 1
        g.replay()
        g.replay()
    torch.xpu.synchronize()
    assert x.tolist() == [2] * 10


def test_a_graph_is_drawn(tmp_path):
    g, side = torch.xpu.XPUGraph(keep_graph=True), torch.xpu.Stream()
    x, y = torch.ones(3, device="xpu"), torch.ones(3, device="xpu")
    with torch.xpu.graph(g):
        x += 1
        side.wait_stream(torch.xpu.current_stream())
        with torch.xpu.stream(side):
            y += 1
        x += 1
        torch.xpu.current_stream().wait_stream(side)
        x += y
    g.debug_dump(str(tmp_path / "graph.dot"))
    text = (tmp_path / "graph.dot").read_text()
    assert "digraph" in text and text.count("->") == 4
