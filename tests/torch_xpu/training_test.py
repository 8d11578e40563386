# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torch.xpu on this backend: graphed callables, optimizers and autocast in graphs, and networks."""
import copy

import pytest
import torch
from conftest import captured
from torch import nn
from torch.nn import functional as F


class OfDict(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 8)

    def forward(self, inputs):
        return {"out": self.linear(inputs["x"]), "unused": inputs["unused"] * 2}


def test_graphed_callables_train_as_eager_ones_do():
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 3)).to("xpu")
    twin = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.0), nn.Linear(8, 3)).to("xpu")
    twin.load_state_dict(model.state_dict())
    loss, plain_loss = nn.MSELoss(), nn.MSELoss()
    model, loss = torch.xpu.make_graphed_callables(
        (model, loss), ((torch.randn(5, 6, device="xpu"),),
                        (torch.randn(5, 3, device="xpu", requires_grad=True), torch.randn(5, 3, device="xpu"))))
    optimizers = [torch.optim.SGD(m.parameters(), 0.1, momentum=0.9) for m in (model, twin)]
    for _ in range(4):
        x, target = torch.randn(5, 6, device="xpu"), torch.randn(5, 3, device="xpu")
        for module, measure, optimizer in ((model, loss, optimizers[0]), (twin, plain_loss, optimizers[1])):
            optimizer.zero_grad(set_to_none=True)
            measure(module(x), target).backward()
            optimizer.step()
    for mine, other in zip(model.parameters(), twin.parameters()):
        torch.testing.assert_close(mine.cpu(), other.cpu())
    model.eval()
    assert torch.equal(model(x[:2]).cpu(), twin.eval()(x[:2]).cpu())


def test_graphed_callables_take_dicts():
    model = OfDict().to("xpu")
    sample = {"x": torch.randn(2, 6, device="xpu"), "unused": torch.randn(2, device="xpu")}
    graphed = torch.xpu.make_graphed_callables(model, (sample,), allow_unused_input=True)
    other = {"x": torch.randn(2, 6, device="xpu"), "unused": torch.ones(2, device="xpu")}
    result = graphed(other)
    torch.testing.assert_close(result["out"].cpu(), model.linear(other["x"]).cpu())
    assert result["unused"].tolist() == [2, 2]


def test_a_callable_without_parameters_runs_without_gradients():
    graphed = torch.xpu.make_graphed_callables(nn.Tanh(), (torch.randn(3, device="xpu"),))
    x = torch.randn(3, device="xpu", requires_grad=True)
    torch.testing.assert_close(graphed(x).cpu(), x.detach().cpu().tanh())


def test_three_graphed_callables_of_one_pool():
    models = [nn.Linear(4, 4).to("xpu") for _ in range(3)]
    x = torch.randn(2, 4, device="xpu")
    expected = [m(x).detach().cpu() for m in models]
    pool = torch.xpu.graph_pool_handle()
    graphed = [torch.xpu.make_graphed_callables(m, (torch.zeros_like(x),), pool=pool) for m in models]
    results = [m(x) for m in graphed]
    assert len({y.data_ptr() for y in results}) == 3
    for y, other in zip(results, expected):
        torch.testing.assert_close(y.detach().cpu(), other)


OPTIMIZERS = {name: (getattr(torch.optim, name), options) for name, options in {
    "Adam": {}, "AdamW": {"weight_decay": 0.01}, "Adamax": {}, "NAdam": {}, "RAdam": {}, "RMSprop": {}, "ASGD": {},
    "Adadelta": {}, "Rprop": {}}.items()} | {
    "fused Adam": (torch.optim.Adam, {"fused": True}), "Adam one by one": (torch.optim.Adam, {"foreach": False})}


@pytest.mark.parametrize("kind, options", OPTIMIZERS.values(), ids=OPTIMIZERS)
def test_optimizers_step_in_a_graph_as_they_do_outside(kind, options):
    def parameters():
        torch.manual_seed(3)
        return [torch.randn(n, device="xpu", requires_grad=True) for n in (5, 7)]

    grads = [[torch.randn(n, device="xpu") for n in (5, 7)] for _ in range(5)]
    results = []
    for graphed in (False, True):
        ps = parameters()
        optimizer = kind(ps, lr=0.01, capturable=True, **options)
        for p in ps:
            p.grad = torch.zeros_like(p)

        def give(step):
            for p, g in zip(ps, grads[step]):
                p.grad.copy_(g)

        g, stream = None, torch.xpu.Stream()
        for step in range(5):
            give(step)
            torch.xpu.synchronize()
            if step >= 3 and graphed:
                if g is None:
                    g, _ = captured(optimizer.step, stream=stream)
                g.replay()
            else:
                with torch.xpu.stream(stream):
                    optimizer.step()
            torch.xpu.synchronize()
        results.append([p.detach().cpu() for p in ps])
    for mine, other in zip(*results):
        torch.testing.assert_close(mine, other)


def test_an_optimizer_that_is_not_capturable_is_refused():
    p = torch.ones(3, device="xpu", requires_grad=True)
    p.grad = torch.ones_like(p)
    optimizer = torch.optim.Adam([p], capturable=False)
    with torch.xpu.stream(torch.xpu.Stream()):
        optimizer.step()
    with pytest.raises(RuntimeError, match="capturable"):
        captured(optimizer.step)


def test_autocast_in_a_capture_and_the_cache_that_is_refused():
    model, x = nn.Linear(4, 3).to("xpu"), torch.randn(2, 4, device="xpu")

    def run():
        with torch.autocast("xpu", dtype=torch.bfloat16, cache_enabled=False):
            return model(x)

    expected = run()
    assert expected.dtype == torch.bfloat16
    g, y = captured(run)
    g.replay()
    torch.testing.assert_close(y.cpu(), expected.cpu())
    with torch.autocast("xpu", dtype=torch.bfloat16), pytest.raises(RuntimeError, match="cache"):
        torch.xpu.make_graphed_callables(model, (x,))


def test_networks_agree_with_the_cpu():
    net = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(6 * 16, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 4))
    mine = copy.deepcopy(net).to("xpu")
    optimizers = [torch.optim.SGD(m.parameters(), 0.05, momentum=0.9) for m in (net, mine)]
    for _ in range(4):
        x, target = torch.randn(5, 3, 8, 8), torch.randint(0, 4, (5,))
        losses = []
        for m, optimizer, device in zip((net, mine), optimizers, ("cpu", "xpu")):
            optimizer.zero_grad()
            loss = F.cross_entropy(m(x.to(device)), target.to(device))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        assert abs(losses[0] - losses[1]) < 1e-4
