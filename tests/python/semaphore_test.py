# SPDX-License-Identifier: Apache-2.0
"""External semaphores: signals to other programs, waits for them, in streams and in graphs."""
import mmap
import os
import struct
import sys

import numpy as np
import pytest

import xpugraph as xpu

pytestmark = [pytest.mark.needs("shares"),
              pytest.mark.skipif(sys.version_info < (3, 10), reason="os.eventfd is of Python 3.10")]


class Counted:
    """A semaphore whose signals are counted, and the other program's descriptor of it."""

    def __init__(self):
        self.fd = os.eventfd(0, os.EFD_SEMAPHORE | os.EFD_NONBLOCK)
        self.semaphore = xpu.ExternalSemaphore(os.dup(self.fd))

    def signal(self):
        os.eventfd_write(self.fd, 1)

    def take(self):
        try:
            return os.eventfd_read(self.fd) == 1
        except BlockingIOError:
            return False


class Timeline:
    """A timeline and the other program's view of it."""

    def __init__(self):
        fd = os.memfd_create("timeline")
        os.ftruncate(fd, mmap.PAGESIZE)
        self.page = mmap.mmap(fd, mmap.PAGESIZE)
        self.semaphore = xpu.ExternalSemaphore(fd, timeline=True)

    @property
    def value(self):
        return struct.unpack_from("<Q", self.page)[0]


def test_streams_signal_and_wait():
    stream, there, answer = xpu.Stream(), Counted(), Counted()
    with xpu.stream(stream):
        numbers = xpu.full(4, 7, np.int32)
        there.semaphore.wait()
        numbers.zero_()
        answer.semaphore.signal(stream)

    assert not stream.query() and not answer.take()
    there.signal()
    stream.synchronize()
    assert answer.take() and not answer.take() and not there.take()
    assert numbers.get().tolist() == [0] * 4


def test_a_graph_does_at_every_launch_and_other_values_are_set():
    line, graph = Timeline(), xpu.Graph()
    first = graph.add_semaphore_wait(line.semaphore)
    last = graph.add_semaphore_signal(line.semaphore, 5, after=first)
    execution = graph.instantiate()
    execution.launch()
    xpu.synchronize()
    assert line.value == 5

    execution.set_params(first, line.semaphore, 5)
    execution.set_params(last, line.semaphore, 9)
    execution.launch()
    xpu.synchronize()
    assert line.value == 9


def test_a_capture_keeps_what_it_uses():
    there, recorded = Counted(), xpu.XPUGraph()
    with xpu.graph(recorded):
        there.semaphore.signal()
    del there.semaphore
    recorded.replay()
    recorded.replay()
    xpu.synchronize()

    assert there.take() and there.take() and not there.take()


def test_what_is_no_semaphore_is_refused_and_stays_the_callers():
    reads, writes = os.pipe()

    with pytest.raises(xpu.InvalidValue) as refused:
        xpu.ExternalSemaphore(reads)
    assert refused.value.argument == "semHandleDesc->handle.fd"
    os.close(reads)
    os.close(writes)
