# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torch.xpu on this backend: memory of captures, to the byte, and what happens to those who share it."""
import gc

import pytest
import torch
from conftest import captured

PAGE = 64 << 10  # what the device hands memory out in


def tidy():
    """Only what is held is counted after this."""
    gc.collect()
    torch.xpu.synchronize()
    torch.xpu.empty_cache()


def pages(size):
    return -(-size // PAGE) * PAGE


def statistics():
    return torch.xpu.memory_stats()


def allocated():
    return [statistics()[f"{what}.all.current"] for what in ("allocated_bytes", "active_bytes", "requested_bytes")]


def reserved():
    return statistics()["reserved_bytes.all.current"]


@pytest.mark.parametrize("elements", [1, 128, PAGE // 4, (1 << 20) // 4 + 1, 3 << 18])
def test_a_capture_is_counted_to_the_byte_and_its_result_outlives_all(elements):
    x = torch.ones(elements, device="xpu")
    tidy()
    before, reserved_before = allocated(), reserved()
    blocks = statistics()["allocation.all.current"]
    size = 4 * elements
    whole = -(-size // 512) * 512  # a pool counts in 512 bytes

    g, result = captured(lambda: (x + 1) * 2 * 3)
    # Two live at a time: what is read and what is written.
    assert reserved() - reserved_before == pages(2 * whole)
    assert allocated() == [bytes_before + size for bytes_before in before]
    assert statistics()["allocation.all.current"] == blocks + 1
    large = "large_pool" if size >= 1 << 20 else "small_pool"
    torch.xpu.reset_peak_memory_stats()
    assert statistics()[f"allocated_bytes.{large}.peak"] == statistics()[f"allocated_bytes.{large}.current"]

    g.replay()
    g.reset()
    tidy()
    assert allocated() == [bytes_before + size for bytes_before in before]
    assert torch.equal(result.cpu(), torch.full((elements,), 12.0))
    del g, result
    tidy()
    assert allocated() == before and reserved() == reserved_before


@pytest.mark.parametrize("share", [False, True], ids=["apart", "shared"])
def test_a_shared_pool_saves_what_the_second_graph_uses_again(share):
    x = torch.ones(PAGE, device="xpu")  # four pages
    tidy()
    before = reserved()
    first, y = captured(lambda: (x + 1) * 2)
    second, z = captured(lambda: (x + 2) * 2, pool=first.pool() if share else None)
    saved = 4 * PAGE if share else 0
    assert reserved() - before == 2 * 2 * 4 * PAGE - saved
    for g in (first, second):
        g.replay()
    assert y[5].item() == 4 and z[5].item() == 6


@pytest.mark.parametrize("share", [False, True], ids=["apart", "shared"])
def test_another_order_than_that_of_the_captures_spoils_what_is_shared(share):
    x, pool = torch.ones(1000, device="xpu"), torch.xpu.graph_pool_handle() if share else None
    g0, _ = captured(lambda: x + 1, pool=pool)
    g1 = captured(lambda: x * 3, pool=pool)[0]  # its result is dropped, and its place free
    g2, c = captured(lambda: x * 5, pool=pool)
    for g in (g0, g1, g2):
        g.replay()
    assert c.tolist() == [5] * 1000
    for g in (g0, g2, g1):
        g.replay()
    assert c.tolist() == [3 if share else 5] * 1000


@pytest.mark.parametrize("share", [False, True], ids=["apart", "shared"])
def test_replays_side_by_side_spoil_what_is_shared(share):
    x, much = torch.ones(1000, device="xpu"), torch.rand(1 << 20, device="xpu")
    streams = [torch.xpu.Stream() for _ in range(2)]

    def slow():
        kept = x + 1
        much.sort()  # on the host, and long enough for the other graph
        return kept + 0

    g0, slowly = captured(slow, stream=streams[0])
    g1 = captured(lambda: [x + 100 for _ in range(4)], pool=g0.pool() if share else None, stream=streams[0])[0]
    spoiled = 0
    for _ in range(10 if share else 3):
        torch.xpu.synchronize()
        for g, stream in zip((g0, g1), streams):
            with torch.xpu.stream(stream):
                g.replay()
        torch.xpu.synchronize()
        spoiled += slowly[0].item() != 2
        if spoiled:
            break
    assert bool(spoiled) == share


def test_a_pool_goes_back_to_a_root_for_each_of_its_branches():
    """What checkpoints of a pool are for elsewhere: a graph, and two that follow it in turns, in the same memory."""
    x, pool = torch.ones(PAGE, device="xpu"), torch.xpu.graph_pool_handle()
    tidy()
    before = reserved()
    root, y = captured(lambda: x + 1, pool=pool)
    first, z = captured(lambda: y * 10 + 1, pool=pool)
    place, size = z.data_ptr(), reserved() - before
    del z  # back to where the root ended
    second, z = captured(lambda: y * 100 + 1, pool=pool)
    # The second branch took the places of the first one's results.
    assert z.data_ptr() == place and reserved() - before == size == 3 * y.nbytes
    for value in (1, 2):
        x.fill_(value)
        for g, factor in ((first, 10), (second, 100)):
            root.replay()
            g.replay()
            assert y[7].item() == value + 1 and z[7].item() == (value + 1) * factor + 1


def test_memory_of_a_forked_stream_is_of_the_same_pool():
    side = torch.xpu.Stream()

    def body():
        a = torch.ones(PAGE // 4, device="xpu")
        side.wait_stream(torch.xpu.current_stream())
        with torch.xpu.stream(side):
            b = torch.ones(PAGE // 4, device="xpu")
        torch.xpu.current_stream().wait_stream(side)
        return a, b

    tidy()
    before = reserved()
    g, (a, b) = captured(body)
    assert reserved() - before == 2 * PAGE
    g.replay()
    assert a.tolist() == b.tolist() == [1] * (PAGE // 4)


def test_generators_take_no_device_memory():
    tidy()
    before = allocated()
    generators = [torch.Generator("xpu") for _ in range(3)]
    graphs = []
    for _ in range(3):
        x = torch.empty(128, device="xpu")
        g = captured(lambda: [x.uniform_(generator=generator) for generator in generators])[0]
        g.replay()
        graphs.append((g, x))
    assert allocated() == [bytes_before + 3 * 512 for bytes_before in before]
    del g, x, graphs
    tidy()
    assert allocated() == before


def test_a_stream_that_is_busy_before_and_recorded_in_the_capture():
    side, x = torch.xpu.Stream(), torch.ones(1000, device="xpu")
    torch.xpu.synchronize()
    with torch.xpu.stream(side):
        before = x + 1
        before.record_stream(torch.xpu.current_stream())
    del before  # its free waits for the side stream

    def body():
        y = x * 2
        side.wait_stream(torch.xpu.current_stream())
        with torch.xpu.stream(side):
            z = y + 1
        y.record_stream(side)
        del y
        more = x * 7
        torch.xpu.current_stream().wait_stream(side)
        return z, more

    g, (z, more) = captured(body)
    g.replay()
    assert z.tolist() == [3] * 1000 and more.tolist() == [7] * 1000


def test_pinned_blocks_that_live_are_two():
    def body():
        a, b = torch.ones(8).pin_memory(), torch.ones(8).pin_memory()
        return a.data_ptr() != b.data_ptr() and (a + b).tolist() == [2] * 8

    assert captured(lambda: (torch.zeros(1, device="xpu"), body()))[1][1]


@pytest.mark.parametrize("use", [False, True], ids=["idle", "used"])
def test_a_pinned_block_is_taken_again_unless_a_captured_copy_reads_it(use):
    x = torch.zeros(8, device="xpu")

    def body():
        host = torch.full((8,), 5.0).pin_memory()
        place = host.data_ptr()
        x.copy_(host, non_blocking=True) if use else x.add_(1)
        del host
        again = torch.full((8,), 9.0).pin_memory()
        return again.data_ptr() == place, again

    g, (same, again) = captured(body)
    assert same is not use
    g.replay()
    assert x.tolist() == [5 if use else 1] * 8 and again.tolist() == [9] * 8


@pytest.mark.parametrize("deleted", [False, True], ids=["alive", "deleted"])
@pytest.mark.parametrize("use_second", [False, True], ids=["", "second reads"])
@pytest.mark.parametrize("use_first", [False, True], ids=["", "first reads"])
@pytest.mark.parametrize("share", [False, True], ids=["apart", "shared"])
def test_pinned_blocks_of_two_graphs(share, use_first, use_second, deleted):
    x, y = torch.zeros(8, device="xpu"), torch.zeros(8, device="xpu")

    def body(target, value, use):
        host = torch.full((8,), value).pin_memory()
        target.copy_(host, non_blocking=True) if use else target.add_(value)
        return host

    first, a = captured(lambda: body(x, 5.0, use_first))
    place = a.data_ptr()
    if deleted:
        del a
    second, b = captured(lambda: body(y, 9.0, use_second), pool=first.pool() if share else None)
    assert (b.data_ptr() == place) == (share and deleted and not use_first)
    for g in (second, first):
        g.replay()
    assert x.tolist() == [5] * 8 and y.tolist() == [9] * 8


def test_pageable_copies_to_the_host_are_refused():
    x = torch.ones(4, device="xpu")
    with pytest.raises(RuntimeError, match="captur|pinned"):
        captured(lambda: torch.zeros(4).copy_(x, non_blocking=True))
