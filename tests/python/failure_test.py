# SPDX-License-Identifier: Apache-2.0
"""Whatever fails in `with graph(g):`, the stream comes back, nothing is left, the first error wins."""
import gc
import threading

import numpy as np
import pytest

import xpugraph as xpu
from xpugraph import _lifetime


class Broken(Exception):
    """Of the body."""


@pytest.fixture
def fine(kernels):
    """Shows that an object can capture and replay."""
    def check(g, pool=None):
        b = xpu.zeros(1, np.int32)
        with xpu.graph(g, pool=pool):
            kernels["store"][1, 1](b, 0, 5)
        g.replay()
        assert b.item() == 5
    return check


def test_a_body_that_raises_leaves_an_empty_object(kernels, fine):
    g, b = xpu.XPUGraph(), xpu.zeros(1, np.int32)
    with pytest.raises(Broken), xpu.graph(g):
        kernels["store"][1, 1](b, 0, 9)
        raise Broken

    assert xpu.current_stream() is xpu.default_stream() and not xpu.is_current_stream_capturing()
    with pytest.raises(xpu.IllegalState):
        g.replay()
    assert b.item() == 0
    fine(g)


def test_a_body_that_raises_gives_the_pool_back(kernels, fine):
    pool, kept = xpu.graph_pool_handle(), []
    with pytest.raises(Broken), xpu.graph(xpu.XPUGraph(), pool=pool):
        kept.append(xpu.empty(1000, np.float64))
        raise Broken

    assert pool.usage.live == 8192  # it is still there for whoever has it
    del kept[:]
    gc.collect()
    assert pool.usage.live == 0
    fine(xpu.XPUGraph(), pool)


def test_a_buffer_of_a_capture_that_was_lost_is_refused(kernels, fine):
    pool, side = xpu.graph_pool_handle(), xpu.Stream()
    with pytest.raises(xpu.CaptureError), xpu.graph(xpu.XPUGraph(), pool=pool):
        lost = xpu.empty(4, np.int32)
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](lost, 0, 1, stream=side)  # unjoined

    assert pool.usage.live == 0
    with pytest.raises(xpu.InvalidValue, match="its memory is gone"):
        lost.get()
    g, b = xpu.XPUGraph(), xpu.zeros(4, np.int32)
    with xpu.graph(g, pool=pool):
        new = xpu.empty(4, np.int32)
        kernels["vector_add"][1, 4](new, b, b, 4)
    del lost
    gc.collect()
    assert pool.usage.live == new.memory.nbytes + 496  # rounded; not freed under the new one


def test_the_bodys_error_is_not_hidden_by_the_ends(kernels, fine):
    g, side = xpu.XPUGraph(), xpu.Stream()
    b = xpu.zeros(1, np.int32)
    with pytest.raises(Broken) as caught, xpu.graph(g):
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](b, 0, 9, stream=side)  # unjoined: the end fails too
        raise Broken

    assert caught.value.__context__ is None
    assert xpu.current_stream() is xpu.default_stream() and not side.is_capturing()
    fine(g)


def test_a_call_that_the_library_refuses_is_the_first_error(kernels, fine):
    g = xpu.XPUGraph()
    with pytest.raises(xpu.CaptureError) as caught, xpu.graph(g):
        xpu.call.xpuDeviceSynchronize()  # invalidates the capture

    assert caught.value.function == "xpuDeviceSynchronize"
    fine(g)


def test_an_invalidated_capture_whose_body_goes_on_fails_at_its_end(kernels, fine):
    g = xpu.XPUGraph()
    with pytest.raises(xpu.CaptureError) as caught, xpu.graph(g):
        xpu.raw.xpuDeviceSynchronize()

    assert caught.value.code == xpu.ErrorCode.xpuErrorStreamCaptureInvalidated
    assert xpu.current_stream() is xpu.default_stream()
    fine(g)


def test_a_begin_that_fails_restores_the_stream(kernels, fine):
    g = xpu.XPUGraph()
    fine(g)
    before = xpu.current_stream()

    with pytest.raises(xpu.IllegalState, match="already owns"), xpu.graph(g):
        pytest.fail("the body must not run")

    assert xpu.current_stream() is before
    g.replay()  # and the object has what it had
    xpu.synchronize()


def test_a_nested_capture_on_one_stream_spoils_nothing(kernels):
    b, outer = xpu.zeros(1, np.int32), xpu.XPUGraph()
    with xpu.graph(outer):
        kernels["store"][1, 1](b, 0, 3)
        with pytest.raises(xpu.IllegalState), xpu.graph(xpu.XPUGraph()):
            pytest.fail("the body must not run")
        assert xpu.is_current_stream_capturing()

    outer.replay()
    assert b.item() == 3


