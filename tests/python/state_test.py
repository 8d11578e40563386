# SPDX-License-Identifier: Apache-2.0
"""XPUGraph: what every method does in every state, with PyTorch's words where it has some."""
import warnings

import numpy as np
import pytest

import xpugraph as xpu

STATES = ["empty", "capturing", "ended", "ended_debug", "kept", "kept_instantiated", "reset"]
GRAPH_METHODS = ["capture_begin", "capture_end", "instantiate", "replay", "reset", "pool",
                 "debug_dump", "raw_xpu_graph", "raw_xpu_graph_exec", "enable_debug_mode"]

OWNS = "already owns a captured graph. To capture a new graph, create a new instance"
NO_END = "capture_end.. must have been called before calling instantiate"
ONLY_KEPT = "instantiate.. is intended to be called by the user only when keep_graph=true"
NO_REPLAY = "Called XPUGraph::replay without a preceding successful capture."
NO_POOL = "Called XPUGraph::pool.. without a preceding successful capture."
NO_RAW = "cannot access the raw xpuGraph_t instance unless XPUGraph was initialized with keep_graph"
NO_RAW_YET = "cannot access the raw xpuGraph_t instance until capture_end.. has been called"
NO_EXEC = "cannot access the raw xpuGraphExec_t instance until instantiate.. has been called"
NOT_ENABLED = "XPU Graphs debug not enabled, set with .graph..enable_debug_mode.."

# None: it works. A text: IllegalState with it. ("warns", text): a warning with it.
EXPECTED = {
    "capture_begin": {"empty": None, "reset": None, "capturing": "is being captured already",
                      "ended": OWNS, "ended_debug": OWNS, "kept": OWNS,
                      "kept_instantiated": OWNS},
    "capture_end": {"capturing": None, **dict.fromkeys(
        ["empty", "ended", "ended_debug", "kept", "kept_instantiated", "reset"],
        "without a preceding capture_begin")},
    "instantiate": {"empty": NO_END, "capturing": NO_END, "reset": NO_END, "ended": ONLY_KEPT,
                    "ended_debug": ONLY_KEPT, "kept": None, "kept_instantiated": None},
    "replay": {"empty": NO_REPLAY, "capturing": NO_REPLAY, "reset": NO_REPLAY, "ended": None,
               "ended_debug": None, "kept": None, "kept_instantiated": None},
    "reset": dict.fromkeys(STATES),
    "pool": {"empty": NO_POOL, "capturing": NO_POOL, "reset": NO_POOL, "ended": None,
             "ended_debug": None, "kept": None, "kept_instantiated": None},
    "debug_dump": {"empty": ("warns", NOT_ENABLED), "capturing": ("warns", NOT_ENABLED),
                   "reset": ("warns", NOT_ENABLED), "ended": ("warns", NOT_ENABLED),
                   "ended_debug": ("warns", "DEBUG: calling debug_dump"),
                   "kept": ("warns", "DEBUG: calling debug_dump"),
                   "kept_instantiated": ("warns", "DEBUG: calling debug_dump")},
    "raw_xpu_graph": {"empty": NO_RAW, "capturing": NO_RAW, "reset": NO_RAW, "ended": NO_RAW,
                      "ended_debug": NO_RAW, "kept": None, "kept_instantiated": None},
    "raw_xpu_graph_exec": {"empty": NO_EXEC, "capturing": NO_EXEC, "reset": NO_EXEC, "ended": None,
                           "ended_debug": None, "kept": NO_EXEC, "kept_instantiated": None},
    "enable_debug_mode": dict.fromkeys(STATES),
}


@pytest.fixture
def work(kernels):
    """A step that is not its own inverse, and what it works on."""
    buffer = xpu.zeros(1, np.int32)
    xpu.synchronize()
    return lambda: kernels["step"][1, 1](buffer, 1, 1), buffer


def in_state(state, step):
    g = xpu.XPUGraph(keep_graph=state.startswith("kept"))
    if state == "ended_debug":
        g.enable_debug_mode()
    if state != "empty":
        g.capture_begin()
        step()
    if state not in ("empty", "capturing"):
        g.capture_end()
    if state == "kept_instantiated":
        g.instantiate()
    if state == "reset":
        g.reset()
    return g


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("method", GRAPH_METHODS)
@pytest.mark.results("executes")
def test_a_method_in_a_state(method, state, work, tmp_path):
    step, buffer = work
    expected = EXPECTED[method][state]
    with xpu.stream(xpu.Stream()):
        g = in_state(state, step)
        call = getattr(g, method)
        arguments = (tmp_path / "g.dot",) if method == "debug_dump" else ()

        if expected is None:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                call(*arguments)
        elif isinstance(expected, tuple):
            with pytest.warns(UserWarning, match=expected[1]):
                call(*arguments)
        else:
            with pytest.raises(xpu.IllegalState, match=expected) as caught:
                call(*arguments)
            assert isinstance(caught.value, RuntimeError)
        if expected is not None and state == "capturing":
            g.capture_end()  # the refusal did not spoil the capture
            g.replay()
            assert buffer.item() == 1
        if method == "capture_begin" and expected is None:
            step()
            g.capture_end()
            g.replay()
            assert buffer.item() == 1
        g.reset()


def test_a_kept_graph_needs_capture_end_for_its_raw_handle():
    with pytest.raises(xpu.IllegalState, match=NO_RAW_YET):
        xpu.XPUGraph(keep_graph=True).raw_xpu_graph()


