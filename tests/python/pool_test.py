# SPDX-License-Identifier: Apache-2.0
"""Memory of captures: in which order it is used again, what graphs share, how long it lives."""
import gc

import numpy as np
import pytest

import xpugraph as xpu
from work import KIB, add, values


@pytest.mark.results("executes")
def test_memory_of_a_capture_is_used_again_in_its_order(kernels):
    a, g = values(256 * KIB, 1), xpu.XPUGraph()
    with xpu.graph(g):
        seen = set()
        for _ in range(5):
            temporary = xpu.empty(256 * KIB, np.int32)
            seen.add(temporary.pointer)
            add(kernels, temporary, a, a)
            add(kernels, a, temporary, temporary)
            del temporary

    assert len(seen) == 1 and g.pool().usage.peak == 1024 * KIB
    g.replay()
    assert a.get().sum() == 4 ** 5 * 256 * KIB


@pytest.mark.results("executes")
def test_a_result_outlives_its_graph(kernels):
    x, g = values(1000, 3), xpu.XPUGraph()
    with xpu.graph(g):
        y = xpu.empty(1000, np.int32)
        add(kernels, y, x, x)
    g.replay()
    ids = g.pool().ids
    g.reset()
    del g
    gc.collect()
    xpu.empty_cache()

    np.testing.assert_array_equal(y.get(), [6] * 1000)
    assert xpu.PoolHandle(ids).usage.live == 4096
    assert xpu.memory_stats()["graph_pools_allocated"] == 4096
    del y
    gc.collect()
    xpu.synchronize()
    with pytest.raises(xpu.InvalidValue):
        xpu.PoolHandle(ids)
    assert xpu.memory_stats()["graph_pools_allocated"] == 0


@pytest.mark.parametrize("nbytes", [512, 1024, 1 << 20, 3 << 20, 20 << 20])
def test_the_bytes_of_a_pool_are_told(kernels, nbytes):
    before = xpu.memory_stats()
    g = xpu.XPUGraph()
    with xpu.graph(g):
        kept = xpu.zeros(nbytes, np.uint8)
        temporary = xpu.zeros(nbytes, np.uint8)
        del temporary

    usage = g.pool().usage
    assert (usage.live, usage.peak) == (nbytes, 2 * nbytes) and usage.reserved >= usage.peak
    after = xpu.memory_stats()
    assert after["graph_pools_allocated"] - before["graph_pools_allocated"] == nbytes
    assert after["allocated"] == before["allocated"]
    del g, kept
    gc.collect()
    xpu.synchronize()
    assert xpu.memory_stats()["graph_pools_reserved"] == before["graph_pools_reserved"]


