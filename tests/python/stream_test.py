# SPDX-License-Identifier: Apache-2.0
"""Streams, events and devices: which is current where, what is ordered with what."""
import gc
import threading
import time

import numpy as np
import pytest

import xpugraph as xpu


def test_a_stream_is_current_inside_with():
    a, b = xpu.Stream(), xpu.Stream()

    with xpu.stream(a) as inside:
        assert xpu.current_stream() is a is inside
        with b:
            assert xpu.current_stream() is b
        with xpu.stream(None):
            assert xpu.current_stream() is a
    assert xpu.current_stream() is xpu.default_stream()


def test_the_stream_comes_back_after_an_exception():
    with pytest.raises(KeyError), xpu.stream(xpu.Stream()):
        raise KeyError
    assert xpu.current_stream() is xpu.default_stream()


def test_each_thread_has_its_own_current_stream():
    seen = []
    with xpu.stream(xpu.Stream()):
        thread = threading.Thread(target=lambda: seen.append(xpu.current_stream()))
        thread.start()
        thread.join()

    assert seen == [xpu.default_stream()]


def test_a_stream_can_be_set_for_good():
    stream = xpu.Stream()

    xpu.set_stream(stream)

    assert xpu.current_stream() is stream
    xpu.set_stream(xpu.default_stream())


@pytest.mark.results("executes")
def test_waiting_for_a_stream_orders_work(kernels):
    a, b = xpu.Stream(), xpu.Stream()
    buffer = xpu.full(1, 1, np.int32)
    xpu.synchronize()

    kernels["slow_step"][1, 1](buffer, 3, 1, 1_000_000, stream=a)
    b.wait_stream(a)
    kernels["step"][1, 1](buffer, 5, 2, stream=b)
    b.synchronize()

    assert buffer.item() == (1 * 3 + 1) * 5 + 2


@pytest.mark.results("executes", "calls_back")
def test_work_is_seen_to_be_under_way_and_done():
    stream, event, gate = xpu.Stream(), xpu.Event(), threading.Event()
    assert event.query()

    stream.launch_host_func(lambda: gate.wait(30))
    event.record(stream)
    assert not stream.query() and not event.query()
    with pytest.raises(xpu.NotReady):
        xpu.call.xpuEventQuery(event.handle)

    gate.set()
    event.synchronize()
    assert event.query()
    stream.synchronize()
    assert stream.query()


@pytest.mark.needs("timestamps")
def test_events_measure_milliseconds():
    stream = xpu.Stream()
    begin, end = xpu.Event(enable_timing=True), xpu.Event(enable_timing=True, blocking=True)

    begin.record(stream)
    stream.launch_host_func(lambda: time.sleep(0.02))
    end = stream.record_event(end)
    end.synchronize()

    assert 15 < begin.elapsed_time(end) < 5000
    with pytest.raises(xpu.InvalidHandle):
        begin.elapsed_time(xpu.Event())


@pytest.mark.results("executes", "calls_back")
def test_host_functions_run_in_order_and_are_dropped():
    import gc
    import weakref
    stream, seen = xpu.Stream(), []

    class Note:
        def __call__(self):
            seen.append(1)

    note, gate = Note(), threading.Event()
    alive = weakref.ref(note)
    stream.launch_host_func(lambda: gate.wait(30))
    stream.launch_host_func(note)
    stream.launch_host_func(lambda: seen.append(2))
    stream.launch_host_func(lambda: seen.append(3))
    del note
    gc.collect()
    assert alive() is not None
    gate.set()
    stream.synchronize()
    gc.collect()

    assert seen == [1, 2, 3] and alive() is None
    with pytest.raises(TypeError):
        stream.launch_host_func(3)


def test_priorities_are_moved_into_the_range():
    least, greatest = xpu.Stream.priority_range()

    assert greatest <= xpu.Stream(priority=greatest - 5).priority <= least


@pytest.mark.results("executes")
def test_a_stream_made_elsewhere_is_used_but_not_destroyed(kernels):
    import ctypes
    from xpugraph import _raw
    handle = _raw.xpuStream_t()
    xpu.call.xpuStreamCreate(ctypes.byref(handle))
    buffer = xpu.zeros(1, np.int32)
    xpu.synchronize()

    with xpu.ExternalStream(handle.value) as stream:
        kernels["store"][1, 1](buffer, 0, 8)
        stream.synchronize()
    del stream

    xpu.call.xpuStreamDestroy(handle)
    assert buffer.item() == 8


@pytest.mark.results("executes")
def test_a_native_list_becomes_a_stream(kernels):
    ours = xpu.Stream()
    buffer = xpu.zeros(1, np.int32)
    xpu.synchronize()

    theirs = xpu.Stream.from_native(ours.native, owner=ours)
    kernels["store"][1, 1](buffer, 0, 9, stream=theirs)
    theirs.synchronize()

    assert buffer.item() == 9 and theirs.native == ours.native
    event = ours.record_event()
    assert event.native


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_stream_and_the_owner_of_its_list_die_in_one_garbage(kernels, order):
    """The list must outlive the stream, whatever the collector finalises first."""
    ours, buffer = xpu.Stream(), xpu.zeros(1, np.int32)
    theirs = xpu.Stream.from_native(ours.native, owner=ours)
    xpu.synchronize()
    kernels["store"][1, 1](buffer, 0, 9, stream=theirs)
    ours.users, handle, things = theirs, theirs.handle, [ours, theirs, buffer]
    garbage = [things[i] for i in order]
    garbage.append(garbage)
    del ours, theirs, buffer, things, garbage
    gc.collect()
    xpu.synchronize()

    with pytest.raises(xpu.InvalidHandle):
        xpu.call.xpuStreamSynchronize(handle)


def test_streams_are_told_apart():
    a, b = xpu.Stream(), xpu.Stream()

    assert a != b and a.id != b.id and a == xpu.ExternalStream(a.handle) and len({a, b, a}) == 2
    assert f"{a.handle:#x}" in repr(a)


def test_a_device_knows_itself():
    device = xpu.Device("xpu:0")
    facts = device.properties

    assert device == xpu.Device(0) == xpu.Device(device) and hash(device) == hash(xpu.Device(0))
    assert facts.name == xpu.get_device_name() and facts.type in ("cpu", "gpu")
    assert facts.total_memory > 1 << 20 and facts.max_work_group_size >= 64
    assert xpu.is_available() and xpu.device_count() >= 1 and xpu.current_device() == 0
    assert xpu.get_device_properties(0) == facts
    assert 0 < xpu.mem_get_info()[0] <= xpu.mem_get_info()[1]


@pytest.mark.parametrize("name", ["gpu:0", "xpu:one", "xpu:-1"])
def test_a_device_has_one_kind_of_name(name):
    with pytest.raises(ValueError):
        xpu.Device(name)


@pytest.mark.skipif(xpu.device_count() < 2, reason="one device")
def test_work_goes_to_the_device_of_the_stream(kernels):
    with xpu.Device(1):
        assert xpu.current_device() == 1
        other = xpu.asarray(np.arange(4))
    assert xpu.current_device() == 0 and other.device == xpu.Device(1)

    with xpu.stream(xpu.Stream(1)):
        assert xpu.current_device() == 1
    assert xpu.current_device() == 0
    np.testing.assert_array_equal(other.get(), np.arange(4))
