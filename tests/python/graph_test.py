# SPDX-License-Identifier: Apache-2.0
"""Graphs built by hand: every kind of node, edges, editing, executables, pictures."""
import gc
import json
import shutil
import weakref

import numpy as np
import pytest

import xpugraph as xpu


def launched(graph, **how):
    made = graph.instantiate(**how)
    made.launch()
    xpu.synchronize()
    return made


@pytest.mark.results("executes")
def test_kernels_run_in_the_order_of_their_edges(kernels):
    b, graph = xpu.full(1, 1, np.int32), xpu.Graph()
    first = graph.add_kernel(kernels["step"], 1, 1, b, 2, 1)
    second = graph.add_kernel(kernels["step"], 1, 1, b, 3, 1, after=first)
    graph.add_kernel(kernels["step"], 1, 1, b, 5, 1, after=[first, second])

    made = launched(graph)
    assert b.item() == ((1 * 2 + 1) * 3 + 1) * 5 + 1
    made.launch()
    made.upload()

    assert b.item() == ((51 * 2 + 1) * 3 + 1) * 5 + 1 and made.flags == 0


@pytest.mark.results("executes")
def test_copies_go_between_numpy_and_buffers():
    source, target = np.arange(6, dtype=np.int32), np.zeros(6, np.int32)
    b, graph = xpu.zeros(6, np.int32), xpu.Graph()
    into = graph.add_memcpy(b, source)
    graph.add_memcpy(target, b, 12, after=into)

    launched(graph)

    np.testing.assert_array_equal(target, [0, 1, 2, 0, 0, 0])
    np.testing.assert_array_equal(b.get(), source)
    with pytest.raises(ValueError, match="nbytes"):
        graph.add_memcpy(b, source[:3])
    with pytest.raises(ValueError, match="more than"):
        graph.add_memcpy(b, source, 100)
    with pytest.raises(ValueError, match="gaps"):
        graph.add_memcpy(b, source[::2], 8)
    with pytest.raises(TypeError):
        graph.add_memcpy(b, "text", 8)


@pytest.mark.results("executes")
def test_blocks_are_copied_by_rows_and_slices():
    source = np.arange(4 * 6 * 8, dtype=np.uint8).reshape(4, 6, 8)
    b, target = xpu.zeros((2, 3, 16), np.uint8), np.zeros((2, 3, 4), np.uint8)
    graph = xpu.Graph()
    xpu.synchronize()
    into = graph.add_memcpy3d(b, source, (4, 3, 2), 16, 8, 3, 6)
    graph.add_memcpy3d(target, b, (4, 3, 2), 4, 16, after=into)

    launched(graph)

    np.testing.assert_array_equal(target, source[:2, :3, :4])


@pytest.mark.parametrize("dtype, value", [("u1", 7), ("i2", -300), ("i4", 123456), ("f4", 1.5),
                                          ("f8", 0.0), ("i8", -1)])
@pytest.mark.results("executes")
def test_fills_have_the_buffers_type(dtype, value):
    b, graph = xpu.zeros(10, dtype), xpu.Graph()
    xpu.synchronize()
    graph.add_memset(b, value)

    launched(graph)

    np.testing.assert_array_equal(b.get(), np.full(10, value, dtype))


def test_a_fill_that_the_library_does_not_have_is_refused():
    with pytest.raises(ValueError, match="1, 2 or 4 bytes"):
        xpu.Graph().add_memset(xpu.zeros(4, np.float64), 0.1)


@pytest.mark.results("executes")
def test_a_fill_of_rows_leaves_what_is_between_them():
    b, graph = xpu.zeros((3, 8), np.int16), xpu.Graph()
    xpu.synchronize()
    graph.add_memset(b, 9, rows=(4, 3, 16))

    launched(graph)

    expected = np.zeros((3, 8))
    expected[:, :4] = 9
    np.testing.assert_array_equal(b.get(), expected)


@pytest.mark.results("executes", "calls_back")
def test_host_functions_run_where_they_stand(kernels):
    b, seen, graph = xpu.zeros(1, np.int32, memory="host"), [], xpu.Graph()
    xpu.synchronize()
    view = b.numpy()
    store = graph.add_kernel(kernels["store"], 1, 1, b, 0, 4)
    look = graph.add_host(lambda: seen.append(int(view[0])), after=store)
    graph.add_kernel(kernels["store"], 1, 1, b, 0, 5, after=look)

    launched(graph)

    assert seen == [4] and view[0] == 5


@pytest.mark.results("executes")
def test_a_child_is_a_copy(kernels):
    b, child, parent = xpu.full(1, 1, np.int32), xpu.Graph(), xpu.Graph()
    step = child.add_kernel(kernels["step"], 1, 1, b, 2, 0)
    first = parent.add_child(child)
    parent.add_child(child, after=parent.add_empty(after=first))
    step.remove()
    del child, step
    gc.collect()

    launched(parent)

    assert b.item() == 4
    assert [node.type for node in parent.nodes] == [
        xpu.NodeType.xpuGraphNodeTypeGraph, xpu.NodeType.xpuGraphNodeTypeEmpty,
        xpu.NodeType.xpuGraphNodeTypeGraph]


