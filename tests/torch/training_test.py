# SPDX-License-Identifier: Apache-2.0
"""Training on the device, step by step and in graphs, agrees with PyTorch on the CPU.

The tolerance: one step of the same CPU kernels differs by the order of sums only, a few units in the last place of
float32 (1.2e-7); 12 steps make of it what 2e-4 relative and 2e-5 absolute leave a factor of ten for. Adam's eps is 1e-4
because some gradients are zero but for rounding (a bias before a batch norm, the keys' bias in attention), and a smaller eps
would make full steps of that noise on both sides.
"""
import copy
import functools

import pytest
import torch
from conftest import DEVICE
from torch import nn
from torch.nn import functional as F

STEPS = 12
close = functools.partial(torch.testing.assert_close, rtol=2e-4, atol=2e-5)


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(8, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        return self.head(self.encoder(x).mean(1))


class Sequence(nn.Module):
    """A gated recurrence over embedded tokens, written out."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 12)
        self.gate, self.new, self.norm = nn.Linear(24, 12), nn.Linear(24, 12), nn.LayerNorm(12)
        self.head = nn.Linear(12, 5)

    def forward(self, tokens):
        x = self.embed(tokens)
        state = torch.zeros_like(x[:, 0])
        for step in x.unbind(1):
            both = torch.cat((step, state), 1)
            gate = self.gate(both).sigmoid()
            state = self.norm(gate * state + (1 - gate) * self.new(both).tanh())
        return self.head(state)


MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(10, 24), nn.GELU(), nn.LayerNorm(24), nn.Linear(24, 5)),
            lambda: torch.randn(8, 10)),
    "convolutional": (Convolutional, lambda: torch.randn(6, 3, 12, 12)),
    "transformer": (Encoder, lambda: torch.randn(4, 7, 16)),
    "sequence": (Sequence, lambda: torch.randint(0, 20, (6, 9))),
}
OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, 0.05, momentum=0.9, weight_decay=1e-3),
    "adam": lambda parameters: torch.optim.Adam(parameters, 1e-3, eps=1e-4, capturable=parameters[0].device.type != "cpu"),
}


def step(model, optimizer, x, target):
    optimizer.zero_grad(set_to_none=False)
    loss = F.cross_entropy(model(x), target)
    loss.backward()
    optimizer.step()
    return loss.detach()


def eager(model, optimizer, x, target):
    return functools.partial(step, model, optimizer)


def graphed_callable(model, optimizer, x, target):
    torch.xpuref.make_graphed_callables(model, (torch.zeros_like(x),))
    return functools.partial(step, model, optimizer)


def whole_step(model, optimizer, x, target):
    """Forward, backward and optimizer in one graph; warmed up on a copy of the state, which is put back."""
    x, target = x.clone(), target.clone()
    before = copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())
    stream = torch.xpuref.Stream()
    torch.xpuref.synchronize()
    with torch.xpuref.stream(stream):
        for _ in range(2):
            step(model, optimizer, x, target)
    torch.xpuref.synchronize()
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g, stream=stream):
        loss = step(model, optimizer, x, target)
    with torch.no_grad():
        model.load_state_dict(before[0])
        for state in optimizer.state.values():
            for value in state.values():
                if isinstance(value, torch.Tensor):
                    value.zero_()

    def run(new_x, new_target):
        x.copy_(new_x)
        target.copy_(new_target)
        g.replay()
        return loss

    return run


@pytest.mark.parametrize("how", [eager, graphed_callable, whole_step])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("model", MODELS)
def test_training_agrees_with_the_cpu_step_for_step(model, optimizer, how):
    make, inputs = MODELS[model]
    reference = make()
    mine = copy.deepcopy(reference).to(DEVICE)
    their_optimizer = OPTIMIZERS[optimizer](list(reference.parameters()))
    my_optimizer = OPTIMIZERS[optimizer](list(mine.parameters()))
    x = inputs()
    run = how(mine, my_optimizer, x.to(DEVICE), torch.zeros(len(x), dtype=torch.long, device=DEVICE))
    for _ in range(STEPS):
        x = inputs()
        target = torch.randint(0, 5, (len(x),))
        theirs = step(reference, their_optimizer, x, target)
        close(run(x.to(DEVICE), target.to(DEVICE)).cpu(), theirs)
    for (name, value), other in zip(mine.state_dict().items(), reference.state_dict().values()):
        close(value.cpu(), other, msg=lambda text: f"{name}: {text}")
