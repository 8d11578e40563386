# SPDX-License-Identifier: Apache-2.0
"""What dies while work still uses it: nobody waits for that work, and nothing is taken away from it."""
import contextlib
import ctypes
import gc
import os
import threading
import time

import numpy as np
import pytest

import xpugraph as xpu
from xpugraph import _lifetime, _raw


@pytest.mark.results("executes", "calls_back")
def test_what_dies_in_a_host_function_does_not_wait_for_it(kernels):
    stream, seen = xpu.Stream(), []

    def work():
        garbage = [things.pop(), things.pop()]
        garbage.append(garbage)
        del garbage
        seen.append(gc.collect() > 0 and sum(_lifetime.left_over()) >= 2)

    things = [xpu.empty_pinned(64), xpu.Event()]
    stream.launch_host_func(work)
    stream.synchronize()
    xpu.synchronize()

    assert seen == [True] and _lifetime.left_over() == (0, 0)


def held_back(stream):
    """A gate at which the stream's work stops, and a list that tells whether it was opened in time."""
    gate, passed = threading.Event(), []
    stream.launch_host_func(lambda: passed.append(gate.wait(30)))
    return gate, passed


def in_garbage(*things):
    """Makes a cycle of them, so that they die when the collector says so."""
    garbage = list(things)
    garbage.append(garbage)


@pytest.mark.parametrize("in_a_capture", [False, True])
@pytest.mark.results("executes", "calls_back")
def test_whatever_dies_waits_for_no_work(in_a_capture):
    """Each thing is used by work that cannot go on; a wait for it would be one for ever."""
    stream, result = xpu.Stream(), xpu.zeros(64, np.int32)
    own, other = xpu.full(64, 3, np.int32, stream=stream), xpu.full(64, 4, np.int32)
    pinned, shared = xpu.empty_pinned(64, np.int32), xpu.empty(64, np.int32, memory="shared")
    graph, event, g = xpu.Graph(), xpu.Event(), xpu.XPUGraph()
    module = xpu.Module(os.environ["XPU_TEST_KERNELS"])
    add = module["vector_add"]
    with xpu.graph(g):
        inner = xpu.empty(64, np.int32)
        add[1, 64](inner, other, other, 64)
    graph.add_kernel(add, 1, 64, result, result, shared, 64)
    made = graph.instantiate()
    xpu.synchronize()
    with xpu.graph(xpu.XPUGraph()) if in_a_capture else contextlib.nullcontext():
        if in_a_capture:
            result.zero_()
        gate, passed = held_back(stream)
        shared.zero_(stream)
        with xpu.stream(stream):
            g.replay()
            made.launch()
            add[1, 64](result, own, other, 64)
            add[1, 64](result, result, inner, 64)
            pinned_copy(pinned, result, stream)
            event.record()
        in_garbage(own, other, inner, shared, pinned, graph, event, g, add, module, made, stream)
        del own, other, inner, shared, pinned, graph, event, g, add, module, made, stream
        gc.collect()
        assert passed == [] and sum(_lifetime.left_over()) > 0
        if in_a_capture:
            gate.set()

    assert in_a_capture or passed == []
    gate.set()
    xpu.synchronize()
    assert list(result.get()) == [3 + 4 + 8] * 64 and passed == [True]


def pinned_copy(target, source, stream):
    """A copy that does not wait."""
    xpu.call.xpuMemcpyAsync(target.ctypes.data, source.pointer, source.nbytes, 4, stream.handle)


@pytest.mark.results("executes", "calls_back")
def test_memory_that_another_stream_uses_is_not_given_out_before_that_is_over(kernels):
    stream = xpu.Stream()
    gate, passed = held_back(stream)
    result, b = xpu.zeros(64, np.int32), xpu.full(64, 3, np.int32)
    stream.wait_stream(xpu.current_stream())
    kernels["vector_add"][1, 64](result, b, b, 64, stream=stream)
    address = b.pointer
    del b
    gc.collect()

    others = [xpu.full(64, 9, np.int32) for _ in range(4)]  # would overwrite it
    assert passed == [] and address not in [other.pointer for other in others]
    gate.set()
    xpu.synchronize()
    assert list(result.get()) == [6] * 64 and passed == [True]
    again = [xpu.full(64, 9, np.int32) for _ in range(4)]
    assert address in [other.pointer for other in again]


