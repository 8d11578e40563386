# SPDX-License-Identifier: Apache-2.0
"""Captures: what is recorded and replayed, and what else goes on meanwhile."""
import gc
import threading
import weakref

import numpy as np
import pytest

import xpugraph as xpu
from work import add, values


def test_it_is_told_whether_the_current_stream_is_captured(kernels):
    buffer = values(1, 0)
    assert not xpu.is_current_stream_capturing()
    with xpu.graph(xpu.XPUGraph()):
        assert xpu.is_current_stream_capturing() and xpu.current_stream().is_capturing()
        with xpu.stream(xpu.Stream()):
            assert not xpu.is_current_stream_capturing()
        kernels["store"][1, 1](buffer, 0, 1)
    assert not xpu.is_current_stream_capturing()


@pytest.mark.results("executes")
def test_a_capture_does_not_run_and_a_replay_on_another_stream_does(kernels):
    b = values(1000, 0)
    xpu.synchronize()
    g = xpu.XPUGraph()
    side = xpu.Stream()
    with xpu.stream(side):
        g.capture_begin()
        for _ in range(10):
            kernels["axpb"][16, 64](b, 1000, 1, 1)
        g.capture_end()
    side.synchronize()
    assert b.get().sum() == 0

    g.replay()

    assert b.get().sum() == 10000


@pytest.mark.results("executes")
def test_an_object_is_used_again_after_reset(kernels):
    b, g = values(1000, 0), xpu.XPUGraph()
    for addend, expected in ((11, 11000), (22, 33000)):
        with xpu.graph(g):
            kernels["axpb"][16, 64](b, 1000, 1, addend)
        g.replay()
        assert b.get().sum() == expected
        g.reset()
        g.reset()
    del g


@pytest.mark.results("executes")
def test_new_data_is_replayed_through_static_inputs(kernels):
    static, g = values(256, 0), xpu.XPUGraph()
    with xpu.graph(g):
        out = xpu.empty(256, np.int32)
        add(kernels, out, static, static)
        kernels["axpb"][4, 64](out, 256, 3, 1)

    for seed in range(3):
        data = np.random.default_rng(seed).integers(-1000, 1000, 256).astype(np.int32)
        static.copy_(data)
        g.replay()
        np.testing.assert_array_equal(out.get(), data * 6 + 1)


@pytest.mark.results("executes")
def test_numpy_arrays_are_read_and_written_at_every_replay(kernels):
    source, target, device = np.zeros(8, np.int32), np.zeros(8, np.int32), values(8, 0)
    g = xpu.XPUGraph()
    with xpu.graph(g):
        device.copy_(source)
        kernels["axpb"][1, 8](device, 8, 2, 1)
        device.copy_to(target)

    for n in range(3):
        source[:] = n
        g.replay()
        xpu.synchronize()
        np.testing.assert_array_equal(target, 2 * source + 1)


def test_a_source_that_would_be_converted_is_refused_in_a_capture(kernels):
    device = values(4, 0)
    with pytest.raises(ValueError, match="before the capture"), xpu.graph(xpu.XPUGraph()):
        device.copy_(np.zeros(4, np.float64))


@pytest.mark.results("executes")
def test_an_unjoined_stream_is_an_error_that_leaves_nothing(kernels):
    g, side, b = xpu.XPUGraph(), xpu.Stream(), values(1, 0)
    with pytest.raises(xpu.CaptureError) as caught, xpu.graph(g):
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](b, 0, 1, stream=side)

    assert caught.value.code == xpu.ErrorCode.xpuErrorStreamCaptureUnjoined
    assert not side.is_capturing() and "empty" in repr(g)
    with xpu.graph(g):
        kernels["store"][1, 1](b, 0, 3)
    g.replay()
    assert b.item() == 3


@pytest.mark.parametrize("wait", [
    lambda b, e: b.get(), lambda b, e: b.item(), lambda b, e: xpu.synchronize(),
    lambda b, e: xpu.current_stream().synchronize(), lambda b, e: xpu.current_stream().query(),
    lambda b, e: e.synchronize(), lambda b, e: e.query(),
], ids=["get", "item", "device", "stream", "stream_query", "event", "event_query"])
@pytest.mark.results("executes")
def test_a_wait_in_a_capture_names_itself_and_spoils_nothing(kernels, wait):
    b, g = values(1, 0), xpu.XPUGraph()
    with xpu.graph(g):
        kernels["store"][1, 1](b, 0, 4)
        event = xpu.current_stream().record_event()
        with pytest.raises(xpu.CaptureError, match="(get|synchronize|query)\\(\\)"):
            wait(b, event)

    g.replay()
    assert b.item() == 4


