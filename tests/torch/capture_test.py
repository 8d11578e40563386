# SPDX-License-Identifier: Apache-2.0
"""Capture and replay through torch.xpuref and torch.accelerator, with every rule that can be broken."""
import subprocess
import sys

import pytest
import torch
from conftest import DEVICE, captured


def test_captured_work_runs_at_replay_only():
    x = torch.zeros(4, device=DEVICE)
    g, _ = captured(lambda: x.add_(1))
    assert x.tolist() == [0] * 4
    g.replay()
    g.replay()
    assert x.tolist() == [2] * 4


def test_replays_read_what_the_inputs_are_then():
    x = torch.zeros(3, device=DEVICE)
    g, y = captured(lambda: (x * 2).exp())
    for value in (0.0, 0.5, -1.0):
        x.fill_(value)
        g.replay()
        torch.testing.assert_close(y.cpu(), torch.full((3,), 2 * value).exp())


def test_a_stream_that_waits_for_a_captured_event_joins():
    x = torch.ones(8, device=DEVICE)
    side = torch.xpuref.Stream()

    def body():
        main = torch.xpuref.current_stream()
        side.wait_stream(main)
        with torch.xpuref.stream(side):
            assert torch.xpuref.is_current_stream_capturing()
            a = x * 3
        b = x * 5
        main.wait_stream(side)
        return a + b

    g, y = captured(body)
    x.fill_(2)
    g.replay()
    assert y.tolist() == [16] * 8


def test_an_unjoined_stream_fails_the_capture_and_nothing_else():
    side = torch.xpuref.Stream()
    x = torch.ones(8, device=DEVICE)
    g = torch.xpuref.XPUGraph()
    lost = []
    with pytest.raises(RuntimeError, match="xpuErrorStreamCaptureUnjoined|capture failed"):
        with torch.xpuref.graph(g):
            side.wait_stream(torch.xpuref.current_stream())
            with torch.xpuref.stream(side):
                lost.append(x * 2)
    with pytest.raises(RuntimeError, match="capture that failed"):
        lost[0].cpu()
    with torch.xpuref.graph(g):
        y = x * 4
    g.replay()
    assert y.tolist() == [4] * 8


def test_keep_graph_instantiates_late_and_again():
    x = torch.zeros(1, device=DEVICE)
    g = torch.xpuref.XPUGraph(keep_graph=True)
    with pytest.raises(RuntimeError, match="capture_end"):
        g.instantiate()
    with torch.xpuref.graph(g):
        x += 1
    assert g.raw_xpu_graph() != 0
    with pytest.raises(RuntimeError, match="instantiate"):
        g.raw_xpu_graph_exec()
    for _ in range(2):
        g.instantiate()
        g.replay()
    g.replay()
    assert x.item() == 3 and g.raw_xpu_graph_exec() != 0


def test_states_that_do_not_allow_a_call_say_so():
    g = torch.xpuref.XPUGraph()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        g.replay()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        g.pool()
    with pytest.raises(RuntimeError, match="without capture_begin"):
        g.capture_end()
    with pytest.raises(RuntimeError, match="default stream"):
        g.capture_begin()
    g.reset()
    g.reset()
    x = torch.zeros(1, device=DEVICE)
    with torch.xpuref.graph(g):
        x += 1
    with pytest.raises(RuntimeError, match="already owns"):
        with torch.xpuref.graph(g):
            pass
    with pytest.raises(RuntimeError, match="only when keep_graph"):
        g.instantiate()
    with pytest.raises(RuntimeError, match="keep_graph"):
        g.raw_xpu_graph()
    with pytest.raises(RuntimeError, match="no memory pool"):
        with torch.xpuref.graph(torch.xpuref.XPUGraph(), pool=(0, 1 << 40)):
            pass
    assert torch.xpuref.current_stream() == torch.xpuref.default_stream()


def test_a_graph_can_capture_anew_after_reset():
    x = torch.zeros(1, device=DEVICE)
    g, _ = captured(lambda: x.add_(1))
    g.replay()
    g.reset()
    with torch.xpuref.graph(g):
        x += 10
    g.replay()
    assert x.item() == 11


def test_an_empty_capture_warns():
    with pytest.warns(UserWarning, match="graph is empty"):
        captured(lambda: None)


@pytest.mark.parametrize("body", [
    lambda x: x.sum().item(),
    lambda x: x.cpu(),
    lambda x: bool(x[0] > 0),
    lambda x: x.nonzero(),
    lambda x: x[x > 0],
    lambda x: torch.unique(x),
    lambda x: torch.xpuref.synchronize(),
    lambda x: torch.xpuref.current_stream().synchronize(),
    lambda x: x.copy_(torch.ones(4)),
    lambda x: torch.ones(4).copy_(x),
    lambda x: torch.tensor([1.0], device=DEVICE),
], ids=["item", "cpu", "bool", "nonzero", "mask", "unique", "synchronize", "stream", "upload", "download", "tensor"])
def test_what_needs_the_host_is_refused_and_the_process_goes_on(body):
    x = torch.ones(4, device=DEVICE)
    g = torch.xpuref.XPUGraph()
    with pytest.raises(RuntimeError, match="captur"):
        with torch.xpuref.graph(g):
            x * 2
            body(x)
    assert torch.xpuref.current_stream() == torch.xpuref.default_stream()
    with torch.xpuref.graph(g):
        y = x * 2
    g.replay()
    assert y.tolist() == [2] * 4


