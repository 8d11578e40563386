# SPDX-License-Identifier: Apache-2.0
"""make_graphed_callables: results as without it, and an error that names each broken rule."""
import copy
import weakref

import pytest
import torch
from conftest import DEVICE
from torch import nn

graphed = torch.xpuref.make_graphed_callables


def mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)).to(DEVICE)


def sample(*sizes, grad=False):
    return torch.randn(*sizes, device=DEVICE, requires_grad=grad)


def test_a_graphed_module_gives_the_same_outputs_and_gradients():
    plain = mlp()
    fast = graphed(copy.deepcopy(plain), (sample(5, 8, grad=True),))
    for _ in range(3):
        x = sample(5, 8)
        pairs = []
        for module in (plain, fast):
            module.zero_grad()
            own = x.clone().requires_grad_()
            y = module(own)
            (y.sin() * 3).sum().backward()
            pairs.append([y, own.grad, *(p.grad for p in module.parameters())])
        for mine, other in zip(*pairs):
            torch.testing.assert_close(mine.cpu(), other.cpu())


def test_several_callables_share_a_pool_and_keep_their_order():
    first, second = mlp(), nn.Linear(4, 2).to(DEVICE)
    plain = copy.deepcopy(first), copy.deepcopy(second)
    a, b = graphed((first, second), ((sample(3, 8),), (sample(3, 4, grad=True),)))
    assert a is first and b is second
    x = sample(3, 8)
    b(a(x)).square().sum().backward()
    plain[1](plain[0](x)).square().sum().backward()
    for mine, other in zip([*first.parameters(), *second.parameters()], [*plain[0].parameters(), *plain[1].parameters()]):
        torch.testing.assert_close(mine.grad.cpu(), other.grad.cpu())


def test_nested_arguments_and_results():
    def function(pair, table):
        return {"sum": pair[0] + table["c"], "list": [pair[1] * 2]}

    run = graphed(function, ((sample(2), sample(2)), {"c": sample(2)}))
    a, b, c = sample(2), sample(2), sample(2)
    result = run((a, b), {"c": c})
    torch.testing.assert_close(result["sum"].cpu(), (a + c).cpu())
    torch.testing.assert_close(result["list"][0].cpu(), (b * 2).cpu())


def test_gradients_accumulate_and_are_no_memory_of_the_graph():
    module = nn.Linear(3, 1, bias=False).to(DEVICE)
    graphed(module, (sample(2, 3),))
    x = torch.ones(2, 3, device=DEVICE)
    module(x).sum().backward()
    first = module.weight.grad
    kept = first.clone()
    module(x * 2).sum().backward()
    assert module.weight.grad is first
    torch.testing.assert_close(first.cpu(), 3 * kept.cpu())


def test_building_leaves_buffers_and_the_generator_alone():
    module = nn.Sequential(nn.BatchNorm1d(4), nn.Dropout()).to(DEVICE)
    x = sample(6, 4)
    state = torch.xpuref.get_rng_state()
    graphed(module, (x,))
    assert module[0].num_batches_tracked.item() == 0
    assert module[0].running_mean.tolist() == [0] * 4
    assert torch.equal(state, torch.xpuref.get_rng_state())
    module(sample(6, 4))
    assert module[0].num_batches_tracked.item() == 1


def test_dropout_is_fresh_at_each_call():
    module = graphed(nn.Dropout().to(DEVICE), (torch.ones(100, device=DEVICE),))
    x = torch.ones(100, device=DEVICE)
    assert module(x).tolist() != module(x).tolist()


def test_another_mode_runs_the_original():
    module = graphed(nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.9)).to(DEVICE), (sample(2, 4),))
    x = sample(7, 4)
    module.eval()
    torch.testing.assert_close(module(x).cpu(), module[0](x).cpu())
    module.train()
    with pytest.raises(ValueError, match="shape"):
        module(x)
    module[1].eval()
    torch.testing.assert_close(module(x).cpu(), module[0](x).cpu())


def test_nothing_to_differentiate():
    run = graphed(lambda x: x * 2, (sample(3),))
    x = sample(3)
    y = run(x)
    assert not y.requires_grad
    torch.testing.assert_close(y.cpu(), (x * 2).cpu())


