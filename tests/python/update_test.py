# SPDX-License-Identifier: Apache-2.0
"""Executables that change: one node, all nodes, nodes that are switched off."""
import gc
import weakref

import numpy as np
import pytest

import xpugraph as xpu


def run(made):
    made.launch()
    xpu.synchronize()


def steps(kernels, b, *digits):
    """A graph that multiplies b by ten for each digit and adds it, and its nodes."""
    graph, nodes = xpu.Graph(), []
    for digit in digits:
        nodes.append(graph.add_kernel(kernels["step"], 1, 1, b, 10, digit,
                                      after=nodes[-1] if nodes else None))
    return graph, nodes


@pytest.mark.results("executes")
def test_a_node_changes_from_the_next_launch_on(kernels):
    b = xpu.full(1, 9, np.int32)
    graph, nodes = steps(kernels, b, 1, 2, 3)
    made, other = graph.instantiate(), graph.instantiate()

    made.set_params(nodes[1], kernels["step"], 1, 1, b, 10, 7)
    run(made)
    assert b.item() == 9173
    b.fill_(9)
    run(other)
    assert b.item() == 9123


@pytest.mark.results("executes", "calls_back")
def test_every_kind_of_node_changes(kernels):
    b, c, graph, calls = xpu.zeros(4, np.int32), xpu.zeros(4, np.int32), xpu.Graph(), []
    e, f = xpu.Event(), xpu.Event()
    inner, other = xpu.Graph(), xpu.Graph()
    inner.add_memset(b[3:], 1)
    other.add_memset(b[3:], 9)
    fill = graph.add_memset(b[:1], 1)
    copy = graph.add_memcpy(c[:1], b[:1], after=fill)
    host = graph.add_host(lambda: calls.append("old"), after=copy)
    record = graph.add_event_record(e, after=host)
    child = graph.add_child(inner, after=record)
    made = graph.instantiate()

    made.set_params(fill, b[:2], 5)
    made.set_params(copy, c[1:3], b[:2])
    made.set_params(host, lambda: calls.append("new"))
    made.set_params(record, f)
    made.set_params(child, other)
    run(made)

    assert list(b.get()) == [5, 5, 0, 9] and list(c.get()) == [0, 5, 5, 0]
    assert calls == ["new"]
    f.synchronize()
    with pytest.raises(TypeError, match="cannot be changed"):
        made.set_params(graph.add_empty())
    with pytest.raises(xpu.InvalidValue, match="have been there then"):
        made.set_params(graph.add_memset(b, 1), b, 2)


@pytest.mark.results("executes")
def test_a_graph_of_the_same_form_changes_every_node(kernels):
    b = xpu.full(1, 9, np.int32)
    made = steps(kernels, b, 1, 2, 3)[0].instantiate()

    made.update(steps(kernels, b, 4, 5, 6)[0])
    run(made)

    assert b.item() == 9456


@pytest.mark.results("executes")
def test_a_graph_of_another_form_is_refused_with_its_reason(kernels):
    b = xpu.full(1, 9, np.int32)
    made = steps(kernels, b, 1, 2, 3)[0].instantiate()
    longer = steps(kernels, b, 4, 5, 6, 7)[0]
    filled, nodes = steps(kernels, b, 4, 5)
    fill = filled.add_memset(b, 0, after=nodes[1])

    with pytest.raises(xpu.UpdateRefused, match="has 4 nodes") as refused:
        made.update(longer)
    assert refused.value.result == "TopologyChanged" and refused.value.node == 0
    with pytest.raises(xpu.UpdateRefused) as refused:
        made.update(filled)
    assert refused.value.result == "NodeTypeChanged" and refused.value.node == fill.handle
    run(made)

    assert b.item() == 9123


@pytest.mark.results("executes")
def test_a_node_is_switched_off_and_on(kernels):
    b = xpu.full(1, 9, np.int32)
    graph, nodes = steps(kernels, b, 1, 2, 3)
    made = graph.instantiate()

    made.enable(nodes[1], False)
    assert not made.is_enabled(nodes[1]) and made.is_enabled(nodes[0])
    run(made)
    assert b.item() == 913
    made.enable(nodes[1])
    b.fill_(9)
    run(made)
    assert b.item() == 9123
    with pytest.raises(xpu.InvalidValue, match="only kernel, memcpy and memset"):
        made.enable(graph.add_empty(), False)


@pytest.mark.results("executes")
def test_what_is_replaced_goes_and_what_replaces_it_stays(kernels):
    b = xpu.zeros(1, np.int32)
    graph, nodes = steps(kernels, b, 1)
    made = graph.instantiate()
    run(made)
    first, second = xpu.zeros(1, np.int32), xpu.zeros(1, np.int32)
    gone, kept = weakref.ref(first.memory), weakref.ref(second.memory)

    made.set_params(nodes[0], kernels["step"], 1, 1, first, 10, 2)
    run(made)
    made.set_params(nodes[0], kernels["step"], 1, 1, second, 10, 3)
    del first, second
    xpu.synchronize()
    gc.collect()
    run(made)
    gc.collect()

    assert gone() is None and kept() is not None
    other, _ = steps(kernels, b, 5)
    made.update(other)
    del other
    run(made)
    xpu.synchronize()
    gc.collect()
    assert kept() is None and b.item() == 15


@pytest.mark.results("executes", "calls_back")
def test_functions_that_are_replaced_while_they_run_are_kept(kernels):
    seen, graph = [], xpu.Graph()
    node = graph.add_host(lambda: seen.append(0))
    made = graph.instantiate()

    for number in range(1, 40):
        made.set_params(node, lambda number=number: seen.append(number))
        made.launch()
    xpu.synchronize()

    assert seen == list(range(1, 40))
