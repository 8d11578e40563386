# SPDX-License-Identifier: Apache-2.0
"""Graphs with work on two devices."""
import os

import numpy as np
import pytest

import xpugraph as xpu

pytestmark = pytest.mark.skipif(xpu.device_count() < 2, reason="one device")


@pytest.fixture(scope="module")
def there():
    """The kernels on device 1."""
    return xpu.Module(os.environ["XPU_TEST_KERNELS"], device=1)


@pytest.mark.results("executes")
def test_a_graph_has_nodes_on_both_devices(kernels, there):
    a, b = xpu.zeros(2, np.int32), xpu.zeros(2, np.int32, device=1, stream=xpu.default_stream(1))
    xpu.synchronize()
    xpu.synchronize(1)
    graph = xpu.Graph()
    first = graph.add_kernel(kernels["store"], 1, 1, a, 0, 5)
    across = graph.add_memcpy(b[:1], a[:1], after=first)
    second = graph.add_kernel(there["add"], 1, 1, b, 0, 2, after=across)
    graph.add_memcpy(a[1:], b[:1], after=second)
    made = graph.instantiate()

    made.launch()
    made.launch(xpu.Stream(1))
    xpu.synchronize(1)

    assert a.get().tolist() == [5, 7]


@pytest.mark.results("executes")
def test_streams_of_both_devices_are_captured_together(kernels, there):
    a, b = xpu.full(1, 1, np.int32), xpu.full(1, 2, np.int32, device=1, stream=xpu.default_stream(1))
    xpu.synchronize()
    xpu.synchronize(1)
    other, g = xpu.Stream(1), xpu.XPUGraph()

    with xpu.graph(g):
        here = xpu.current_stream()
        kernels["add"][1, 1](a, 0, 10)
        other.wait_stream(here)
        there["add"][1, 1](b, 0, 20, stream=other)
        here.wait_stream(other)
        kernels["add"][1, 1](a, 0, 100)
    for _ in range(3):
        g.replay()
    xpu.synchronize()

    assert (a.item(), b.item()) == (331, 62)


def test_an_update_keeps_a_node_on_its_device(kernels, there):
    a = xpu.zeros(1, np.int32)
    graph = xpu.Graph()
    node = graph.add_kernel(kernels["store"], 1, 1, a, 0, 5)
    made = graph.instantiate()

    with pytest.raises(xpu.InvalidValue, match="device 1"):
        made.set_params(node, there["store"], 1, 1, a, 0, 6)
