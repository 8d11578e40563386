# SPDX-License-Identifier: Apache-2.0
"""Values in memory: streams and graphs write them and wait for them."""
import numpy as np
import pytest

import xpugraph as xpu

pytestmark = pytest.mark.needs("executes")


@pytest.fixture
def words():
    return xpu.empty_pinned(4, np.uint32)


def test_streams_write_and_wait(words):
    stream, address = xpu.Stream(), words.ctypes.data
    words[:] = 0
    stream.wait_value(address, 3)
    stream.write_value(address + 8, 1 << 40, bits=64)

    assert not stream.query() and not words[3]
    words[0] = 7
    stream.synchronize()
    assert words.view(np.uint64)[1] == 1 << 40

    stream.wait_value(address, 3, equal=True)
    assert not stream.query()
    words[0] = 3
    stream.synchronize()


def test_a_graph_does_and_other_operations_are_set(words):
    graph, address = xpu.Graph(), words.ctypes.data
    words[:] = 0
    node = graph.add_batch(xpu.MemOp(address, 5), xpu.MemOp(address, 5, wait=True, equal=True),
                           xpu.MemOp(address + 4, 6))
    execution = graph.instantiate()
    execution.launch()
    xpu.synchronize()
    assert words.tolist() == [5, 6, 0, 0]

    execution.set_params(node, xpu.MemOp(address, 8), xpu.MemOp(address, 8, wait=True),
                         xpu.MemOp(address + 12, 9))
    execution.launch()
    xpu.synchronize()
    assert words.tolist() == [8, 6, 0, 9]


def test_other_sizes_and_other_memory_are_refused(words):
    with pytest.raises(ValueError):
        xpu.Stream().write_value(words.ctypes.data, 1, bits=16)
    with pytest.raises(xpu.InvalidValue) as refused:
        xpu.Stream().write_value(np.zeros(4, np.uint64).ctypes.data, 1)
    assert refused.value.argument == "addr"
