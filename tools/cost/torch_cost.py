#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a training step of a network costs with PyTorch: eager, with graphed callables, and as one graph.

usage: torch_cost.py [--rounds N]. Prints microseconds for a step of networks of equally wide linear layers, the best of
N rounds, since others use the machine, too; and how many times faster than eager that is. Needs xpugraph_torch.
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
    """Of each of several ways, which take turns, so that a busy moment of the machine meets all of them."""
    best = [float("inf")] * len(steps)
    for _ in range(rounds):
        for i, step in enumerate(steps):
            begin = time.perf_counter()
            for _ in range(STEPS):
                step()
            torch.xpuref.synchronize()
            best[i] = min(best[i], (time.perf_counter() - begin) / STEPS * 1e6)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    x, y = torch.randn(BATCH, WIDTH, device=DEVICE), torch.randn(BATCH, WIDTH, device=DEVICE)
    print(f"{'network':<12} {'eager':>9} {'graphed callables':>25} {'whole step':>25}   (us a step)")
    for layers, *aims in NETWORKS:
        took = microseconds([way(layers, x, y) for way in (eager, graphed_callables, whole_step)], rounds)
        graphed = [f"{us:>9.0f} {took[0] / us:>5.1f}x (aim {aim}x)" for us, aim in zip(took[1:], aims)]
        print(f"{layers:>3} x {WIDTH:<6} {took[0]:>9.0f} {graphed[0]:>25} {graphed[1]:>25}", flush=True)


if __name__ == "__main__":
    main()