@pytest.mark.results("executes", "calls_back")
def test_a_replay_in_a_capture_becomes_a_child(kernels):
    b, inner, outer = values(1, 1), xpu.XPUGraph(), xpu.XPUGraph(keep_graph=True)
    calls = []
    with xpu.graph(inner):
        kernels["step"][1, 1](b, 2, 1)
        xpu.current_stream().launch_host_func(lambda: calls.append(1))
    with xpu.graph(outer):
        inner.replay()
        kernels["step"][1, 1](b, 10, 0)
        inner.replay()
    del inner
    gc.collect()

    outer.replay()

    assert b.item() == ((1 * 2 + 1) * 10) * 2 + 1 and calls == [1, 1]
    assert outer.to_dot().count("subgraph") >= 3


@pytest.mark.results("executes")
def test_external_events_join_two_graphs_and_time_one(kernels):
    a, b = xpu.XPUGraph(), xpu.XPUGraph()
    buffer, mark = values(1, 1), xpu.Event(external=True)
    first, second = xpu.Stream(), xpu.Stream()
    begin, end = (xpu.Event(enable_timing=True, external=True) for _ in range(2))
    with xpu.graph(a, stream=first):
        begin.record()
        kernels["slow_step"][1, 1](buffer, 3, 1, 1_000_000)
        end.record()
        mark.record()
    assert mark.query()  # a captured record is none until the launch
    with xpu.graph(b, stream=second):
        mark.wait()
        kernels["step"][1, 1](buffer, 5, 2)

    with xpu.stream(first):
        a.replay()
    with xpu.stream(second):
        b.replay()
    xpu.synchronize()

    assert buffer.item() == (1 * 3 + 1) * 5 + 2 and begin.elapsed_time(end) > 0


def test_a_graph_keeps_external_events():
    g, event = xpu.XPUGraph(), xpu.Event(external=True)
    with xpu.graph(g):
        event.record()
    alive = weakref.ref(event)
    del event
    gc.collect()

    assert alive() is not None
    g.reset()
    gc.collect()
    assert alive() is None


@pytest.mark.results("executes", "calls_back")
def test_what_a_replay_uses_stays_until_it_is_over():
    gate, seen, g, stream = threading.Event(), [], xpu.XPUGraph(), xpu.Stream()

    class Function:
        def __call__(self):
            seen.append(gate.wait(30))

    function = Function()
    alive = weakref.ref(function)
    with xpu.graph(g):
        xpu.current_stream().launch_host_func(function)
    del function
    with xpu.stream(stream):
        g.replay()

    g.reset()
    gc.collect()
    assert alive() is not None
    gate.set()
    stream.synchronize()
    gc.collect()

    assert alive() is None and seen == [True]


@pytest.mark.results("executes")
def test_pinned_memory_can_be_made_during_a_capture(kernels):
    device, g = values(4, 3), xpu.XPUGraph()
    with xpu.graph(g):
        pinned = xpu.empty_pinned(4, np.int32)
        other = xpu.empty_pinned(4, np.int32)
        device.copy_to(pinned)
    assert pinned.ctypes.data != other.ctypes.data

    g.replay()
    xpu.synchronize()

    np.testing.assert_array_equal(pinned, [3] * 4)


def test_pinned_memory_of_a_captured_copy_lives_as_long_as_the_graph(kernels):
    device, g = values(4, 3), xpu.XPUGraph()
    pinned = xpu.empty(4, np.int32, memory="host")
    memory = weakref.ref(pinned.memory)
    with xpu.graph(g):
        device.copy_to(pinned.numpy())
    del pinned
    gc.collect()
    assert memory() is not None

    g.replay()
    del g
    gc.collect()
    xpu.synchronize()
    assert memory() is None


@pytest.mark.results("executes", "calls_back")
def test_host_functions_are_called_at_every_replay(kernels):
    calls, g = [], xpu.XPUGraph()
    with xpu.graph(g):
        xpu.current_stream().launch_host_func(lambda: calls.append(1))
    gc.collect()

    g.replay()
    g.replay()
    xpu.synchronize()

    assert calls == [1, 1]