@pytest.mark.results("executes")
def test_events_are_recorded_and_waited_for(kernels):
    b, event, graph = xpu.full(1, 1, np.int32), xpu.Event(), xpu.Graph()
    xpu.synchronize()
    step = graph.add_kernel(kernels["slow_step"], 1, 1, b, 2, 1, 1_000_000)
    graph.add_event_record(event, after=step)
    waiting = xpu.Graph()
    wait = waiting.add_event_wait(event)
    waiting.add_kernel(kernels["step"], 1, 1, b, 10, 0, after=wait)
    one, two = graph.instantiate(), waiting.instantiate()

    one.launch(xpu.Stream())
    two.launch(xpu.Stream())
    xpu.synchronize()

    assert b.item() == 30


@pytest.mark.results("executes")
def test_a_graph_allocates_and_frees(kernels):
    out, graph = xpu.zeros(64, np.int32), xpu.Graph()
    xpu.synchronize()
    node, temporary = graph.add_mem_alloc(64, np.int32)
    fill = graph.add_memset(temporary, 21, after=node)
    add = graph.add_kernel(kernels["vector_add"], 1, 64, out, temporary, temporary, 64, after=fill)
    graph.add_mem_free(temporary, after=add)

    made = launched(graph)
    made.launch()

    np.testing.assert_array_equal(out.get(), [42] * 64)
    report = json.loads(graph.memory_report("json"))
    assert [a["bytes"] for a in report["allocations"]] == [256]
    assert "<svg" in graph.memory_report("svg") and graph.memory_report()
    with pytest.raises(ValueError, match="json"):
        graph.memory_report("pdf")
    assert node.type == xpu.NodeType.xpuGraphNodeTypeMemAlloc and temporary.nbytes == 256
    with pytest.raises(xpu.XPUError):
        graph.clone()


def test_edges_are_added_listed_and_removed(kernels):
    graph = xpu.Graph()
    a, b, c = (graph.add_empty() for _ in range(3))
    graph.add_edge(a, b)
    graph.add_edge(a, c)
    graph.add_edge(b, c)

    assert set(graph.edges) == {(a, b), (a, c), (b, c)} and graph.roots == [a]
    assert a.dependents == [b, c] and c.dependencies == [a, b] and graph.nodes == [a, b, c]
    graph.remove_edge(a, c)
    assert c.dependencies == [b]
    b.remove()
    assert len(graph) == 2 and set(graph.roots) == {a, c} and graph
    with pytest.raises(xpu.InvalidValue):
        graph.add_edge(a, b)
    with pytest.raises(TypeError):
        graph.add_empty(after="a")


def test_a_cycle_is_named():
    graph = xpu.Graph()
    a = graph.add_empty()
    b = graph.add_empty(after=a)
    graph.add_edge(b, a)

    with pytest.raises(xpu.InvalidValue, match="cycle"):
        graph.instantiate()


@pytest.mark.results("executes", "calls_back")
def test_what_a_node_does_is_replaced_for_later_executables(kernels):
    b, c, graph = xpu.zeros(4, np.int32), xpu.zeros(4, np.int32), xpu.Graph()
    calls = []
    kernel = graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    fill = graph.add_memset(b[1:2], 2, after=kernel)
    copy = graph.add_memcpy(c, b, after=fill)
    host = graph.add_host(lambda: calls.append("old"), after=copy)
    before = graph.instantiate()

    kernel.replace(kernels["store"], 1, 1, b, 3, 8)
    fill.replace(b[1:3], 5)
    copy.replace(c, b, 12)
    host.replace(lambda: calls.append("new"))
    c.zero_()
    launched(graph)
    assert list(b.get()) == [0, 5, 5, 8] and list(c.get()) == [0, 5, 5, 0]
    before.launch()
    xpu.synchronize()

    assert list(b.get()) == [1, 2, 5, 8] and list(c.get()) == [1, 2, 5, 8]
    assert calls == ["new", "old"]
    with pytest.raises(TypeError, match="cannot be replaced"):
        graph.add_empty().replace()


@pytest.mark.results("executes")
def test_a_clone_is_independent(kernels):
    b, graph = xpu.zeros(1, np.int32), xpu.Graph()
    store = graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    copy = graph.clone()

    copy.find(store).replace(kernels["store"], 1, 1, b, 0, 2)
    launched(copy)
    assert b.item() == 2
    launched(graph)
    assert b.item() == 1