def test_a_refused_call_leaves_the_capture_going():
    x = torch.ones(4, device=DEVICE)
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        y = x + 1
        with pytest.raises(RuntimeError, match="value of a tensor"):
            x[0].item()
        z = y * 2
    g.replay()
    assert z.tolist() == [4] * 4


def test_the_first_failure_is_seen_and_the_graph_is_empty():
    g = torch.xpuref.XPUGraph()
    x = torch.zeros(1, device=DEVICE)
    with pytest.raises(KeyError, match="mine"):
        with torch.xpuref.graph(g):
            x += 1
            raise KeyError("mine")
    with pytest.raises(RuntimeError, match="without a preceding"):
        g.replay()


def test_a_captured_stream_cannot_wait_for_unfinished_outside_work():
    other = torch.xpuref.Stream()
    g = torch.xpuref.XPUGraph()
    x = torch.zeros(1 << 22, device=DEVICE)
    with torch.xpuref.graph(g):
        y = torch.ones(1, device=DEVICE) * 2
        with torch.xpuref.stream(other):
            for _ in range(20):
                x.sin_()
            event = other.record_event()
        with pytest.raises(RuntimeError, match="outside of the capture"):
            torch.xpuref.current_stream().wait_event(event)
        event.synchronize()
        torch.xpuref.current_stream().wait_event(event)
    g.replay()
    assert y.item() == 2


def test_pinned_memory_is_read_at_each_replay():
    host = torch.zeros(4).pin_memory()
    back = torch.zeros(4).pin_memory()
    assert host.is_pinned()

    def body():
        x = torch.empty(4, device=DEVICE)
        x.copy_(host, non_blocking=True)
        back.copy_(x * 2, non_blocking=True)

    g, _ = captured(body)
    for value in (1.0, 3.0):
        host.fill_(value)
        g.replay()
        torch.xpuref.synchronize()
        assert back.tolist() == [2 * value] * 4


def test_a_replay_can_be_captured():
    x = torch.zeros(1, device=DEVICE)
    inner, _ = captured(lambda: x.add_(1))
    outer, _ = captured(lambda: (inner.replay(), inner.replay(), x.mul_(10)))
    del inner
    outer.replay()
    assert x.item() == 20


def test_debug_dump_writes_a_picture(tmp_path):
    g = torch.xpuref.XPUGraph()
    g.enable_debug_mode()
    x = torch.zeros(1, device=DEVICE)
    with torch.xpuref.graph(g):
        x += 1
    with pytest.raises(RuntimeError, match="does not end in .dot"):
        g.debug_dump(str(tmp_path / "graph.txt"))
    g.debug_dump(str(tmp_path / "graph.dot"))
    assert (tmp_path / "graph.dot").read_text().startswith("digraph")
    plain, _ = captured(lambda: x.add_(1))
    with pytest.warns(UserWarning, match="no graph to dump"):
        plain.debug_dump(str(tmp_path / "none.dot"))


def test_the_accelerator_interface_captures_the_current_stream():
    x = torch.zeros(3, device=DEVICE)
    stream = torch.Stream(device=DEVICE)
    g = torch.accelerator.Graph()
    with stream, g:
        x += 1
    g.replay()
    again = torch.accelerator.Graph(pool=g.pool(), keep_graph=True)
    with stream, again:
        x *= 3
    again.replay()
    assert x.tolist() == [3] * 3
    g.reset()


def test_a_failure_at_run_time_is_told_by_the_next_wait():
    weight = torch.ones(3, 2, device=DEVICE)
    wrong = torch.tensor([7], device=DEVICE)
    x = torch.zeros(1, 3, device=DEVICE)
    for fails, message in ((lambda: torch.nn.functional.embedding(wrong, weight), "failed while it ran.*index is out of range"),
                           (lambda: torch.nn.functional.nll_loss(x, wrong), "failed while it ran.*index is out of range"),
                           (lambda: weight.gather(0, wrong.unsqueeze(1)), "failed while it ran: aten::gather")):
        fails()
        with pytest.raises(RuntimeError, match=message):
            torch.xpuref.synchronize()
        torch.xpuref.synchronize()


def test_a_program_may_end_with_graphs_and_work_under_way():
    program = """
import torch, xpugraph_torch
x = torch.zeros(1 << 20, device="xpuref")
g = torch.xpuref.XPUGraph()
with torch.xpuref.graph(g):
    for _ in range(50): x.sin_()
for _ in range(10): g.replay()
h = torch.xpuref.XPUGraph()
torch.xpuref.set_stream(torch.xpuref.Stream())
h.capture_begin()
y = x + 1
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr


def test_work_before_and_behind_copies_keeps_its_order():
    x = torch.ones(64, device=DEVICE)
    y = torch.zeros(64, device=DEVICE)

    def body():
        x.mul_(2)
        x.add_(1)
        y.copy_(x)
        x.mul_(10)
        y.add_(x)

    g, _ = captured(body)
    g.replay()
    assert x[0].item() == 30 and y[0].item() == 33


def test_work_of_two_branches_is_joined_in_order():
    x = torch.ones(64, device=DEVICE)
    side = torch.xpuref.Stream()

    def body():
        main = torch.xpuref.current_stream()
        x.mul_(2)
        side.wait_stream(main)
        a = x + 1
        with torch.xpuref.stream(side):
            b = x * 5
            b.add_(1)
        a.mul_(3)
        main.wait_stream(side)
        return a * b

    g, y = captured(body)
    for value in (1.0, 4.0):
        x.fill_(value)
        g.replay()
        assert y[0].item() == (2 * value + 1) * 3 * (10 * value + 1)