@pytest.mark.parametrize("how", ["none", "handle", "pool_of_first"])
@pytest.mark.results("executes")
def test_two_graphs_one_after_the_other(kernels, how):
    n = 256 * KIB
    g0, g1 = xpu.XPUGraph(), xpu.XPUGraph()
    a = values(n, 1)
    pool = xpu.graph_pool_handle() if how == "handle" else None
    with xpu.graph(g0, pool=pool):
        b = xpu.empty(n, np.int32)
        for _ in range(5):
            c = xpu.empty(n, np.int32)
            add(kernels, c, a, a)
            kernels["axpb"][n // 64, 64](c, n, 3, 0)
            add(kernels, b, c, a)
            del c
    if how == "pool_of_first":
        pool = g0.pool()
    with xpu.graph(g1, pool=pool):
        d = xpu.empty(n, np.int32)
        for _ in range(5):
            c = xpu.empty(n, np.int32)
            add(kernels, c, b, a)
            add(kernels, d, c, c)
            del c

    g0.replay()
    g1.replay()

    # c of the second graph lies where c of the first did, if the pool is one.
    peaks = {g.pool().ids: g.pool().usage.peak for g in (g0, g1)}
    assert sum(peaks.values()) == (4 if how == "none" else 3) * 4 * n
    np.testing.assert_array_equal(b.get(), np.full(n, 7))
    np.testing.assert_array_equal(d.get(), np.full(n, 16))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.results("executes")
def test_three_graphs_one_after_the_other(kernels, shared):
    n = 256 * KIB
    pool = xpu.graph_pool_handle() if shared else None
    a, graphs = values(n, 1), [xpu.XPUGraph() for _ in range(3)]
    source = a
    for g, addend in zip(graphs, (1, 10, 100)):
        with xpu.graph(g, pool=pool):
            out = xpu.empty(n, np.int32)
            add(kernels, out, source, source)
            kernels["axpb"][n // 64, 64](out, n, 1, addend)
        source = out

    for g in graphs:
        g.replay()

    assert source.get()[0] == ((2 + 1) * 2 + 10) * 2 + 100


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.results("executes")
def test_another_order_corrupts_what_shares_memory(kernels, shared):
    n = 64 * KIB
    pool = xpu.graph_pool_handle() if shared else None
    g0, g1, a = xpu.XPUGraph(), xpu.XPUGraph(), values(n, 5)
    with xpu.graph(g0, pool=pool):
        temporary = xpu.empty(n, np.int32)
        add(kernels, temporary, a, a)
        place = temporary.pointer
        del temporary
    with xpu.graph(g1, pool=pool):
        y = xpu.empty(n, np.int32)
        kernels["fill_range"][n // 64, 64](y, n, 77)
    assert (y.pointer == place) is shared

    g0.replay()
    g1.replay()
    assert y.get()[0] == 77

    g0.replay()
    assert y.get()[0] == (10 if shared else 77)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.results("executes")
def test_what_a_graph_reads_is_not_given_to_a_later_one(kernels, shared):
    """PyTorch frees x with its last name, so that there g1 reads what g2 wrote."""
    n = 64 * KIB
    pool = xpu.graph_pool_handle() if shared else None
    g0, g1, g2 = (xpu.XPUGraph() for _ in range(3))
    a, out = values(n, 5), values(n, 0)
    with xpu.graph(g0, pool=pool):
        x = xpu.empty(n, np.int32)
        add(kernels, x, a, a)
    with xpu.graph(g1, pool=pool):
        add(kernels, out, x, a)
    del x
    gc.collect()
    with xpu.graph(g2, pool=pool):
        y = xpu.empty(n, np.int32)
        kernels["fill_range"][n // 64, 64](y, n, 99)

    for g in (g0, g2, g1):
        g.replay()

    assert out.get()[0] == 15 and y.get()[0] == 99


def test_a_pool_serves_one_capture_at_a_time(kernels):
    pool, b = xpu.graph_pool_handle(), values(1, 0)
    with xpu.graph(xpu.XPUGraph(), pool=pool):
        kernels["store"][1, 1](b, 0, 1)
        with xpu.stream(xpu.Stream()), pytest.raises(xpu.IllegalState, match="pool"):
            xpu.XPUGraph().capture_begin(pool=pool)
    with xpu.graph(xpu.XPUGraph(), pool=pool.ids):
        kernels["store"][1, 1](b, 0, 1)


def test_pools_have_numbers_that_are_never_used_again():
    first, second = xpu.graph_pool_handle(), xpu.graph_pool_handle()
    ids = first.ids
    del first
    gc.collect()
    third = xpu.graph_pool_handle()

    assert ids < second.ids < third.ids and (0, 0) not in (ids, second.ids, third.ids)
    with xpu.stream(xpu.Stream()), pytest.raises(xpu.InvalidValue):
        xpu.XPUGraph().capture_begin(pool=ids)


def test_a_pool_handle_holds_its_pool(kernels):
    pool, g, b = xpu.graph_pool_handle(), xpu.XPUGraph(), values(1, 0)
    with xpu.graph(g, pool=pool):
        kernels["store"][1, 1](b, 0, 1)
    assert g.pool() == pool and hash(g.pool()) == hash(pool) and g.pool() == pool.ids
    del g
    gc.collect()

    for token in (pool, pool.ids, pool.ids):  # PyTorch's handle would be dead here
        with xpu.graph(xpu.XPUGraph(), pool=token):
            kernels["store"][1, 1](b, 0, 1)
        gc.collect()
    assert pool.usage.live == 0


@pytest.mark.results("executes")
def test_memory_that_two_captured_streams_used_is_not_given_out_again(kernels):
    g, side, result = xpu.XPUGraph(), xpu.Stream(), values(256, 0)
    with xpu.graph(g):
        main = xpu.current_stream()
        shared = xpu.empty(256, np.int32)
        kernels["fill_range"][4, 64](shared, 256, 7)
        side.wait_stream(main)
        kernels["slow_step"][1, 1](shared, 1, 0, 500_000, stream=side)
        kernels["copy_one"][1, 1](result, 0, shared, 0, stream=side)
        place = shared.pointer
        del shared
        other = xpu.empty(256, np.int32)
        kernels["fill_range"][4, 64](other, 256, 99)
        main.wait_stream(side)

    assert other.pointer != place
    g.replay()
    assert result[0].item() == 7


@pytest.mark.results("executes")
def test_a_forked_stream_is_captured_and_allocates_from_the_same_pool(kernels):
    a, g, side = values(256, 2), xpu.XPUGraph(), xpu.Stream()
    with xpu.graph(g):
        main = xpu.current_stream()
        left = xpu.empty(256, np.int32)
        add(kernels, left, a, a)
        side.wait_stream(main)
        with xpu.stream(side):
            assert xpu.is_current_stream_capturing()
            right = xpu.empty(256, np.int32)
            kernels["fill_range"][4, 64](right, 256, 7)
        main.wait_stream(side)
        add(kernels, left, left, right)

    assert not side.is_capturing() and g.pool().usage.live == 2048
    g.replay()
    np.testing.assert_array_equal(left.get(), [11] * 256)


@pytest.mark.results("executes")
def test_out_of_memory_in_a_capture_is_an_exception_of_the_body(kernels):
    g, b = xpu.XPUGraph(), values(1, 0)
    with pytest.raises(xpu.OutOfMemory), xpu.graph(g):
        xpu.empty(2 ** 46, np.float64)
    with xpu.graph(g):
        with pytest.raises(xpu.OutOfMemory):
            xpu.empty(2 ** 46, np.float64)
        kernels["store"][1, 1](b, 0, 6)
    g.replay()
    assert b.item() == 6
