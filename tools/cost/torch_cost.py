#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a training step of a network costs with PyTorch: eager, with graphed callables, and as one graph.

usage: torch_cost.py [--rounds N]. Prints microseconds for a step of networks of equally wide linear layers, and for its calls
alone, before the device is done; the best of N rounds, since others use the machine, too; and how many times faster
than eager that is. Needs xpugraph_torch.
"""
import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F

import xpugraph_torch  # noqa: F401

DEVICE = "xpuref"
BATCH = WIDTH = 64
#: Layers, and what was aimed at: graphed callables and a whole step, times faster than eager.
NETWORKS = [(32, 4, 8), (4, 3, 9)]
STEPS = 20


def network(layers):
    torch.manual_seed(1)
    model = nn.Sequential(*[layer for _ in range(layers) for layer in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]).to(DEVICE)
    return model, torch.optim.SGD(model.parameters(), 0.01)


def step_of(model, optimizer, x, y):
    def step():
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    return step


def eager(layers, x, y):
    return step_of(*network(layers), x, y)


def graphed_callables(layers, x, y):
    model, optimizer = network(layers)
    torch.xpuref.make_graphed_callables(model, (torch.zeros_like(x),))
    return step_of(model, optimizer, x, y)


def whole_step(layers, x, y):
    step = step_of(*network(layers), x, y)
    stream, graph = torch.xpuref.Stream(), torch.xpuref.XPUGraph()
    torch.xpuref.synchronize()
    with torch.xpuref.stream(stream):
        step()
    with torch.xpuref.graph(graph, stream=stream):
        step()
    return graph.replay


def microseconds(steps, rounds):
    """Of each of several ways: a step among others, and the calls of a step alone, while nothing else is queued. They take
    turns, so that a busy moment of the machine meets all of them."""
    best, calls = [float("inf")] * len(steps), [float("inf")] * len(steps)
    for _ in range(rounds):
        for i, step in enumerate(steps):
            begin = time.perf_counter()
            step()
            calls[i] = min(calls[i], (time.perf_counter() - begin) * 1e6)
            torch.xpuref.synchronize()
            begin = time.perf_counter()
            for _ in range(STEPS):
                step()
            torch.xpuref.synchronize()
            best[i] = min(best[i], (time.perf_counter() - begin) / STEPS * 1e6)
    return best, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error(f"--rounds must be at least 1, not {rounds}")
    x, y = torch.randn(BATCH, WIDTH, device=DEVICE), torch.randn(BATCH, WIDTH, device=DEVICE)
    print(f"{'network':<9} {'':<10} {'eager':>7} {'graphed callables':>24} {'whole step':>24}   (us)")
    for layers, *aims in NETWORKS:
        best, calls = microseconds([way(layers, x, y) for way in (eager, graphed_callables, whole_step)], rounds)
        graphed = [f"{us:>8.0f} {best[0] / us:>5.1f}x (aim {aim}x)" for us, aim in zip(best[1:], aims)]
        print(f"{layers:>2} x {WIDTH:<4} {'a step':<10} {best[0]:>7.0f} {graphed[0]:>24} {graphed[1]:>24}")
        graphed = [f"{us:>8.0f} {calls[0] / us:>5.1f}x         " for us in calls[1:]]
        print(f"{'':<9} {'its calls':<10} {calls[0]:>7.0f} {graphed[0]:>24} {graphed[1]:>24}", flush=True)


if __name__ == "__main__":
    main()
