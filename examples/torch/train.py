#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small convolution net on handwritten digits in three ways, and shows what graphs save and that nothing else changes.

usage: train.py [--steps N] [--out FOLDER]. Prints the accuracy and what a step costs, and writes the curves of the
losses to FOLDER/losses.svg. Needs PyTorch 2.14, xpugraph_torch (docs/torch.md) and scikit-learn, which brings the digits.
"""
import argparse
import sys
import time
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn

import xpugraph_torch  # noqa: F401

from curves import write_curves

DEVICE = "xpuref"
BATCH, TRAINED_ON = 64, 1437  # of 1,797 digits; the others are held out
WANTED_ACCURACY = 0.95


def digits():
    """Images of 8 by 8 pixels, from 0 to 1, and which digit each is, in an order without order."""
    data = load_digits()
    order = torch.randperm(len(data.target), generator=torch.Generator().manual_seed(0))
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / data.images.max()
    return images[order], torch.tensor(data.target)[order]


IMAGES, LABELS = digits()


def batch(number):
    """Of the digits to train on; each is in one batch of an epoch."""
    epoch, place = divmod(number * BATCH, TRAINED_ON // BATCH * BATCH)
    order = torch.randperm(TRAINED_ON, generator=torch.Generator().manual_seed(epoch))
    chosen = order[place:place + BATCH]
    return IMAGES[chosen].to(DEVICE), LABELS[chosen].to(DEVICE)


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(),
                         nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
                         nn.Flatten(), nn.Linear(16 * 4 * 4, 10)).to(DEVICE)


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
    torch.xpuref.make_graphed_callables(model, (torch.zeros(BATCH, 1, 8, 8, device=DEVICE),))
    optimizer = optimizer_of(model)
    return model, lambda x, y: train_step(model, optimizer, x, y)


def whole_step():
    """All of a step is one graph."""
    model = network()
    optimizer = optimizer_of(model)
    x, y = batch(0)
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
    for n in range(steps):
        losses.append(step(*batch(n)).item())
        progress(name, n + 1, steps)
    return losses


def accuracy_of(model):
    """On the digits that were held out."""
    x, y = IMAGES[TRAINED_ON:].to(DEVICE), LABELS[TRAINED_ON:]
    model.eval()  # graphed modules run as ever then, whatever the size of the batch
    with torch.no_grad():
        return (model(x).cpu().argmax(1) == y).float().mean().item()


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
    parser.add_argument("--steps", type=int, default=400)
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
    if options.steps >= 400 and accuracy < WANTED_ACCURACY:
        raise SystemExit(f"the network knows {accuracy:.1%} of the digits, and should be in {WANTED_ACCURACY:.0%}")


if __name__ == "__main__":
    main()