def test_unused_inputs():
    class Half(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.idle = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x):
            return self.used(x)

    with pytest.raises(RuntimeError, match="parameter 'idle.weight'.*had no part.*allow_unused_input"):
        graphed(Half().to(DEVICE), (sample(1, 2),))
    module = graphed(Half().to(DEVICE), (sample(1, 2),), allow_unused_input=True)
    module(sample(1, 2)).sum().backward()
    assert module.idle.weight.grad is None and module.used.weight.grad is not None


def test_integer_outputs_have_no_gradient():
    module = graphed(lambda x: (x * 2, x.argmax(1)), (sample(3, 4, grad=True),))
    x = sample(3, 4).requires_grad_()
    y, best = module(x)
    assert not best.requires_grad
    y.sum().backward()
    assert x.grad.unique().tolist() == [2]
    assert best.tolist() == x.argmax(1).tolist()


def test_amp_without_its_cache():
    module = mlp()
    plain = copy.deepcopy(module)
    with torch.autocast(DEVICE, torch.bfloat16):
        with pytest.raises(RuntimeError, match="cache_enabled=False"):
            graphed(module, (sample(5, 8),))
    with torch.autocast(DEVICE, torch.bfloat16, cache_enabled=False):
        graphed(module, (sample(5, 8),))
        x = sample(5, 8)
        torch.testing.assert_close(module(x).cpu(), plain(x).cpu())


def test_a_graphed_module_is_not_garbage_in_a_cycle():
    module = mlp()
    graphed(module, (sample(5, 8),))
    module(sample(5, 8)).sum().backward()
    gone = weakref.ref(module)
    import gc
    gc.disable()
    try:
        del module
        assert gone() is None
    finally:
        gc.enable()


def hooked(kind):
    module = mlp()
    getattr(module[1], f"register_{kind}_hook")(lambda *_: None)
    return module


def trainable_buffer():
    module = mlp()
    module.register_buffer("extra", torch.ones(1, device=DEVICE, requires_grad=True))
    return module


def twice():
    module = mlp()
    return graphed((module, module), ((sample(5, 8),), (sample(5, 8),)))


def again():
    graphed(graphed(mlp(), (sample(5, 8),)), (sample(5, 8),))


def shared():
    x = sample(4)
    graphed(lambda a, b: a + b, (x, x))


def tensor_hook():
    module = mlp()
    module[0].weight.register_hook(lambda grad: grad)
    return module


BUILDING = {
    "a list of callables": (TypeError, "tuple of them, not a list", lambda: graphed([mlp()], ((sample(5, 8),),))),
    "no callables": (ValueError, "empty tuple", lambda: graphed((), ())),
    "no tuple of arguments": (TypeError, "sample_args must be a tuple, not a Tensor", lambda: graphed(mlp(), sample(5, 8))),
    "too few arguments": (ValueError, "2 callables and 1 tuples",
                          lambda: graphed((mlp(), mlp()), ((sample(5, 8),),))),
    "a bare tensor": (TypeError, "entry 1 of sample_args",
                      lambda: graphed((mlp(), mlp()), ((sample(5, 8),), sample(5, 8)))),
    "a number": (TypeError, r"argument \[1\] of sample_args is a int", lambda: graphed(lambda x, n: x, (sample(1), 3))),
    "a tensor of the CPU": (RuntimeError, r"argument \[0\] of sample_args is on cpu", lambda: graphed(mlp(), (torch.ones(5, 8),))),
    "a module of the CPU": (RuntimeError, "'0.weight' of Sequential is on cpu",
                            lambda: graphed(nn.Sequential(nn.Linear(2, 2)), (sample(5, 2),))),
    "a forward hook": (RuntimeError, "submodule '1' of Sequential has a forward hook",
                       lambda: graphed(hooked("forward"), (sample(5, 8),))),
    "a pre-hook": (RuntimeError, "has a forward pre-hook", lambda: graphed(hooked("forward_pre"), (sample(5, 8),))),
    "a backward hook": (RuntimeError, "has a backward hook", lambda: graphed(hooked("full_backward"), (sample(5, 8),))),
    "a tensor hook": (RuntimeError, "'0.weight' of Sequential has a tensor hook",
                      lambda: graphed(tensor_hook(), (sample(5, 8),))),
    "a trainable buffer": (RuntimeError, "buffer 'extra' of Sequential requires gradients",
                           lambda: graphed(trainable_buffer(), (sample(5, 8),))),
    "one module twice": (ValueError, "same Sequential twice", twice),
    "a graphed module": (RuntimeError, "was graphed already", again),
    "shared memory": (RuntimeError, r"argument \[0\] and argument \[1\] of sample_args are the same memory", shared),
    "an expanded tensor": (RuntimeError, "expanded", lambda: graphed(lambda x: x * 1, (sample(1).expand(4),))),
    "another result": (TypeError, "returned a int", lambda: graphed(lambda x: (x, 3), (sample(1),))),
    "warm-up below zero": (ValueError, "num_warmup_iters", lambda: graphed(mlp(), (sample(5, 8),), num_warmup_iters=-1)),
    "a pool that is gone": (RuntimeError, "no memory pool", lambda: graphed(mlp(), (sample(5, 8),), pool=(0, 1 << 40))),
    "a host read": (RuntimeError, "while its stream is captured", lambda: graphed(lambda x: x * x.sum().item(), (sample(2),))),
}


