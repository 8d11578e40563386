#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the Python package's launches cost over the same launches from C.

usage: python_cost.py [--count] [--quick] LIBRARY KERNELS.spv

The package is the source tree's. LIBRARY is what python_cost.c became, which makes the calls from C in this very
process. Prints a line per figure and way with tabs between: figure, way, nanoseconds of one call: the least, the
median, the 90th percentile. With --count it is to run under callgrind, and leaves a profile of each figure and way instead.
"""
import argparse
import ctypes
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python"))
import xpugraph as xpu  # noqa: E402  pylint: disable=wrong-import-position

GRID, BLOCK, NODES = 4, 64, 10
# Calls that are measured together, while a gate holds the stream back. Of one executable three can be
# under way; the fourth launch would wait.
CALLS = {"replay": 3, "launch": 64, "captured_launch": 64}


class Ground:
    """What both ways stand on: one stream, one kernel, two buffers, one graph."""

    def __init__(self, library, spirv):
        self.c = ctypes.CDLL(library)
        self.c.cost_replays.restype = self.c.cost_launches.restype = ctypes.c_double
        self.c.cost_replays.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_int, ctypes.c_char_p]
        self.c.cost_launches.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int, ctypes.c_char_p]
        self.axpy = xpu.Module(spirv)["axpy"]
        self.x, self.y = (xpu.zeros(GRID * BLOCK) for _ in range(2))
        self.stream = xpu.Stream()
        self.graph = xpu.XPUGraph()
        with xpu.graph(self.graph):
            for _ in range(NODES):
                self.axpy[GRID, BLOCK](self.y, self.x, 2.0, 256)

    # Each makes so many calls and gives the nanoseconds of one. With a title the instructions are counted.

    def c_replay(self, calls, title):
        """From C."""
        return self.c.cost_replays(self.graph.raw_xpu_graph_exec(), xpu.current_stream().handle, calls,
                                   title)

    def c_launch(self, calls, title):
        """From C."""
        return self.c.cost_launches(self.axpy.handle, self.y.pointer, self.x.pointer,
                                    xpu.current_stream().handle, calls, title)

    def python_replay(self, calls, title):
        """From Python."""
        graph = self.graph

        def replays():
            for _ in range(calls):
                graph.replay()

        return self.measured(replays, title) / calls

    def python_launch(self, calls, title):
        """From Python, as programs write it."""
        axpy, y, x = self.axpy, self.y, self.x

        def launches():
            for _ in range(calls):
                axpy[GRID, BLOCK](y, x, 2.0, 256)

        return self.measured(launches, title) / calls

    def measured(self, work, title):
        """Nanoseconds of some work; the loop in it, some 20 ns a turn, counts as Python's."""
        if title:
            self.c.cost_count_begin()
        begin = time.perf_counter_ns()
        work()
        took = time.perf_counter_ns() - begin
        if title:
            self.c.cost_count_end(title)
        return took

    def held_back(self, work, *how):
        """Work in a stream that does not run before all of it is there."""
        with xpu.stream(self.stream):
            self.c.cost_gate_close(ctypes.c_void_p(self.stream.handle))
            try:
                return work(*how)
            finally:
                self.c.cost_gate_open()
                self.stream.synchronize()

    def captured(self, work, *how):
        """Work that is captured; the graph is dropped."""
        with xpu.graph(xpu.XPUGraph(keep_graph=True), stream=self.stream):
            return work(*how)


def figures(ground):
    """(figure, way, piece of work, what is around it)"""
    yield "replay", "c", ground.c_replay, ground.held_back
    yield "replay", "python", ground.python_replay, ground.held_back
    yield "launch", "c", ground.c_launch, ground.held_back
    yield "launch", "python", ground.python_launch, ground.held_back
    yield "captured_launch", "c", ground.c_launch, ground.captured
    yield "captured_launch", "python", ground.python_launch, ground.captured


def timed(ground, rounds):
    """{(figure, way): nanoseconds}; the ways take turns, so that a busy machine is busy for both."""
    took = {}
    for turn in range(rounds + 3):
        for figure, way, work, around in figures(ground):
            nanoseconds = around(work, CALLS[figure], None)
            if nanoseconds < 0:
                sys.exit(f"{figure} from {way} failed: {xpu.ErrorCode(xpu.raw.xpuPeekAtLastError()).name}")
            if turn >= 3:  # the first ones fill caches
                took.setdefault((figure, way), []).append(nanoseconds)
    return took


def counted(ground):
    """Leaves a profile of each figure and way, after three rounds that fill caches."""
    ground.c.cost_count_start()
    for turn in range(4):
        for figure, way, work, around in figures(ground):
            title = f"{figure} {way} {CALLS[figure]}".encode() if turn == 3 else None
            around(work, CALLS[figure], title)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("library")
    parser.add_argument("spirv")
    given = parser.parse_args()
    ground = Ground(given.library, given.spirv)
    if given.count:
        counted(ground)
        return
    for (figure, way), values in timed(ground, 3 if given.quick else 300).items():
        values.sort()
        print(f"{figure}\t{way}\t{values[0]:.1f}\t{statistics.median(values):.1f}\t"
              f"{values[len(values) * 9 // 10]:.1f}")


if __name__ == "__main__":
    main()
