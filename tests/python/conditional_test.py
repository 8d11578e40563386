# SPDX-License-Identifier: Apache-2.0
"""Conditional nodes: choices and loops that kernels decide."""
import gc
import weakref

import numpy as np
import pytest

import xpugraph as xpu


def launched(graph, times=1):
    made = graph.instantiate()
    for _ in range(times):
        made.launch()
    xpu.synchronize()


@pytest.mark.results("executes")
def test_a_while_runs_until_a_kernel_ends_it(kernels):
    b, graph = xpu.zeros(2, np.int32), xpu.Graph()
    more = graph.condition(1)
    first = graph.add_kernel(kernels["store"], 1, 1, b, 0, 5)
    loop = graph.add_while(more, after=first)
    (body,) = loop.bodies
    turn = body.add_kernel(kernels["add"], 1, 1, b, 1, 10)
    body.add_kernel(kernels["count_down"], 1, 1, more, b, 0, after=turn)

    launched(graph, 3)

    assert b.get().tolist() == [0, 150]
    assert loop.node.type is xpu.NodeType.xpuGraphNodeTypeConditional
    assert len(graph) == 2 and len(body) == 2 and "WHILE" in graph.to_dot()


@pytest.mark.parametrize("value, expected", [(0, 20), (1, 10), (7, 10)])
@pytest.mark.results("executes")
def test_an_if_has_an_else(kernels, value, expected):
    b, graph = xpu.zeros(1, np.int32), xpu.Graph()
    choice = graph.condition()
    asked = graph.add_kernel(kernels["decide"], 1, 1, choice, value)
    then, otherwise = graph.add_if(choice, orelse=True, after=asked).bodies
    then.add_kernel(kernels["store"], 1, 1, b, 0, 10)
    otherwise.add_kernel(kernels["store"], 1, 1, b, 0, 20)

    launched(graph)

    assert b.item() == expected


@pytest.mark.parametrize("value", range(4))
@pytest.mark.results("executes")
def test_a_switch_runs_one_body_or_none(kernels, value):
    b, graph = xpu.full(1, -1, np.int32), xpu.Graph()
    for number, body in enumerate(graph.add_switch(graph.condition(value), 3).bodies):
        body.add_kernel(kernels["store"], 1, 1, b, 0, number)

    launched(graph)

    assert b.item() == (value if value < 3 else -1)


@pytest.mark.results("executes")
def test_bodies_nest_and_keep_what_they_use(kernels):
    b, graph = xpu.zeros(2, np.int32), xpu.Graph()
    inside = xpu.full(1, 3, np.int32)
    alive = weakref.ref(inside.memory)
    more, again = graph.condition(1), graph.condition(1)
    (body,) = graph.add_while(more, graph.add_kernel(kernels["store"], 1, 1, b, 0, 4)).bodies
    (deeper,) = body.add_if(again).bodies
    deeper.add_kernel(kernels["vector_add"], 1, 1, b[1:], b[1:], inside, 1)
    body.add_kernel(kernels["count_down"], 1, 1, more, b, 0)
    made = graph.instantiate()
    del inside, deeper, body, graph
    gc.collect()

    made.launch()
    xpu.synchronize()

    assert alive() is not None and b.get().tolist() == [0, 12]


def test_refusals_are_exceptions(kernels):
    graph, other = xpu.Graph(), xpu.Graph()
    value = graph.condition(0)
    assert isinstance(value, int) and "Condition" in repr(value)
    with pytest.raises(xpu.InvalidValue, match="no conditional node"):
        graph.instantiate()
    with pytest.raises(xpu.InvalidValue, match="around it"):
        other.add_if(value)
    (body,) = graph.add_if(value).bodies
    with pytest.raises(xpu.InvalidValue, match="already"):
        graph.add_if(value)
    with pytest.raises(xpu.NotSupported, match="body"):
        body.add_host(lambda: None)
    with pytest.raises(xpu.NotSupported, match="cloned"):
        graph.clone()
    with pytest.raises(xpu.InvalidValue, match="part of a node"):
        body.instantiate()
    assert len(body) == 0


def test_a_body_keeps_its_graph(kernels):
    graph = xpu.Graph()
    (body,) = graph.add_if(graph.condition(1)).bodies
    del graph
    gc.collect()

    body.add_kernel(kernels["noop"], 1, 1)

    assert len(body) == 1
