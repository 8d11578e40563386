# SPDX-License-Identifier: Apache-2.0
"""Captures and replays while other streams, other threads and other code are at work."""
import ctypes
import gc
import threading

import numpy as np
import pytest

import xpugraph as xpu
from work import add, values
from xpugraph import _capturing, _raw


@pytest.mark.results("calls_back")
def test_the_beginning_waits_for_the_streams_of_the_package(kernels):
    side, over, b = xpu.Stream(), [], values(1, 1)
    xpu.synchronize()
    kernels["slow_step"][1, 1](b, 3, 1, 200_000, stream=side)
    side.launch_host_func(lambda: over.append(1))
    with xpu.graph(xpu.XPUGraph()):
        assert over == [1]
        kernels["noop"][1, 1]()


@pytest.mark.results("executes", "calls_back")
def test_an_event_that_is_not_reached_does_not_break_a_capture(kernels):
    gate, passed, side, b = threading.Event(), [], xpu.Stream(), values(1, 3)
    used, g = values(1, 5), xpu.XPUGraph()
    xpu.synchronize()
    side.launch_host_func(lambda: passed.append(gate.wait(30)))
    kernels["step"][1, 1](used, 2, 1, stream=side)
    event = side.record_event()
    with xpu.stream(xpu.Stream()):
        g.capture_begin()
        del used
        gc.collect()
        kernels["step"][1, 1](b, 2, 1)
        assert passed == []
        g.capture_end()
    gate.set()
    g.replay()
    event.synchronize()

    assert b.item() == 7 and passed == [True]


@pytest.mark.results("executes")
def test_another_thread_allocates_runs_and_captures_meanwhile(kernels):
    b, g, results = values(1, 0), xpu.XPUGraph(), []

    def elsewhere():
        with xpu.stream(xpu.Stream()) as stream:
            c = xpu.full(1, 5, np.int32)
            pinned = xpu.empty_pinned(1, np.int32)
            kernels["step"][1, 1](c, 2, 1)
            c.copy_to(pinned)
            stream.synchronize()
            h = xpu.XPUGraph()
            with xpu.graph(h, stream=stream):
                kernels["step"][1, 1](c, 3, 0)
            h.replay()
            results.extend([int(pinned[0]), c.item()])

    with xpu.graph(g, capture_error_mode="thread_local"):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        kernels["store"][1, 1](b, 0, 8)

    g.replay()
    assert b.item() == 8 and results == [11, 33]


@pytest.mark.results("executes")
def test_threads_capture_and_replay_side_by_side(kernels):
    wrong = []

    def work(seed):
        try:
            check(seed)
        except xpu.XPUError as error:
            wrong.append(error)

    def check(seed):
        b = xpu.full(64, seed, np.int32)
        xpu.current_stream().synchronize()
        for turn in range(5):
            g = xpu.XPUGraph()
            with xpu.graph(g, capture_error_mode="thread_local"):
                t = xpu.empty(64, np.int32)
                add(kernels, t, b, b)
                add(kernels, b, t, b)
            stream = xpu.Stream()
            with xpu.stream(stream):
                g.replay()
                stream.synchronize()
            if (got := int(b.get(stream)[0])) != seed * 3 ** (turn + 1):
                wrong.append((seed, turn, got))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


@pytest.mark.results("executes")
def test_memory_that_another_stream_still_uses_can_be_dropped_in_a_capture(kernels):
    used, side, result, g = values(1, 1), xpu.Stream(), values(1, 0), xpu.XPUGraph()
    xpu.synchronize()
    with xpu.graph(g):
        kernels["store"][1, 1](result, 0, 1)
        kernels["slow_step"][1, 1](used, 5, 1, 500_000, stream=side)
        kernels["copy_one"][1, 1](used, 0, used, 0, stream=side)
        del used
        gc.collect()

    g.replay()
    assert result.item() == 1


@pytest.mark.results("executes")
def test_graphs_with_pools_of_their_own_may_overlap(kernels):
    graphs, outs, streams = [], [], [xpu.Stream() for _ in range(3)]
    for n in range(3):
        g = xpu.XPUGraph()
        with xpu.graph(g):
            out = values(1, n)
            for _ in range(10):
                kernels["slow_step"][1, 1](out, 3, n, 20_000)
        graphs.append(g)
        outs.append(out)

    for _ in range(3):
        for g, stream in zip(graphs, streams):
            with xpu.stream(stream):
                g.replay()
    xpu.synchronize()

    for n, out in enumerate(outs):
        expected = n
        for _ in range(10):
            expected = (expected * 3 + n) % 2 ** 32
        assert out.get().view(np.uint32)[0] == expected


@pytest.mark.results("executes", "calls_back")
def test_work_captured_by_c_code_is_left_alone(kernels):
    stream, b, graph = xpu.Stream(), values(1, 0), _raw.xpuGraph_t()
    with xpu.stream(stream):
        of_the_stream = xpu.zeros(10)
    kept = len(_capturing._for_ever)
    xpu.call.xpuStreamBeginCapture(stream.handle, 0)
    kernels["store"][1, 1](b, 0, 2, stream=stream)
    calls = []
    stream.launch_host_func(lambda: calls.append(1))
    filled = values(4, 0)
    filled.fill_(1234567, stream)  # from an array that only the graph knows
    gc.collect()
    garbage = xpu.zeros(10)  # freed while C captures in global mode
    del garbage, of_the_stream
    gc.collect()
    assert len(_capturing._for_ever) == kept + 2
    xpu.call.xpuStreamEndCapture(stream.handle, ctypes.byref(graph))
    made = _raw.xpuGraphExec_t()
    xpu.call.xpuGraphInstantiate(ctypes.byref(made), graph, 0)
    xpu.call.xpuGraphLaunch(made, stream.handle)
    stream.synchronize()

    assert b.item() == 2 and calls == [1] and list(filled.get()) == [1234567] * 4
    xpu.call.xpuGraphExecDestroy(made)
    xpu.call.xpuGraphDestroy(graph)