def test_capture_end_without_begin_says_so_on_a_captured_stream(work):
    with xpu.stream(xpu.Stream()):
        a, b = xpu.XPUGraph(), xpu.XPUGraph()
        a.capture_begin()
        with pytest.raises(xpu.IllegalState):
            b.capture_end()
        work[0]()
        a.capture_end()


@pytest.mark.results("executes")
def test_a_capture_ends_on_the_stream_it_began_on(work):
    step, buffer = work
    g = xpu.XPUGraph()
    with xpu.stream(xpu.Stream()):
        g.capture_begin()
        step()
        with xpu.stream(xpu.Stream()):
            with pytest.raises(xpu.CaptureError,
                               match="Capture must end on the same stream it began on."):
                g.capture_end()
        g.capture_end()
        g.replay()

        assert buffer.item() == 1


def test_the_default_stream_is_not_captured():
    g = xpu.XPUGraph()
    with pytest.raises(xpu.CaptureError, match="must be captured on a non-default stream"):
        g.capture_begin()
    with pytest.raises(xpu.CaptureError, match="non-default"), \
            xpu.graph(g, stream=xpu.default_stream()):
        pass


@pytest.mark.parametrize("wrong, kind", [
    ((1, 2, 3), TypeError), ("pool", TypeError), (7, TypeError), ((123456, 654321), xpu.InvalidValue),
], ids=range(4))
def test_a_pool_is_a_token(wrong, kind):
    with xpu.stream(xpu.Stream()), pytest.raises(kind):
        xpu.XPUGraph().capture_begin(pool=wrong)


def test_an_unknown_mode_lists_the_known():
    with xpu.stream(xpu.Stream()), pytest.raises(ValueError, match="thread_local"):
        xpu.XPUGraph().capture_begin(capture_error_mode="lax")


def test_an_empty_capture_warns():
    g = xpu.XPUGraph()
    with pytest.warns(UserWarning, match="The XPU Graph is empty. This usually means"), \
            xpu.graph(g):
        pass
    g.replay()
    xpu.synchronize()


def test_an_empty_capture_whose_warning_is_an_error_leaves_nothing():
    g = xpu.XPUGraph()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning), xpu.graph(g):
            pass
    with pytest.raises(xpu.IllegalState):
        g.replay()


def test_a_dump_is_a_dot_file_as_often_as_wanted(work, tmp_path):
    g = xpu.XPUGraph()
    g.enable_debug_mode()
    with pytest.raises(ValueError, match=".dot"):
        g.debug_dump(tmp_path / "g.txt")
    with pytest.warns(UserWarning), pytest.raises(xpu.IllegalState, match="no graph to dump"):
        g.debug_dump(tmp_path / "g.dot")
    with xpu.graph(g):
        work[0]()

    for name in ("a.dot", "b.dot"):
        with pytest.warns(UserWarning, match="DEBUG"):
            g.debug_dump(tmp_path / name)

        assert (tmp_path / name).read_text().startswith("digraph")
        assert "step" in (tmp_path / name).read_text()


def test_debug_mode_is_of_one_object(work, tmp_path):
    xpu.XPUGraph().enable_debug_mode()
    g = xpu.XPUGraph()
    with xpu.graph(g):
        work[0]()

    with pytest.warns(UserWarning, match=NOT_ENABLED):
        g.debug_dump(tmp_path / "g.dot")
    assert not (tmp_path / "g.dot").exists()


@pytest.mark.results("executes")
def test_the_raw_handles_work_in_every_c_call(work):
    import ctypes
    step, buffer = work
    g = xpu.XPUGraph(keep_graph=True)
    with xpu.graph(g):
        step()
        step()
    count = ctypes.c_size_t()

    xpu.call.xpuGraphGetNodes(g.raw_xpu_graph(), None, ctypes.byref(count))
    g.instantiate()
    xpu.call.xpuGraphLaunch(g.raw_xpu_graph_exec(), xpu.current_stream().handle)

    assert count.value == 2 and buffer.item() == 2


@pytest.mark.results("executes")
def test_making_the_executable_again_keeps_the_captured_work(work):
    step, buffer = work
    g = xpu.XPUGraph(keep_graph=True)
    for round_, values in enumerate([(1, 2, 3), (2, 4, 6)]):
        buffer.zero_()
        with xpu.graph(g):
            for _ in range(round_ + 1):
                step()

        g.instantiate()
        g.replay()
        assert buffer.item() == values[0]
        g.instantiate()
        g.replay()
        assert buffer.item() == values[1]
        g.replay()
        assert buffer.item() == values[2]
        g.reset()


@pytest.mark.results("executes")
def test_a_failed_instantiation_leaves_the_old_executable(work, monkeypatch):
    step, buffer = work
    g = xpu.XPUGraph(keep_graph=True)
    with xpu.graph(g):
        step()
    g.instantiate()
    before = g.raw_xpu_graph_exec()

    def refuse(*_):
        raise xpu.OutOfMemory(2, "no room")

    monkeypatch.setattr(xpu.call, "xpuGraphInstantiate", refuse)
    with pytest.raises(xpu.OutOfMemory):
        g.instantiate()
    monkeypatch.undo()

    assert g.raw_xpu_graph_exec() == before
    g.replay()
    assert buffer.item() == 1


def test_an_object_tells_its_state(work):
    g = xpu.XPUGraph(keep_graph=True)
    assert "empty" in repr(g) and g._repr_svg_() is None
    with pytest.raises(xpu.IllegalState):
        g.to_dot()
    with xpu.graph(g):
        work[0]()
        assert "being captured" in repr(g)
    assert "captured" in repr(g) and "step" in g.to_dot()
    g.replay()
    assert "ready" in repr(g)
    xpu.synchronize()
