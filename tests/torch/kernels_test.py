# SPDX-License-Identifier: Apache-2.0
"""The device's own kernels: at the sizes and layouts where they take another path, against the CPU, and that they are what
runs. ops_test.py has every operator at one size.

Tolerance: float32 sums of n terms in another order differ by about sqrt(n) units in the last place; 3e-5 is that for the
longest sums here, with room.
"""
import copy

import pytest
import torch
from conftest import DEVICE, captured
from torch import nn
from torch.nn import functional as F
from training_test import MODELS, OPTIMIZERS, step

# Names of operators that have no kernel but are not part of a step: inputs are made on the CPU, results compared there.
HOST = torch.xpuref.host_operators


def close(mine, theirs, rtol=3e-5, atol=3e-5):
    torch.testing.assert_close(mine.cpu(), theirs, rtol=rtol, atol=atol)


def agree(run, *inputs, host=()):
    """`run` gives the same on both devices, also replayed on other inputs, and nothing runs on the host but `host`."""
    theirs = [tensor.clone() for tensor in inputs]
    mine = [tensor.to(DEVICE) for tensor in inputs]
    before = HOST()
    result = run(*mine)
    ran = {name for name, count in HOST().items() if count != before.get(name, 0)}
    assert ran == set(host)
    close(result, run(*theirs))
    if host:
        return
    g, result = captured(lambda: run(*mine))
    for tensor, other in zip(mine, theirs):
        if other.is_floating_point():
            other.mul_(0.75)
        tensor.copy_(other)
    g.replay()
    close(result, run(*theirs))


SIZES = [(1, 1, 1), (3, 5, 7), (4, 8, 8), (5, 9, 17), (16, 64, 128), (33, 130, 70), (129, 40, 96)]


@pytest.mark.parametrize("right", ["plain", "turned", "sliced"])
@pytest.mark.parametrize("left", ["plain", "turned", "sliced"])
def test_products_of_any_size_and_layout(left, right):
    def laid(tensor, how):
        if how == "turned":
            return tensor.t().contiguous().t()
        return torch.stack((tensor, tensor), -1)[..., 0] if how == "sliced" else tensor

    for rows, columns, depth in SIZES:
        agree(lambda a, b: laid(a, left) @ laid(b, right), torch.randn(rows, depth), torch.randn(depth, columns))


def test_products_add_what_they_are_given_and_ignore_it_for_a_beta_of_0():
    a, b = torch.randn(2, 6, 20), torch.randn(2, 20, 12)
    agree(lambda c, a, b: torch.baddbmm(c, a, b, beta=0.5, alpha=2), torch.randn(12), a, b)
    agree(lambda c, a, b: torch.baddbmm(c, a, b, beta=0), torch.full((1, 12), float("nan")), a, b)
    agree(lambda c, a, b: torch.addmm(c, a, b), torch.randn(6, 1), a[0], b[0])
    # What is computed twice at an edge is added once.
    for columns, turned in ((18, False), (34, True), (7, True)):
        c, right = torch.randn(5, columns), torch.randn(columns, 20)
        agree(lambda c, a, b: c.clone().addmm_(a[:5], b.t() if turned else b.t().contiguous()), c, a[0], right)
    agree(lambda a, b: a.transpose(1, 2).expand(3, 2, 20, 6)[1] @ b.transpose(1, 2)[:, :6].contiguous(), a, b)


def test_an_out_of_another_size_is_resized_as_on_the_cpu():
    a, b = torch.randn(5, 3), torch.randn(3, 4)
    out = torch.mm(a.to(DEVICE), b.to(DEVICE), out=torch.empty(0, device=DEVICE))
    close(out, a @ b)
    close(torch.sum(a.to(DEVICE), 1, out=torch.empty(0, device=DEVICE)), a.sum(1))
    close(torch.exp(a.to(DEVICE), out=torch.empty(0, device=DEVICE)), a.exp())


@pytest.mark.parametrize("size", [1, 65, 255, 256, 257, 1000, 70_001])
def test_elements_of_any_count(size):
    agree(lambda a, b: (a * b + a / (b.abs() + 1)).tanh() - 2 * a.sigmoid(), torch.randn(size), torch.randn(size))