def test_an_instantiation_that_fails_leaves_nothing(kernels, fine, monkeypatch):
    g, pool = xpu.XPUGraph(), xpu.graph_pool_handle()

    def refuse(*_):
        raise xpu.OutOfMemory(2, "no room")

    with pytest.raises(xpu.OutOfMemory), xpu.graph(g, pool=pool):
        kernels["noop"][1, 1]()
        monkeypatch.setattr(xpu.call, "xpuGraphInstantiate", refuse)
    monkeypatch.undo()

    assert "empty" in repr(g)
    fine(g, pool)


def test_a_body_that_changes_the_stream_for_good_is_ended_all_the_same(kernels, fine):
    g, other = xpu.XPUGraph(), xpu.Stream()
    with pytest.raises(xpu.CaptureError, match="same stream"), xpu.graph(g):
        kernels["noop"][1, 1]()
        xpu.set_stream(other)

    assert xpu.current_stream() is xpu.default_stream()
    fine(g)


def test_an_object_dropped_in_its_capture_ends_it(kernels):
    stream = xpu.Stream()
    with xpu.stream(stream):
        g = xpu.XPUGraph()
        g.capture_begin()
        kernels["noop"][1, 1]()
        del g
        gc.collect()

        assert not stream.is_capturing()


def test_an_object_that_another_thread_drops_ends_its_capture_in_its_own(kernels):
    stream, box = xpu.Stream(), [xpu.XPUGraph()]
    with xpu.stream(stream):
        box[0].capture_begin()
        kernels["noop"][1, 1]()
        thread = threading.Thread(target=box.clear)
        thread.start()
        thread.join()
        assert stream.is_capturing()

        xpu.Event()  # whatever this thread drops next

        assert not stream.is_capturing()


def test_another_threads_capture_is_not_reset(kernels):
    g, errors, b = xpu.XPUGraph(), [], xpu.zeros(1, np.int32)

    def reset():
        try:
            g.reset()
        except xpu.IllegalState as error:
            errors.append(str(error))

    with xpu.graph(g):
        kernels["store"][1, 1](b, 0, 2)
        thread = threading.Thread(target=reset)
        thread.start()
        thread.join()
        xpu.Event()

    g.replay()
    assert "another thread" in errors[0] and b.item() == 2


def test_what_dies_in_a_host_function_does_not_wait_for_it(kernels):
    stream, seen = xpu.Stream(), []

    def work():
        garbage = [things.pop(), things.pop()]
        garbage.append(garbage)
        del garbage
        seen.append(gc.collect() > 0 and _lifetime.left_over()[0] >= 2)

    things = [xpu.empty_pinned(64), xpu.empty(64, memory="shared")]
    stream.launch_host_func(work)
    stream.synchronize()

    assert seen == [True] and _lifetime.left_over() == (0, 0)


def test_what_dies_in_a_capture_waits_for_nothing_until_that_ends(kernels):
    gate, opened, side = threading.Event(), [], xpu.Stream()
    pinned, shared = xpu.empty_pinned(64), xpu.empty(64, memory="shared")
    g, b = xpu.XPUGraph(), xpu.zeros(1, np.int32)
    with xpu.graph(g):
        kernels["store"][1, 1](b, 0, 5)
        side.launch_host_func(lambda: opened.append(gate.wait(10)))
        del pinned, shared  # to free them means to wait for the device
        gc.collect()
        assert _lifetime.left_over()[0] == 2 and opened == []
        gate.set()

    assert _lifetime.left_over() == (0, 0)
    side.synchronize()
    g.replay()
    assert b.item() == 5 and opened == [True]


def test_a_buffer_is_lost_with_a_body_that_leaves_a_stream_unjoined(kernels):
    side = xpu.Stream()
    with pytest.raises(Broken), xpu.graph(xpu.XPUGraph()):
        lost = xpu.empty(4, np.int32)
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](lost, 0, 1, stream=side)
        raise Broken

    with pytest.raises(xpu.InvalidValue, match="its memory is gone"):
        lost.get()


def test_a_capture_end_that_fails_leaves_the_object_as_new(kernels, fine):
    g, side = xpu.XPUGraph(), xpu.Stream()
    with xpu.stream(xpu.Stream()):
        g.capture_begin()
        lost = xpu.empty(4, np.int32)
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](lost, 0, 1, stream=side)
        with pytest.raises(xpu.CaptureError):
            g.capture_end()
        assert "empty" in repr(g) and not xpu.is_current_stream_capturing()

    with pytest.raises(xpu.InvalidValue):
        lost.get()
    fine(g)


