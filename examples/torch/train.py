#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a network to tell three spirals apart in three ways, and shows what graphs save and that nothing else changes.

usage: train.py [--steps N] [--out FOLDER]. Prints the accuracy and what a step costs, and writes the curves of the
losses to FOLDER/losses.svg. Needs PyTorch 2.14 and xpugraph_torch (docs/torch.md).
"""
import argparse
import math
import sys
import time
from pathlib import Path

import torch
from torch import nn

import xpugraph_torch  # noqa: F401

from curves import write_curves

DEVICE = "xpuref"
BATCH, HIDDEN, CLASSES = 64, 64, 3
WANTED_ACCURACY = 0.95


def points(count, seed):
    """Points on three spirals, with a little noise, and which spiral each is on."""
    random = torch.Generator().manual_seed(seed)
    spiral = torch.randint(0, CLASSES, (count,), generator=random)
    along = torch.rand(count, generator=random)
    angle = 2 * math.pi * (along + spiral / CLASSES) + torch.randn(count, generator=random) * 0.1
    place = torch.stack((angle.cos(), angle.sin()), 1) * (0.1 + along).unsqueeze(1) * 2
    return place.to(DEVICE), spiral.to(DEVICE)


def network():
    torch.manual_seed(1)
    layers = [nn.Linear(2, HIDDEN), nn.ReLU()]
    for _ in range(2):
        layers += [nn.Linear(HIDDEN, HIDDEN), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(HIDDEN, CLASSES)).to(DEVICE)


def optimizer_of(model):
    return torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)


def train_step(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=False)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


def eager():
    """As ever."""
    model = network()
    optimizer = optimizer_of(model)
    return model, lambda x, y: train_step(model, optimizer, x, y)


def graphed_callable():
    """The network's forward and backward passes are graphs; loss and optimizer are as ever."""
    model = network()
    torch.xpuref.make_graphed_callables(model, (torch.zeros(BATCH, 2, device=DEVICE),))
    optimizer = optimizer_of(model)
    return model, lambda x, y: train_step(model, optimizer, x, y)


def whole_step():
    """All of a step is one graph."""
    model = network()
    optimizer = optimizer_of(model)
    x, y = points(BATCH, 0)
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

    return model, step


def progress(name, done, of):
    """A bar on a terminal, and nothing in a file."""
    if not sys.stderr.isatty():
        return
    filled = 30 * done // of
    print(f"\r{name:<18} [{'#' * filled}{'.' * (30 - filled)}] {done}/{of}", end="" if done < of else "\n", file=sys.stderr,
          flush=True)


def losses_of(name, step, steps):
    losses = []
    for n in range(1, steps + 1):
        losses.append(step(*points(BATCH, n)).item())
        progress(name, n, steps)
    return losses


def accuracy_of(model):
    x, y = points(2000, 0)
    model.eval()  # graphed modules run as ever then, whatever the size of the batch
    with torch.no_grad():
        return (model(x).cpu().argmax(1) == y.cpu()).float().mean().item()


def microseconds(step):
    """Of one step: the best of five rounds, because others use the machine, too."""
    x, y = points(BATCH, 0)
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
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--out", type=Path, default=Path("out/torch"))
    options = parser.parse_args()
    if options.steps < 1:
        parser.error(f"--steps must be at least 1, not {options.steps}")
    curves, slowest = {}, None
    print(f"{'way':<18} {'first loss':>10} {'last loss':>10} {'accuracy':>9} {'us a step':>10} {'faster':>7}")
    for way in (eager, graphed_callable, whole_step):
        name = way.__name__.replace("_", " ")
        model, step = way()
        curves[name] = losses_of(name, step, options.steps)
        accuracy = accuracy_of(model)
        took = microseconds(way()[1])
        slowest = slowest or took
        print(f"{name:<18} {curves[name][0]:>10.4f} {curves[name][-1]:>10.4f} {accuracy:>8.1%} {took:>10.0f} {slowest / took:>6.1f}x",
              flush=True)
    path = write_curves(options.out / "losses.svg", curves)
    reference = torch.tensor(curves["eager"])
    apart = max((torch.tensor(losses) - reference).abs().max().item() for losses in curves.values())
    print(f"the losses differ by at most {apart:.2g}; their curves are in {path}")
    if apart > 1e-3:
        raise SystemExit("the losses are not those of eager training")
    if options.steps >= 600 and accuracy < WANTED_ACCURACY:
        raise SystemExit(f"the network is right in {accuracy:.1%} of cases, and should be in {WANTED_ACCURACY:.0%}")


if __name__ == "__main__":
    main()