@pytest.mark.parametrize("error, match, build", BUILDING.values(), ids=BUILDING)
def test_a_rule_of_building_is_named_when_broken(error, match, build):
    with pytest.raises(error, match=match):
        build()
    assert torch.xpuref.current_stream() == torch.xpuref.default_stream()


def replace_parameter(module):
    module[0].weight = nn.Parameter(torch.ones_like(module[0].weight))


def move_parameter(module):
    module[0].weight.data = module[0].weight.data.clone()


CALLING = {
    "too few": (TypeError, "structure of sample_args", lambda m, x: m()),
    "too many": (TypeError, "structure of sample_args", lambda m, x: m(x, x)),
    "by keyword": (TypeError, "positional arguments only.*input", lambda m, x: m(input=x)),
    "no tensor": (TypeError, "must be a tensor, not a float", lambda m, x: m(1.0)),
    "a smaller shape": (ValueError, r"shape \(1, 8\), and was graphed with \(5, 8\)", lambda m, x: m(x[:1])),
    "another type": (ValueError, "float64, and was graphed with torch.float32", lambda m, x: m(x.double())),
    "another device": (ValueError, "is on cpu", lambda m, x: m(x.cpu())),
    "gradients": (RuntimeError, "requires gradients, and its sample did not", lambda m, x: m(x.requires_grad_())),
    "a new parameter": (RuntimeError, "parameter '0.weight'.*replaced or moved", lambda m, x: (replace_parameter(m), m(x))),
    "a moved parameter": (RuntimeError, "parameter '0.weight'.*replaced or moved", lambda m, x: (move_parameter(m), m(x))),
    "an added parameter": (RuntimeError, "parameter was added to or removed",
                           lambda m, x: (m[0].register_parameter("more", nn.Parameter(x)), m(x))),
    "a removed buffer": (RuntimeError, "buffer was added to or removed",
                         lambda m, x: (m.register_buffer("more", x), m(x))),
    "backward twice": (RuntimeError, "second time",
                       lambda m, x: [y := m(x).sum(), y.backward(retain_graph=True), y.backward()]),
    "backward too late": (RuntimeError, "ran again before", lambda m, x: [y := m(x).sum(), m(x), y.backward()]),
    "double backward": (RuntimeError, "once_differentiable",
                        lambda m, x: torch.autograd.grad(m(x).square().sum(), m[0].weight,
                                                         create_graph=True)[0].sum().backward()),
}


@pytest.mark.parametrize("error, match, call", CALLING.values(), ids=CALLING)
def test_a_rule_of_calling_is_named_when_broken(error, match, call):
    module = graphed(mlp(), (sample(5, 8),))
    with pytest.raises(error, match=match):
        call(module, sample(5, 8))


def test_a_failed_build_leaves_the_module_as_it_was():
    class Odd(nn.Linear):
        def forward(self, x):
            return super().forward(x) * float(x.sum())

    module = Odd(4, 4).to(DEVICE)
    with pytest.raises(RuntimeError, match="captured"):
        graphed(module, (sample(2, 4),))
    assert "forward" not in module.__dict__
    module(sample(3, 4)).sum().backward()
