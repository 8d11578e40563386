#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small network in three ways, and tells what graphs save and that the losses agree.

usage: train.py [--steps N]. Needs PyTorch 2.14 and xpugraph_torch (docs/torch.md).
"""
import argparse
import time

import torch
from torch import nn

import xpugraph_torch  # noqa: F401

DEVICE = "xpuref"
BATCH, INPUTS, HIDDEN = 64, 32, 64


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(INPUTS, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, HIDDEN), nn.GELU(),
                         nn.Linear(HIDDEN, 1)).to(DEVICE)


def batch(step):
    random = torch.Generator().manual_seed(step)
    x = torch.randn(BATCH, INPUTS, generator=random)
    return x.to(DEVICE), x.sum(1, keepdim=True).sin().to(DEVICE)


def train_step(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=False)
    loss = (model(x) - y).square().mean()
    loss.backward()
    optimizer.step()
    return loss.detach()


def optimizer_of(model):
    return torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)


def eager():
    model = network()
    optimizer = optimizer_of(model)
    return lambda x, y: train_step(model, optimizer, x, y)


def graphed_callable():
    """The network's forward and backward passes are graphs; loss and optimizer are as ever."""
    model = network()
    torch.xpuref.make_graphed_callables(model, (torch.zeros(BATCH, INPUTS, device=DEVICE),))
    optimizer = optimizer_of(model)
    return lambda x, y: train_step(model, optimizer, x, y)


def whole_step():
    """All of a step is one graph."""
    model = network()
    optimizer = optimizer_of(model)
    x, y = (t.clone() for t in batch(0))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    stream = torch.xpuref.Stream()
    torch.xpuref.synchronize()
    with torch.xpuref.stream(stream):
        train_step(model, optimizer, x, y)
    graph = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(graph, stream=stream):
        loss = train_step(model, optimizer, x, y)
    model.load_state_dict(before)
    for state in optimizer.state.values():
        state["momentum_buffer"].zero_()

    def step(new_x, new_y):
        x.copy_(new_x)
        y.copy_(new_y)
        graph.replay()
        return loss

    return step


def losses_of(step, steps):
    return [step(*batch(n)).item() for n in range(steps)]


def microseconds(step):
    """Of one step: the best of five rounds, because others use the machine, too."""
    x, y = batch(0)
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(50):
            step(x, y)
        torch.xpuref.synchronize()
        best = min(best, (time.perf_counter() - begin) / 50)
    return best * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    steps = parser.parse_args().steps
    reference, slowest = None, None
    print(f"{'way':<18} {'first loss':>10} {'last loss':>10} {'us a step':>10} {'faster':>7}")
    for way in (eager, graphed_callable, whole_step):
        losses = losses_of(way(), steps)
        reference = reference or losses
        if not torch.allclose(torch.tensor(losses), torch.tensor(reference), rtol=1e-3, atol=1e-5):
            raise SystemExit(f"{way.__name__}: the losses are not those of eager training")
        took = microseconds(way())
        slowest = slowest or took
        print(f"{way.__name__.replace('_', ' '):<18} {losses[0]:>10.4f} {losses[-1]:>10.4f} {took:>10.0f} {slowest / took:>6.1f}x")


if __name__ == "__main__":
    main()
