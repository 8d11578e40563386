# SPDX-License-Identifier: Apache-2.0
"""External events: nodes of graphs, recorded or waited for at each replay."""
import pytest
import torch
from conftest import DEVICE, captured


def external(timing=False):
    return torch.xpuref.Event(enable_timing=timing, external=True)


def test_time_is_measured_inside_of_a_graph():
    x = torch.rand(100_000, device=DEVICE)
    begin, end = external(True), external(True)

    def body():
        begin.record()
        for _ in range(20):
            x.exp_().sqrt_().neg_()
        end.record()

    g, _ = captured(body)
    # Nothing has been recorded yet.
    assert begin.query() and end.query()
    with pytest.raises(RuntimeError, match="never recorded"):
        begin.elapsed_time(end)
    took = []
    for _ in range(2):
        g.replay()
        end.synchronize()
        took.append(begin.elapsed_time(end))
    assert min(took) > 0 and end.elapsed_time(begin) < 0


def test_two_graphs_are_ordered_by_an_event_between_them():
    x, y, much = (torch.zeros(8, device=DEVICE), torch.zeros(8, device=DEVICE), torch.rand(1 << 20, device=DEVICE))
    reached, streams = external(), [torch.xpuref.Stream() for _ in range(2)]

    def first():
        much.sort()  # on the host, and long
        x.add_(1)
        reached.record()

    def second():
        reached.wait()
        y.copy_(x)

    graphs = [captured(body, stream=stream)[0] for body, stream in zip((first, second), streams)]
    for count in (1, 2):
        for g, stream in zip(graphs, streams):
            with torch.xpuref.stream(stream):
                g.replay()
        streams[1].synchronize()
        assert y.tolist() == [count] * 8
        torch.xpuref.synchronize()


def test_work_outside_waits_for_what_a_graph_records_and_the_other_way_round():
    x, much = torch.zeros(8, device=DEVICE), torch.rand(1 << 20, device=DEVICE)
    inside, outside, side = external(), external(), torch.xpuref.Stream()

    def body():
        outside.wait()
        x.mul_(10)
        inside.record()

    g, _ = captured(body, stream=side)
    much.sort()
    x.add_(1)
    outside.record()
    with torch.xpuref.stream(side):
        g.replay()
    inside.wait()
    x.add_(2)
    torch.xpuref.synchronize()
    assert x.tolist() == [12] * 8
    assert inside.query() and outside.query()


def test_an_event_may_go_before_its_graph():
    x = torch.zeros(8, device=DEVICE)

    def body():
        event = external(True)
        event.record()
        x.add_(1)
        event.wait()

    g, _ = captured(body)
    for _ in range(3):
        g.replay()
    assert x.tolist() == [3] * 8


def test_mistakes_with_external_events_are_named():
    event = external()
    with pytest.raises(TypeError, match="to another one, not to a Event"):
        event.elapsed_time(torch.xpuref.Event(enable_timing=True))
    event.record()
    event.synchronize()
    with pytest.raises(RuntimeError, match="(?i)timing"):
        event.elapsed_time(event)
    assert not isinstance(torch.xpuref.Event(), type(event))
