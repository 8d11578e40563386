# SPDX-License-Identifier: Apache-2.0
"""Capturing once more into a graph."""
import gc
import weakref

import pytest

import xpugraph as xpu
from work import values


def digits(kernels, b, *numbers):
    kernels["store"][1, 1](b, 0, numbers[0])
    for n in numbers[1:]:
        kernels["step"][1, 1](b, 10, n)


def captured(kernels, b, *numbers, **keep):
    g = xpu.XPUGraph(**keep)
    with xpu.graph(g):
        digits(kernels, b, *numbers)
    return g


@pytest.mark.results("executes")
def test_a_replay_does_what_was_captured_last(kernels):
    b, other = values(1, 0), values(1, 0)
    g = captured(kernels, b, 1, 2, 3, keep_graph=True)
    g.replay()
    assert b.get()[0] == 123
    executable = g.raw_xpu_graph_exec()

    with xpu.recapture(g):
        digits(kernels, other, 4, 5, 6)
    g.replay()

    assert g.raw_xpu_graph_exec() == executable
    assert (b.get()[0], other.get()[0]) == (123, 456)


@pytest.mark.results("executes")
def test_a_graph_made_by_hand_is_captured_again(kernels):
    b = values(1, 0)
    graph = xpu.Graph()
    first = graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    graph.add_kernel(kernels["step"], 1, 1, b, 10, 2, after=first)
    executable, nodes = graph.instantiate(), graph.nodes

    with xpu.recapture(graph):
        digits(kernels, b, 7, 8)
    executable.update(graph)
    executable.launch()
    xpu.synchronize()

    assert graph.nodes == nodes
    assert b.get()[0] == 78


def test_the_function_is_asked_about_what_differs(kernels):
    b, asked = values(1, 0), []
    g = captured(kernels, b, 1, 2, 3, keep_graph=True)

    def allow(node, was, then):
        asked.append((node, was.type, was.kernel.blockDim.x, then.kernel.blockDim.x))
        return True

    with xpu.recapture(g, allow):
        kernels["store"][1, 1](b, 0, 1)
        kernels["step"][1, 2](b, 10, 2)
        kernels["step"][1, 1](b, 10, 3)

    assert asked == [(g._graph.nodes[1], xpu.NodeType.xpuGraphNodeTypeKernel, 1, 2)]


def test_what_is_not_allowed_fails_and_the_old_executable_stays(kernels):
    b = values(1, 0)
    g = captured(kernels, b, 1, 2, 3, keep_graph=True)
    g.instantiate()
    with pytest.raises(xpu.CaptureError, match="NotPermitted") as caught:
        with xpu.recapture(g, lambda node, was, then: False):
            digits(kernels, b, 1, 5, 3)
    assert caught.value.code == xpu.ErrorCode.xpuErrorGraphRecaptureFailure
    g.replay()
    with pytest.raises(xpu.IllegalState):
        with xpu.recapture(g):
            pass
    assert not xpu.is_current_stream_capturing()


def test_an_exception_of_the_function_comes_out(kernels):
    b = values(1, 0)
    g = captured(kernels, b, 1, 2, keep_graph=True)

    def allow(node, was, then):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        with xpu.recapture(g, allow):
            digits(kernels, b, 3, 4)


@pytest.mark.parametrize("numbers", [(1,), (1, 2, 3)])
def test_other_work_fails(kernels, numbers):
    b = values(1, 0)
    graph = xpu.Graph()
    first = graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    graph.add_kernel(kernels["step"], 1, 1, b, 10, 2, after=first)
    with pytest.raises(xpu.CaptureError):
        with xpu.recapture(graph):
            digits(kernels, b, *numbers)
    with pytest.raises(xpu.IllegalState):
        len(graph)


def test_an_exception_inside_gives_the_recapture_up(kernels):
    b, side = values(1, 0), xpu.Stream()
    graph = xpu.Graph()
    graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    with pytest.raises(ZeroDivisionError):
        with xpu.recapture(graph, stream=side):
            raise ZeroDivisionError
    assert not side.is_capturing()
    with pytest.raises(xpu.IllegalState):
        graph.instantiate()


def test_only_what_was_captured_last_is_kept(kernels):
    one, two = values(1, 0), values(1, 0)
    memories = [weakref.ref(one.memory), weakref.ref(two.memory)]
    graph = xpu.Graph()
    graph.add_kernel(kernels["store"], 1, 1, one, 0, 1)
    del one
    gc.collect()
    assert memories[0]() is not None
    for _ in range(3):
        with xpu.recapture(graph):
            kernels["store"][1, 1](two, 0, 2)
    kept = len(graph.kept())
    with xpu.recapture(graph):
        kernels["store"][1, 1](two, 0, 2)
    del two
    gc.collect()
    assert len(graph.kept()) == kept
    assert memories[0]() is None and memories[1]() is not None


def test_there_must_be_a_graph(kernels):
    with pytest.raises(xpu.IllegalState, match="keep_graph"):
        with xpu.recapture(captured(kernels, values(1, 0), 1)):
            pass
    with pytest.raises(ValueError, match="relaxed"):
        xpu.recapture(xpu.Graph(), capture_error_mode="free")
