# SPDX-License-Identifier: Apache-2.0
"""Whatever fails in `with graph(g):`, the stream comes back, nothing is left, the first error wins."""
import gc
import threading

import numpy as np
import pytest

import xpugraph as xpu


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


@pytest.mark.results("executes")
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


@pytest.mark.results("executes")
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


@pytest.mark.results("executes")
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


@pytest.mark.results("executes")
def test_a_call_that_the_library_refuses_is_the_first_error(kernels, fine):
    g = xpu.XPUGraph()
    with pytest.raises(xpu.CaptureError) as caught, xpu.graph(g):
        xpu.call.xpuDeviceSynchronize()  # invalidates the capture

    assert caught.value.function == "xpuDeviceSynchronize"
    fine(g)


@pytest.mark.results("executes")
def test_an_invalidated_capture_whose_body_goes_on_fails_at_its_end(kernels, fine):
    g = xpu.XPUGraph()
    with pytest.raises(xpu.CaptureError) as caught, xpu.graph(g):
        xpu.raw.xpuDeviceSynchronize()

    assert caught.value.code == xpu.ErrorCode.xpuErrorStreamCaptureInvalidated
    assert xpu.current_stream() is xpu.default_stream()
    fine(g)


@pytest.mark.results("executes")
def test_a_begin_that_fails_restores_the_stream(kernels, fine):
    g = xpu.XPUGraph()
    fine(g)
    before = xpu.current_stream()

    with pytest.raises(xpu.IllegalState, match="already owns"), xpu.graph(g):
        pytest.fail("the body must not run")

    assert xpu.current_stream() is before
    g.replay()  # and the object has what it had
    xpu.synchronize()


@pytest.mark.results("executes")
def test_a_nested_capture_on_one_stream_spoils_nothing(kernels):
    b, outer = xpu.zeros(1, np.int32), xpu.XPUGraph()
    with xpu.graph(outer):
        kernels["store"][1, 1](b, 0, 3)
        with pytest.raises(xpu.IllegalState), xpu.graph(xpu.XPUGraph()):
            pytest.fail("the body must not run")
        assert xpu.is_current_stream_capturing()

    outer.replay()
    assert b.item() == 3


@pytest.mark.results("executes")
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


@pytest.mark.results("executes")
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


def test_an_object_that_another_thread_drops_ends_its_capture(kernels):
    stream, box = xpu.Stream(), [xpu.XPUGraph()]
    with xpu.stream(stream):
        box[0].capture_begin()
        kernels["noop"][1, 1]()
        thread = threading.Thread(target=box.clear)
        thread.start()
        thread.join()

        assert not stream.is_capturing()


@pytest.mark.needs("calls_back")
def test_an_object_that_a_host_function_drops_ends_its_capture_soon_after(kernels):
    stream, box, dropped = xpu.Stream(), [xpu.XPUGraph()], threading.Event()
    with xpu.stream(stream):
        box[0].capture_begin(capture_error_mode="thread_local")
        kernels["noop"][1, 1]()
        side = xpu.Stream()
        side.launch_host_func(lambda: (box.clear(), dropped.set()))
        assert dropped.wait(30)

        xpu.Event()  # whatever dies next, here or elsewhere

        assert not stream.is_capturing()


@pytest.mark.results("executes")
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

    g.replay()
    assert "another thread" in errors[0] and b.item() == 2


def test_a_buffer_is_lost_with_a_body_that_leaves_a_stream_unjoined(kernels):
    side = xpu.Stream()
    with pytest.raises(Broken), xpu.graph(xpu.XPUGraph()):
        lost = xpu.empty(4, np.int32)
        side.wait_stream(xpu.current_stream())
        kernels["store"][1, 1](lost, 0, 1, stream=side)
        raise Broken

    with pytest.raises(xpu.InvalidValue, match="its memory is gone"):
        lost.get()


@pytest.mark.results("executes")
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