def test_a_stream_lives_as_long_as_launches_in_it_may_ask_for_it():
    stream, graph = xpu.Stream(), xpu.Graph()
    graph.add_empty()
    made, handle = graph.instantiate(), stream.handle
    made.launch(stream)
    del stream
    gc.collect()
    xpu.call.xpuStreamSynchronize(handle)

    del made
    gc.collect()
    with pytest.raises(xpu.InvalidHandle):
        xpu.call.xpuStreamSynchronize(handle)


@pytest.mark.parametrize("stream_first", [False, True])
def test_a_launch_and_its_stream_in_one_garbage_wait_for_nothing(stream_first):
    gate, seen, stream, graph = threading.Event(), [], xpu.Stream(), xpu.Graph()
    graph.add_host(lambda: seen.append(gate.wait(30)))
    made = graph.instantiate()
    made.launch(stream)
    handle, garbage = stream.handle, []
    garbage += [stream, made, garbage] if stream_first else [made, stream, garbage]
    opener = threading.Timer(0.2, gate.set)
    opener.start()
    del graph, made, stream, garbage
    gc.collect()
    assert seen == []

    opener.join()
    xpu.synchronize()
    assert seen == [True]
    with pytest.raises(xpu.InvalidHandle):
        xpu.call.xpuStreamSynchronize(handle)


def test_memory_of_a_graph_by_hand_waits_for_its_launches(kernels):
    """The executable and what it keeps are one garbage, in which the memory comes first."""
    gate, seen, stream, result = threading.Event(), [], xpu.Stream(), xpu.zeros(64, np.int32)
    b, graph = xpu.full(64, 3, np.int32), xpu.Graph()
    xpu.synchronize()
    wait = graph.add_host(lambda: seen.append(gate.wait(30)))
    graph.add_kernel(kernels["vector_add"], 1, 64, result, b, b, 64, after=wait)
    made = graph.instantiate()
    made.launch(stream)
    b.memory.owner = garbage = [b.memory, made]
    opener = threading.Timer(0.05, gate.set)
    opener.start()
    del b, graph, made, wait, garbage
    gc.collect()
    others = [xpu.full(64, 9, np.int32) for _ in range(4)]  # would overwrite b
    opener.join()
    xpu.synchronize()

    assert list(result.get()) == [6] * 64 and seen == [True] and len(others) == 4


@pytest.mark.parametrize("order", range(6))
def test_the_collector_may_finalise_in_any_order(kernels, order):
    """A launch under way, its stream, its memory and its pool, all in one garbage."""
    gate, seen, result = threading.Event(), [], xpu.zeros(64, np.int32)
    stream, b, g = xpu.Stream(), xpu.full(64, 3, np.int32), xpu.XPUGraph()
    xpu.synchronize()
    with xpu.graph(g):
        t = xpu.empty(64, np.int32)
        xpu.current_stream().launch_host_func(lambda: seen.append(gate.wait(30)))
        kernels["vector_add"][1, 64](t, b, b, 64)
        kernels["vector_add"][1, 64](result, t, b, 64)
    with xpu.stream(stream):
        g.replay()
    # Within a garbage the collector goes by age.
    garbage = []
    makers = [lambda: g, lambda: stream, lambda: b]
    for thing in (makers[order % 3:] + makers[:order % 3])[::1 if order < 3 else -1]:
        garbage.append([thing(), garbage])
    opener = threading.Timer(0.05, gate.set)
    opener.start()
    del g, stream, b, t, garbage, makers, thing
    gc.collect()
    others = [xpu.full(64, 9, np.int32) for _ in range(4)]  # would overwrite b or t
    opener.join()
    xpu.synchronize()

    assert list(result.get()) == [9] * 64 and seen == [True] and len(others) == 4


def test_an_exec_is_not_destroyed_inside_somebodys_capture(kernels):
    """With a cycle, as a framework's objects have it, so that the collector decides when."""
    old, b = xpu.XPUGraph(), xpu.zeros(4, np.int32)
    with xpu.graph(old):
        out = xpu.empty(4, np.int32)
        kernels["vector_add"][1, 4](out, b, b, 4)
    old.replay()
    cycle = [old, b, out, xpu.Stream(), xpu.Event(), xpu.zeros(1 << 20), xpu.empty_pinned(64)]
    cycle.append(cycle)
    result, g = xpu.zeros(1, np.int32), xpu.XPUGraph()

    with xpu.graph(g):
        kernels["store"][1, 1](result, 0, 1)
        del old, b, out, cycle
        gc.collect()
        kernels["step"][1, 1](result, 2, 5)

    g.replay()
    assert result.item() == 7