def test_elements_of_any_layout():
    a, b = torch.randn(6, 5, 4, 3), torch.randn(4, 1)
    agree(lambda a, b: a.permute(3, 1, 2, 0)[:, ::2] + b, a, b)
    agree(lambda a, b: a.flatten()[::7].unsqueeze(1) * b.t(), a, b)
    agree(lambda a, b: a[:, 1:4].add_(b).relu_()[..., 1], a, b)
    odd = torch.randn(2, 3, 2, 3, 2, 3, 2, 3)
    agree(lambda a: a.permute(7, 0, 6, 1, 5, 2, 4, 3) + 1, odd)
    # More dimensions than an index has: on the host, and still right.
    agree(lambda a: a * a[:, :1, :, :1, :, :1, :, :1], odd, host=["aten::mul.out"])


def test_integers_and_comparisons():
    a, b = torch.randint(-9, 9, (40,)), torch.randint(-9, 9, (40,))
    agree(lambda a, b: torch.where(a < b, a * 3, b - a) + (a == 2).long(), a, b)
    agree(lambda a, b: (a >= b).float() + (a != 0).float(), a.float(), b.float())
    # A fraction is not cut off on its way to whole numbers.
    agree(lambda a: (a < torch.tensor(2.5)).float(), a, host=["aten::lt.Tensor_out"])
    agree(lambda a: (a > 2.5).float() + a + 0.5, a, host=["aten::gt.Scalar_out", "aten::add.out"])


def test_what_is_not_a_number_stays_so():
    x = torch.tensor([float("nan"), 1.0, -1.0, float("inf")])
    for run in (torch.relu, lambda x: x.clamp(-2, 2), lambda x: torch.maximum(x, x * 0 + 0.5), lambda x: x.amax(),
                lambda x: x.sigmoid(), lambda x: F.threshold(x, 0, 0) if x.is_cpu else F.relu(x)):
        theirs = run(x)
        torch.testing.assert_close(run(x.to(DEVICE)).cpu(), theirs, equal_nan=True)
    rows = torch.stack([x.repeat(2), torch.zeros(8)])
    torch.testing.assert_close(rows.to(DEVICE).amax(0).cpu(), rows.amax(0), equal_nan=True)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.bool])
def test_casts_there_and_back(kind):
    x = torch.cat((torch.randn(70) * 3, torch.zeros(1), torch.tensor([65504.0, 1e-7])))
    agree(lambda x: x[::2].to(kind).to(torch.float32), x)
    agree(lambda x: x.view(1, -1).to(kind)[:, 3:].float(), x)


@pytest.mark.parametrize("sizes", [(1,), (3, 5), (40, 7), (7, 40), (5, 300), (300, 5), (3, 4, 5, 6), (2, 70_000), (600, 16)])
def test_reductions_of_any_shape(sizes):
    x = torch.randn(*sizes) + 0.1
    for dims in [None, (0,), (-1,), tuple(range(len(sizes)))]:
        agree(lambda x: x.sum(dims) / 10, x)
        agree(lambda x: x.mean(dims, keepdim=True), x)
        agree(lambda x: x.amax(dims or ()) + x.amin(dims or ()), x)
        agree(lambda x: torch.linalg.vector_norm(x, dim=dims), x)
    if len(sizes) > 1:
        agree(lambda x: x.transpose(0, 1).sum(0), x)


def test_a_long_sum_keeps_its_digits():
    x = torch.full((1, 2_000_000), 0.1, device=DEVICE)
    assert abs(x.sum().item() / 200_000 - 1) < 1e-5


@pytest.mark.parametrize("sizes,dim", [((5, 3), 1), ((2, 100), 1), ((4, 6, 5), 1), ((3, 1), 0)])
def test_softmax_along_any_dimension(sizes, dim):
    x = torch.randn(*sizes) * 5
    agree(lambda x: x.softmax(dim), x)
    agree(lambda x: x.transpose(0, 1).log_softmax(1 - dim if dim < 2 else dim), x)
    agree(lambda x: torch.where(x > 0, x, -float("inf")).index_fill(dim, torch.zeros(1, dtype=torch.long, device=x.device), 1.0)
          .softmax(dim), x, host=["aten::index_fill_.int_Scalar"])