def test_a_graph_and_its_executables_keep_what_they_use(kernels):
    class Function:
        def __call__(self):
            pass

    b, c, function, graph = xpu.zeros(4, np.int32), xpu.zeros(4, "i4"), Function(), xpu.Graph()
    array, event = np.zeros(4, np.int32), xpu.Event()
    graph.add_kernel(kernels["store"], 1, 1, b, 0, 1)
    graph.add_host(function)
    graph.add_memcpy(array, c)
    graph.add_event_record(event)
    alive = [*map(weakref.ref, (b.memory, c.memory, function, array, event))]
    del b, c, function, array, event

    made = graph.instantiate()
    del graph
    gc.collect()
    made.launch()
    assert all(ref() is not None for ref in alive)

    del made
    gc.collect()
    xpu.synchronize()
    assert not any(ref() for ref in alive)


@pytest.mark.results("executes", "calls_back")
def test_what_a_launch_uses_stays_until_it_is_over(kernels):
    import threading
    gate, seen = threading.Event(), []

    class Function:
        def __call__(self):
            seen.append(gate.wait(30))

    function, graph, stream = Function(), xpu.Graph(), xpu.Stream()
    alive = weakref.ref(function)
    graph.add_host(function)
    made = graph.instantiate()
    made.launch(stream)

    del function, graph, made
    gc.collect()
    assert alive() is not None
    gate.set()
    stream.synchronize()
    gc.collect()

    assert alive() is None and seen == [True]


def test_a_picture_is_dot_and_svg(kernels, tmp_path):
    graph = xpu.Graph()
    first = graph.add_kernel(kernels["noop"], 1, 1)
    graph.add_kernel(kernels["noop"], 1, 1, after=first)

    assert graph.to_dot().startswith("digraph") and "noop" in graph.to_dot(verbose=True)
    graph.write_dot(str(tmp_path / "graph.dot"))
    assert (tmp_path / "graph.dot").read_text().count("->") == 1
    svg = graph._repr_svg_()
    if shutil.which("dot"):
        assert svg.startswith("<svg") and "noop" in svg
    with pytest.raises(xpu.XPUError):
        graph.write_dot(str(tmp_path / "nowhere" / "graph.dot"))


def test_without_graphviz_there_is_no_svg(kernels, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert xpu.Graph()._repr_svg_() is None
    with pytest.raises(xpu.NotSupported, match="Graphviz"):
        xpu.Graph().to_svg()


@pytest.mark.results("executes")
def test_memory_left_allocated_can_be_freed_with_the_next_launch(kernels):
    graph = xpu.Graph()
    node, memory = graph.add_mem_alloc(16, np.int32)
    graph.add_memset(memory, 3, after=node)

    made = launched(graph, auto_free_on_launch=True, auto_free_on_destroy=True)
    made.launch()

    np.testing.assert_array_equal(memory.get(), [3] * 16)


def test_nodes_have_numbers_and_the_picture_shows_them(kernels):
    graph = xpu.Graph()
    first, second = graph.add_empty(), graph.add_empty()
    graph.add_edge(first, second)
    assert (first.id, second.id) == (0, 1)
    assert f'"graph_{graph.id}_node_0" -> "graph_{graph.id}_node_1"' in graph.to_dot()


@pytest.mark.results("executes")
def test_kernels_have_attributes(kernels):
    b, graph = xpu.zeros(1, np.int32), xpu.Graph()
    node = graph.add_kernel(kernels["step"], 1, 1, b, 1, 7)
    assert (node.cooperative, node.priority) == (False, 0)
    node.cooperative, node.priority = True, -1
    node.replace(kernels["step"], 1, 1, b, 1, 8)
    assert (node.cooperative, node.priority) == (True, -1)
    launched(graph, use_node_priority=True)
    assert b.item() == 8
    with pytest.raises(xpu.InvalidValue):
        graph.add_empty().priority


@pytest.mark.results("executes")
def test_a_child_graph_can_move_into_its_node(kernels):
    b, graph, child = xpu.zeros(1, np.int32), xpu.Graph(), xpu.Graph()
    first = child.add_kernel(kernels["step"], 1, 1, b, 1, 3)
    graph.add_child(child, move=True)
    child.add_kernel(kernels["step"], 1, 1, b, 10, 4, after=first)
    seen = weakref.ref(b.memory)
    with pytest.raises(xpu.InvalidValue):
        child.instantiate()
    with pytest.raises(xpu.InvalidValue):
        xpu.Graph().add_child(child)

    made = launched(graph)

    assert b.item() == 34
    del b, child, graph, first
    gc.collect()
    assert seen() is not None  # the executable may be launched again
    made.launch()
    del made
    gc.collect()
    xpu.synchronize()
    assert seen() is None


def test_what_a_graph_is_told_to_keep_lives_as_long_as_it_and_its_copies():
    class Thing:
        pass
    thing, graph = Thing(), xpu.Graph()
    seen = weakref.ref(thing)
    graph.keep(thing)
    del thing
    copy = graph.clone()
    made = copy.instantiate()
    del graph, copy
    gc.collect()
    assert seen() is not None
    del made
    gc.collect()
    assert seen() is None
