# SPDX-License-Identifier: Apache-2.0
"""Profiles as tables and as trace files, of graphs by hand and of captured ones."""
import json
import time

import numpy as np
import pytest

import xpugraph as xpu


@pytest.fixture
def made(kernels):
    """An executable of fill -> (step -> step) -> host, and what its last kernel writes."""
    out, inner, graph = xpu.zeros(1, np.int32), xpu.Graph(), xpu.Graph()
    xpu.synchronize()
    first = inner.add_kernel(kernels["step"], 1, 1, out, 10, 1)
    inner.add_kernel(kernels["step"], 1, 1, out, 10, 2, after=first)
    child = graph.add_child(inner, after=graph.add_memset(out, 3))
    graph.add_host(lambda: time.sleep(0.02), after=graph.add_empty(after=child))
    return graph.instantiate(), out


@pytest.mark.results("executes", "timestamps")
def test_a_profile_has_a_row_for_each_node_and_runs_the_graph_once(made):
    executable, out = made

    profile = executable.profile()

    assert out.item() == 312
    assert [(n.path, n.name, n.timed) for n in profile] == [
        ((0,), "memset", True), ((1,), "child graph", True), ((1, 0), "step", True),
        ((1, 1), "step", True), ((2,), "empty", False), ((3,), "host", True)]
    assert [n.type for n in profile[:2]] == [xpu.NodeType.xpuGraphNodeTypeMemset,
                                             xpu.NodeType.xpuGraphNodeTypeGraph]
    fill, child, first, second, _, host = profile
    assert fill.start_ns + fill.duration_ns <= first.start_ns == child.start_ns
    assert first.start_ns + first.duration_ns <= second.start_ns
    assert host.duration_ns >= 20e6 and profile.end_ns == host.start_ns + host.duration_ns
    assert child.lane is None and first.lane == 0


def test_a_profile_is_a_table(made):
    profile = made[0].profile()

    text, page = str(profile).splitlines(), profile._repr_html_()

    assert text[0].split() == ["node", "name", "type", "lane", "start", "us", "us"]
    assert [line.split()[0] for line in text[1:]] == ["0", "1", "1/0", "1/1", "2", "3"]
    assert text[4].split()[1:4] == ["step", "Kernel", "0"] and text[5].endswith("-")
    assert page.count("<tr>") == 7 and page.count("<td>step</td>") == 2
    assert profile.to_dicts()[3] == profile[3]._asdict() and len(profile.to_dicts()) == 6
    assert repr(profile).startswith("<xpugraph.Profile of 6 nodes, ")
    assert isinstance(profile[1:], xpu.Profile) and profile[-1].name == "host"


def test_a_name_of_a_kernel_is_no_markup():
    row = xpu.NodeProfile((0,), "less<int>", xpu.NodeType.xpuGraphNodeTypeKernel, 0, 0, 5, True)

    assert "less&lt;int&gt;" in xpu.Profile([row])._repr_html_()


@pytest.mark.results("executes")
def test_a_captured_graph_is_profiled_with_a_trace(kernels, tmp_path):
    out, g = xpu.zeros(1, np.int32), xpu.XPUGraph()
    with pytest.raises(xpu.IllegalState, match="profile"):
        g.profile()
    with xpu.graph(g):
        for i in range(3):
            kernels["step"][1, 1](out, 2, 1)

    profile = g.profile(trace=tmp_path / "run.json")
    g.replay()

    assert out.item() == 63
    events = json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    drawn = [e for e in events if e["ph"] == "X"]
    assert [e["name"] for e in drawn] == [n.name for n in profile] == ["step"] * 3
    assert [e["dur"] for e in drawn] == [n.duration_ns / 1000 for n in profile]


@pytest.mark.results("executes")
def test_a_profile_in_a_capture_is_refused_and_the_capture_goes_on(made, kernels):
    executable, out = made
    stream, g = xpu.Stream(), xpu.XPUGraph()
    with xpu.graph(g, stream=stream):
        kernels["step"][1, 1](out, 2, 1)
        with pytest.raises(xpu.CaptureError, match="profile"):
            executable.profile(stream)

    g.replay()
    assert out.item() == 1


@pytest.mark.results("executes")
def test_a_path_that_cannot_be_written_is_told_before_anything_runs(made, tmp_path):
    executable, out = made
    with pytest.raises(xpu.XPUError) as caught:
        executable.profile(trace=tmp_path / "no" / "folder.json")

    assert caught.value.argument == "tracePath" and out.item() == 0


def test_an_empty_graph_has_an_empty_profile():
    profile = xpu.Graph().instantiate().profile()

    assert len(profile) == 0 and profile.end_ns == 0 and len(str(profile).splitlines()) == 1