def test_layer_norm_without_weights_and_over_several_dimensions():
    x = torch.randn(4, 3, 50)
    agree(lambda x: F.layer_norm(x, (50,)), x)
    agree(lambda x: F.layer_norm(x + 10, (3, 50)), x)
    agree(lambda x, w: F.layer_norm(x, (50,), w), x, torch.randn(50))


@pytest.mark.parametrize("options", [{}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding": (2, 0)}, {"groups": 2}, {"stride": 3}])
def test_convolutions_and_their_gradients(options):
    groups = options.get("groups", 1)

    def run(x, w, b):
        x, w, b = (t.detach().requires_grad_() for t in (x, w, b))
        y = F.conv2d(x, w, b, **options)
        grads = torch.autograd.grad((y * y).sum(), (x, w, b))
        return torch.cat([t.flatten() for t in (y.detach(), *grads)]) / 10

    agree(run, torch.randn(3, 4, 9, 8) / 2, torch.randn(6, 4 // groups, 3, 3) / 2, torch.randn(6))


@pytest.mark.parametrize("options", [{}, {"stride": 1}, {"padding": 1}, {"dilation": 2, "stride": 1}, {"ceil_mode": True}])
def test_maximum_pooling_and_its_gradient(options):
    def run(x):
        x = x.detach().requires_grad_()
        y, places = F.max_pool2d(x, 2, return_indices=True, **options)
        return torch.autograd.grad((y * y).sum(), x)[0] + y.sum().detach() / 10 + places.float().sum() / 100

    agree(run, torch.randn(2, 3, 7, 9))


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_losses(reduction):
    x, target = torch.randn(70, 5), torch.randint(0, 5, (70,))
    target[3] = -100

    def gradient(loss):
        def run(x, *others):
            x = x.detach().requires_grad_()
            value = loss(x, *others)
            return torch.autograd.grad(value.sum(), x)[0] + value.detach().sum() / 100
        return run

    agree(gradient(lambda x, t, w: F.cross_entropy(x, t, w, reduction=reduction)), x, target, torch.rand(5) + 0.5)
    agree(gradient(lambda x, t: F.mse_loss(x, t, reduction=reduction)), x, torch.randn(70, 5))
    agree(gradient(lambda x, t: F.smooth_l1_loss(x, t, reduction=reduction, beta=0.7)), x, torch.randn(70, 5))
    agree(gradient(lambda x, t: F.binary_cross_entropy_with_logits(x, t, reduction=reduction)), x, torch.rand(70, 5))


def test_embeddings_and_their_gradients():
    def run(w, i):
        w = w.detach().requires_grad_()
        y = F.embedding(i, w, padding_idx=2)
        return torch.cat((torch.autograd.grad((y * y).sum(), w)[0], y.detach().flatten(0, -2)))

    agree(run, torch.randn(9, 70), torch.randint(0, 9, (4, 6)))


def test_dropout_keeps_the_share_it_should_and_the_same_in_the_backward_pass():
    x = torch.ones(200_000, device=DEVICE, requires_grad=True)
    y = F.dropout(x, 0.25)
    kept = (y > 0).float().mean().item()
    assert abs(kept - 0.75) < 0.005
    assert torch.equal(torch.autograd.grad(y.sum(), x)[0].cpu(), y.detach().cpu())
    assert abs(y.sum().item() / 200_000 - 1) < 0.01


def test_draws_have_their_distributions():
    x = torch.rand(200_000, device=DEVICE).cpu()
    assert 0 <= x.min() and x.max() < 1 and abs(x.mean() - 0.5) < 0.005 and abs(x.var() - 1 / 12) < 0.002
    assert abs(torch.corrcoef(torch.stack((x[1:], x[:-1])))[0, 1]) < 0.01
    x = torch.randn(200_000, device=DEVICE).cpu()
    assert abs(x.mean()) < 0.01 and abs(x.var() - 1) < 0.02 and abs((x**3).mean()) < 0.05 and abs((x**4).mean() - 3) < 0.1
    x = torch.empty(100, 50, device=DEVICE).t().bernoulli_(0.25).cpu()
    assert abs(x.mean() - 0.25) < 0.03 and set(x.unique().tolist()) == {0.0, 1.0}


def optimizer_step(make, count=40):
    """Parameters of some sizes, more than a launch has slots, after three steps."""
    def run(*gradients):
        torch.manual_seed(2)
        parameters = [torch.randn(1 + 149 * (i % 5)).to(gradients[0].device).requires_grad_() for i in range(count)]
        optimizer = make(parameters)
        for g in gradients:
            for i, p in enumerate(parameters):
                p.grad = g[:len(p)].clone() * (i + 1)
            optimizer.step()
        return torch.cat([p.detach() for p in parameters])
    return run


STEPS = {
    "sgd": lambda p: torch.optim.SGD(p, 0.1),
    "momentum": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.01, nesterov=True),
    "maximize": lambda p: torch.optim.SGD(p, 0.1, momentum=0.5, dampening=0.1, maximize=True),
    "adam": lambda p: torch.optim.Adam(p, 0.01, weight_decay=0.01, capturable=p[0].device.type != "cpu"),
    "adamw": lambda p: torch.optim.AdamW(p, 0.01, capturable=p[0].device.type != "cpu"),
    "fused sgd": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.01, nesterov=True, fused=True),
    "fused adam": lambda p: torch.optim.Adam(p, 0.01, weight_decay=0.01, maximize=True, fused=True),
    "fused adamw": lambda p: torch.optim.AdamW(p, 0.01, fused=True),
}


@pytest.mark.parametrize("make", STEPS.values(), ids=STEPS)
def test_optimizers_of_many_tensors(make):
    gradients = [torch.randn(600) for _ in range(3)]
    run = optimizer_step(make)
    before = HOST()
    mine = run(*[g.to(DEVICE) for g in gradients])
    assert HOST() == before
    close(mine, run(*gradients))


@pytest.mark.parametrize("found_inf", [0.0, 1.0])
@pytest.mark.parametrize("kind", ["sgd", "adam"])
def test_a_fused_step_puts_scaled_gradients_right_or_is_left_out(kind, found_inf):
    def run(p, g, first, second):
        p, g, first, second = ([t.clone(), t.clone()] for t in (p, g, first, second))
        scaling = {"grad_scale": torch.full((), 8.0, device=p[0].device), "found_inf": torch.full((), found_inf, device=p[0].device)}
        if kind == "sgd":
            torch._fused_sgd_(p, g, first, weight_decay=0.01, momentum=0.9, lr=0.1, dampening=0.0, nesterov=False, maximize=True,
                              is_first_step=False, **scaling)
        else:
            steps = [torch.ones((), device=p[0].device) for _ in p]
            torch._fused_adam_(p, g, first, second, [], steps, lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.01, eps=1e-8,
                               amsgrad=False, maximize=False, **scaling)
        return torch.stack(p + g + first + second)

    agree(run, *[torch.rand(300) + 0.1 for _ in range(4)])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("model", ["mlp", "convolutional", "transformer"])
def test_a_training_step_needs_no_host_operator(model, optimizer):
    make, inputs = MODELS[model]
    net = make().to(DEVICE)
    optimizer = OPTIMIZERS[optimizer](list(net.parameters()))
    x, target = inputs().to(DEVICE), torch.zeros(len(inputs()), dtype=torch.long, device=DEVICE)
    before = HOST()
    for _ in range(2):
        step(net, optimizer, x, target)
    after = HOST()
    assert {name for name in after if after[name] != before.get(name, 0)} == set()


def test_an_operator_without_a_kernel_is_counted():
    before = HOST().get("aten::sort.values_stable", 0)
    torch.randn(5, device=DEVICE).sort()
    assert HOST()["aten::sort.values_stable"] == before + 1


def test_masks_of_attention_need_no_host_operator():
    q = torch.randn(2, 2, 5, 4)
    agree(lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), q)
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    mine = copy.deepcopy(layer).to(DEVICE)
    x = torch.randn(3, 5, 8)
    close(mine(x.to(DEVICE)), layer(x))