@pytest.mark.results("executes", "calls_back")
def test_a_capture_begins_while_another_thread_waits_to_begin_one(kernels):
    """What that thread waits for waits in turn for the capture."""
    captured, entering, seen = threading.Event(), threading.Event(), []
    stream, b = xpu.Stream(), xpu.zeros(1, np.int32)
    stream.launch_host_func(lambda: seen.append(captured.wait(30)))

    def enter():
        entering.set()
        with xpu.graph(xpu.XPUGraph(), capture_error_mode="thread_local"):
            kernels["store"][1, 1](b, 0, 1)
            seen.append("entered")

    thread = threading.Thread(target=enter)
    thread.start()
    entering.wait()
    time.sleep(0.05)
    g = xpu.XPUGraph()
    with xpu.stream(xpu.Stream()):
        g.capture_begin(capture_error_mode="thread_local")
        kernels["step"][1, 1](b, 2, 7)
        g.capture_end()
    assert seen == []
    captured.set()
    thread.join()

    g.replay()
    assert seen == [True, "entered"] and b.item() == 7


@pytest.mark.results("executes")
def test_what_dies_in_a_capture_waits_until_that_ends(kernels):
    event, g, b = xpu.Event(), xpu.XPUGraph(), xpu.zeros(1, np.int32)
    with xpu.graph(g):
        kernels["store"][1, 1](b, 0, 5)
        del event
        gc.collect()
        assert _lifetime.left_over()[0] == 1

    assert _lifetime.left_over()[0] == 0
    g.replay()
    assert b.item() == 5


@pytest.mark.results("executes")
def test_streams_do_not_live_as_long_as_what_was_used_in_them(kernels):
    graph, b = xpu.Graph(), xpu.zeros(1, np.int32)
    graph.add_kernel(kernels["step"], 1, 1, b, 1, 1)
    made, handles = graph.instantiate(), []
    for _ in range(40):
        stream = xpu.Stream()
        stream.wait_stream(xpu.default_stream())
        made.launch(stream)
        handles.append(stream.handle)
        xpu.default_stream().wait_stream(stream)
        del stream
        xpu.synchronize()

    for handle in handles:
        with pytest.raises(xpu.InvalidHandle):
            xpu.call.xpuStreamSynchronize(handle)
    assert b.item() == 40 and len(made._leases) < 3 and len(b.memory.others) < 3


@pytest.mark.parametrize("stream_first", [False, True])
@pytest.mark.results("executes", "calls_back")
def test_a_launch_and_its_stream_in_one_garbage_wait_for_nothing(stream_first):
    gate, seen, stream, graph = threading.Event(), [], xpu.Stream(), xpu.Graph()
    graph.add_host(lambda: seen.append(gate.wait(30)))
    made = graph.instantiate()
    made.launch(stream)
    handle, garbage = stream.handle, []
    garbage += [stream, made, garbage] if stream_first else [made, stream, garbage]
    del graph, made, stream, garbage
    gc.collect()
    assert seen == []

    gate.set()
    xpu.synchronize()
    assert seen == [True]
    with pytest.raises(xpu.InvalidHandle):
        xpu.call.xpuStreamSynchronize(handle)


@pytest.mark.results("executes", "calls_back")
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
@pytest.mark.results("executes", "calls_back")
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


@pytest.mark.results("executes")
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


@pytest.mark.results("executes", "calls_back")
def test_a_launch_in_a_stream_that_its_owner_destroyed_keeps_nothing_for_ever(kernels):
    handle, graph, calls = _raw.xpuStream_t(), xpu.Graph(), []
    xpu.call.xpuStreamCreate(ctypes.byref(handle))
    graph.add_host(lambda: calls.append(1))
    made = graph.instantiate()
    made.launch(xpu.ExternalStream(handle.value))
    xpu.call.xpuStreamDestroy(handle)

    del made, graph
    gc.collect()
    xpu.synchronize()

    assert calls == [1] and _lifetime.left_over() == (0, 0)
