# SPDX-License-Identifier: Apache-2.0
"""The operators that ops_test.py tries: for each a function and what makes its inputs.

Floating-point inputs get gradients. `capture` is false where the operator needs the host: then a capture must refuse it.
"""
from dataclasses import dataclass
from typing import Callable

import torch
from torch.nn import functional as F


@dataclass
class Case:
    name: str
    run: Callable
    inputs: Callable
    capture: bool = True
    gradients: bool = True


def normal(*sizes):
    return lambda: torch.randn(*sizes)


def positive(*sizes):
    return lambda: torch.rand(*sizes) + 0.5


def unit(*sizes):
    return lambda: torch.rand(*sizes) * 1.8 - 0.9


def labels(bound, *sizes):
    return lambda: torch.randint(0, bound, sizes)


def chance(*sizes):
    return lambda: torch.rand(*sizes) > 0.5


def distinct(*sizes):
    """No two equal, so that which is the largest does not depend on rounding."""
    def make():
        count = 1
        for size in sizes:
            count *= size
        return torch.randperm(count).reshape(sizes) * 0.37 - 3
    return make


def case(name, run, *makers, **options):
    return Case(name, run, lambda: [make() for make in makers], **options)


UNARY = [case(name, getattr(torch, name), make(3, 5)) for make, names in {
    normal: "abs neg exp sin cos tanh sigmoid square sign sinh cosh atan erf relu floor round expm1 sinc",
    positive: "log log2 log10 log1p sqrt rsqrt reciprocal digamma lgamma",
    unit: "asin acos atanh erfinv tan",
}.items() for name in names.split()]

ACTIVATIONS = [case(name, getattr(F, name), normal(4, 6)) for name in (
    "gelu silu elu selu celu softplus softsign hardtanh hardswish hardsigmoid leaky_relu mish logsigmoid relu6 "
    "tanhshrink softshrink hardshrink").split()] + [
    case("glu", lambda x: F.glu(x, 1), normal(4, 6)),
    case("prelu", F.prelu, normal(4, 6), positive(6)),
    case("threshold", lambda x: F.threshold(x, 0.1, 2.0), normal(4, 6)),
    case("gelu tanh", lambda x: F.gelu(x, approximate="tanh"), normal(4, 6)),
]

BINARY = [
    case("add", lambda a, b: a + b, normal(3, 4), normal(4)),
    case("add alpha", lambda a, b: torch.add(a, b, alpha=2.5), normal(3, 4), normal(3, 1)),
    case("add number", lambda a: a + 3, normal(3, 4)),
    case("sub", lambda a, b: a - b, normal(3, 1), normal(1, 4)),
    case("rsub", lambda a: 2 - a, normal(3, 4)),
    case("mul", lambda a, b: a * b, normal(2, 3, 4), normal(3, 1)),
    case("div", lambda a, b: a / b, normal(3, 4), positive(4)),
    case("pow", lambda a, b: a**b, positive(3, 4), normal(3, 4)),
    case("pow number", lambda a: a**3, normal(3, 4)),
    case("maximum", torch.maximum, normal(3, 4), normal(3, 4)),
    case("minimum", torch.minimum, normal(3, 4), normal(3, 4)),
    case("atan2", torch.atan2, normal(3, 4), positive(3, 4)),
    case("hypot", torch.hypot, positive(3, 4), positive(3, 4)),
    case("fmod", lambda a: torch.fmod(a, 0.7), positive(3, 4)),
    case("remainder", lambda a: torch.remainder(a, 0.7), positive(3, 4)),
    case("lerp", torch.lerp, normal(3, 4), normal(3, 4), positive(4)),
    case("addcmul", lambda a, b, c: torch.addcmul(a, b, c, value=0.3), normal(3, 4), normal(3, 4), normal(3, 4)),
    case("addcdiv", lambda a, b, c: torch.addcdiv(a, b, c, value=0.3), normal(3, 4), normal(3, 4), positive(3, 4)),
    case("clamp", lambda a: a.clamp(-0.5, 0.5), normal(3, 4)),
    case("where", lambda m, a, b: torch.where(m, a, b), chance(3, 4), normal(3, 4), normal(4)),
    case("compare", lambda a, b: (a > b) & (a != 0) | (b <= 0), normal(3, 4), normal(3, 4)),
    case("integers", lambda a, b: a // (b + 1) + a % (b + 1), labels(50, 9), labels(5, 9)),
    case("in place", lambda a, b: (a * 1).add_(b).mul_(2).sub_(b), normal(3, 4), normal(3, 4)),
    case("cast", lambda a: (a.double() * 2).float(), normal(3, 4)),
    case("half", lambda a: a.to(torch.bfloat16).float(), normal(3, 4)),
    case("out", lambda a, b: torch.add(a.detach(), b.detach(), out=torch.empty(0, device=a.device)), normal(3, 4),
         normal(3, 4), gradients=False),
]

REDUCTIONS = [
    case("sum", lambda a: a.sum(), normal(3, 4)),
    case("sum dim", lambda a: a.sum((0, 2), keepdim=True), normal(3, 4, 5)),
    case("mean", lambda a: a.mean(1), normal(3, 4)),
    case("prod", lambda a: a.prod(1), positive(3, 4), capture=False),  # backward looks for zeros
    case("amax", lambda a: a.amax(1), distinct(3, 4)),
    case("max dim", lambda a: a.max(1)[0], distinct(3, 4)),
    case("min dim", lambda a: a.min(0)[0], distinct(3, 4)),
    case("argmax", lambda a: a.argmax(1), distinct(3, 4)),
    case("argmin", lambda a: a.argmin(), distinct(3, 4)),
    case("var", lambda a: a.var(1), normal(3, 6)),
    case("std", lambda a: a.std(), normal(3, 6)),
    case("norm", lambda a: a.norm(dim=1), positive(3, 6)),
    case("logsumexp", lambda a: a.logsumexp(1), normal(3, 6)),
    case("cumsum", lambda a: a.cumsum(1), normal(3, 6)),
    case("cumprod", lambda a: a.cumprod(1), positive(3, 6), capture=False),
    case("any", lambda m: m.any(1), chance(3, 6)),
    case("all", lambda m: m.all(), chance(3, 6)),
    case("median", lambda a: a.median(1)[0], distinct(3, 5)),
    case("softmax", lambda a: a.softmax(1), normal(3, 6)),
    case("log_softmax", lambda a: a.log_softmax(0), normal(3, 6)),
    case("topk", lambda a: a.topk(2)[0], distinct(3, 6)),
    case("sort", lambda a: a.sort(1)[0], distinct(3, 6)),
    case("argsort", lambda a: a.argsort(1), distinct(3, 6)),
]

MATRICES = [
    case("mm", torch.mm, normal(3, 4), normal(4, 5)),
    case("bmm", torch.bmm, normal(2, 3, 4), normal(2, 4, 5)),
    case("addmm", torch.addmm, normal(5), normal(3, 4), normal(4, 5)),
    case("baddbmm", torch.baddbmm, normal(2, 3, 5), normal(2, 3, 4), normal(2, 4, 5)),
    case("mv", torch.mv, normal(3, 4), normal(4)),
    case("dot", torch.dot, normal(7), normal(7)),
    case("outer", torch.outer, normal(3), normal(4)),
    case("matmul", torch.matmul, normal(2, 3, 4), normal(4, 5)),
    case("transposed", lambda a, b: a.t() @ b.t(), normal(4, 3), normal(5, 4)),
    case("einsum", lambda a, b: torch.einsum("bij,bkj->bik", a, b), normal(2, 3, 4), normal(2, 5, 4)),
    case("linear", F.linear, normal(6, 4), normal(3, 4), normal(3)),
    case("bilinear", F.bilinear, normal(6, 4), normal(6, 3), normal(2, 4, 3), normal(2)),
    case("kron", torch.kron, normal(2, 3), normal(3, 2)),
    case("triu", lambda a: a.triu(1) + a.tril(-1), normal(4, 4)),
    case("diagonal", lambda a: a.diagonal() * 2, normal(4, 4)),
    case("diag_embed", lambda a: torch.diag_embed(a), normal(4)),
    case("trace", torch.trace, normal(4, 4)),
]

SHAPES = [
    case("view", lambda a: a.view(2, 6) * 2, normal(3, 4)),
    case("transpose", lambda a: a.transpose(0, 1).contiguous(), normal(3, 4)),
    case("permute", lambda a: a.permute(2, 0, 1) * 1, normal(2, 3, 4)),
    case("expand", lambda a: a.expand(3, 4) * 2, normal(1, 4)),
    case("squeeze", lambda a: a.squeeze(1).unsqueeze(0) + 1, normal(3, 1, 4)),
    case("slice", lambda a: a[1:, ::2] * 3, normal(4, 6)),
    case("select", lambda a: a[:, 2].exp(), normal(4, 6)),
    case("narrow", lambda a: a.narrow(1, 1, 3).sin(), normal(4, 6)),
    case("cat", lambda a, b: torch.cat((a, b), 1), normal(3, 2), normal(3, 4)),
    case("stack", lambda a, b: torch.stack((a, b), 1), normal(3, 2), normal(3, 2)),
    case("split", lambda a: [t * i for i, t in enumerate(a.split(2, 1))], normal(3, 5)),
    case("chunk", lambda a: [t.exp() for t in a.chunk(2)], normal(4, 3)),
    case("unbind", lambda a: [t.exp() for t in a.unbind(1)], normal(3, 2)),
    case("repeat", lambda a: a.repeat(2, 3), normal(2, 2)),
    case("repeat_interleave", lambda a: a.repeat_interleave(3, 1), normal(2, 2)),
    case("tile", lambda a: a.tile(2, 2), normal(2, 3)),
    case("flip", lambda a: a.flip(0, 1), normal(3, 4)),
    case("roll", lambda a: a.roll(2, 1), normal(3, 4)),
    case("rot90", lambda a: a.rot90(), normal(3, 4)),
    case("pad", lambda a: F.pad(a, (1, 2), value=0.5), normal(3, 4)),
    case("reflect", lambda a: F.pad(a, (1, 2), mode="reflect"), normal(1, 3, 4)),
    case("unfold", lambda a: a.unfold(1, 3, 2) * 2, normal(2, 7)),
    case("copy_", lambda a, b: (a * 1).copy_(b.t()), normal(3, 4), normal(4, 3)),
    case("masked_fill", lambda a, m: a.masked_fill(m, -1.5), normal(3, 4), chance(3, 4)),
    case("gather", lambda a, i: a.gather(1, i), normal(3, 4), labels(4, 3, 2)),
    case("scatter", lambda a, b: torch.zeros_like(a).scatter(1, b.argsort(1), a), normal(3, 4), distinct(3, 4)),
    case("scatter_add", lambda a, i: torch.zeros(3, 4, device=a.device).scatter_add(1, i, a), normal(3, 6), labels(4, 3, 6)),
    case("index_select", lambda a, i: a.index_select(1, i), normal(3, 4), labels(4, 5)),
    case("index", lambda a, i: a[i], normal(5, 4), labels(5, 6)),
    case("index_put", lambda a, i: (a * 1).index_put((i,), a[:1], accumulate=True), normal(5, 4), labels(5, 6)),
    case("mask write", lambda a, m: torch.where(m, torch.zeros_like(a), a), normal(5, 4), chance(5, 4)),
    case("arange", lambda a: a + torch.arange(4, device=a.device), normal(3, 4)),
    case("eye", lambda a: a @ torch.eye(4, device=a.device), normal(3, 4)),
    case("linspace", lambda a: a * torch.linspace(0, 1, 4, device=a.device), normal(3, 4)),
    case("full", lambda a: a + torch.full((4,), 2.5, device=a.device), normal(3, 4)),
    case("one_hot", lambda i: F.one_hot(i, 5), labels(5, 7)),
    case("complex", lambda a, b: torch.view_as_real(torch.complex(a, b) * torch.complex(b, a).conj()), normal(3, 2),
         normal(3, 2)),
    case("boolean index", lambda a, m: a[m], normal(5, 4), chance(5, 4), capture=False),
    case("nonzero", lambda m: m.nonzero(), chance(5, 4), capture=False),
    case("masked_select", lambda a, m: a.masked_select(m), normal(5, 4), chance(5, 4), capture=False),
    case("unique", lambda i: i.unique(), labels(5, 9), capture=False),
    case("bincount", lambda i: i.bincount(), labels(5, 9), capture=False),
]

LAYERS = [
    case("conv1d", lambda x, w, b: F.conv1d(x, w, b, padding=1), normal(2, 3, 8), normal(4, 3, 3), normal(4)),
    case("conv2d", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), normal(2, 3, 8, 8), normal(4, 3, 3, 3), normal(4)),
    case("conv2d groups", lambda x, w: F.conv2d(x, w, groups=2, dilation=2), normal(2, 4, 8, 8), normal(4, 2, 3, 3)),
    case("conv3d", F.conv3d, normal(1, 2, 4, 4, 4), normal(3, 2, 2, 2, 2), normal(3)),
    case("conv_transpose2d", lambda x, w: F.conv_transpose2d(x, w, stride=2), normal(2, 3, 4, 4), normal(3, 4, 2, 2)),
    case("max_pool1d", lambda x: F.max_pool1d(x, 2), distinct(2, 3, 8)),
    case("max_pool2d", lambda x: F.max_pool2d(x, 2), distinct(2, 3, 6, 6)),
    case("avg_pool2d", lambda x: F.avg_pool2d(x, 2), normal(2, 3, 6, 6)),
    case("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, 2), normal(2, 3, 6, 6)),
    case("adaptive_max_pool2d", lambda x: F.adaptive_max_pool2d(x, 2), distinct(2, 3, 6, 6)),
    case("interpolate", lambda x: F.interpolate(x, scale_factor=2), normal(2, 3, 4, 4)),
    case("interpolate bilinear", lambda x: F.interpolate(x, size=(5, 7), mode="bilinear"), normal(2, 3, 4, 4)),
    case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), normal(1, 8, 3, 3)),
    case("batch_norm", lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), normal(4, 3, 5), normal(3), normal(3)),
    case("batch_norm eval", lambda x, m, v: F.batch_norm(x, m.detach(), v.detach()), normal(4, 3, 5), normal(3), positive(3)),
    case("layer_norm", lambda x, w, b: F.layer_norm(x, (6,), w, b), normal(4, 6), normal(6), normal(6)),
    case("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), normal(3, 4, 5), normal(4), normal(4)),
    case("instance_norm", F.instance_norm, normal(3, 4, 5)),
    case("rms_norm", lambda x, w: F.rms_norm(x, (6,), w), normal(4, 6), normal(6)),
    case("local_response_norm", lambda x: F.local_response_norm(x, 2), normal(3, 4, 5)),
    case("normalize", F.normalize, normal(4, 6)),
    case("embedding", lambda w, i: F.embedding(i, w), normal(7, 4), labels(7, 3, 2)),
    case("embedding_bag", lambda w, i: F.embedding_bag(i, w, mode="mean"), normal(7, 4), labels(7, 3, 2), capture=False),
    case("attention", F.scaled_dot_product_attention, normal(2, 2, 5, 4), normal(2, 2, 6, 4), normal(2, 2, 6, 4)),
    case("causal attention", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), normal(2, 2, 5, 4),
         normal(2, 2, 5, 4), normal(2, 2, 5, 4)),
    case("masked attention", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), normal(2, 2, 5, 4),
         normal(2, 2, 6, 4), normal(2, 2, 6, 4), normal(5, 6)),
    case("dropout eval", lambda x: F.dropout(x, training=False), normal(3, 4)),
]

LOSSES = [
    case("mse_loss", F.mse_loss, normal(4, 5), normal(4, 5)),
    case("l1_loss", F.l1_loss, normal(4, 5), normal(4, 5)),
    case("smooth_l1_loss", F.smooth_l1_loss, normal(4, 5), normal(4, 5)),
    case("huber_loss", F.huber_loss, normal(4, 5), normal(4, 5)),
    case("cross_entropy", F.cross_entropy, normal(4, 5), labels(5, 4)),
    case("cross_entropy smooth", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), normal(4, 5), labels(5, 4)),
    case("nll_loss", lambda x, t: F.nll_loss(x.log_softmax(1), t), normal(4, 5), labels(5, 4)),
    case("binary_cross_entropy", lambda x, t: F.binary_cross_entropy(x.sigmoid(), t.sigmoid()), normal(4, 5), normal(4, 5)),
    case("bce logits", lambda x, t: F.binary_cross_entropy_with_logits(x, t.sigmoid()), normal(4, 5), normal(4, 5)),
    case("kl_div", lambda x, t: F.kl_div(x.log_softmax(1), t.softmax(1), reduction="batchmean"), normal(4, 5), normal(4, 5)),
    case("cosine_similarity", F.cosine_similarity, normal(4, 5), normal(4, 5)),
    case("cosine_embedding_loss", lambda a, b: F.cosine_embedding_loss(a, b, torch.ones(4, device=a.device)), normal(4, 5),
         normal(4, 5)),
    case("triplet_margin_loss", F.triplet_margin_loss, normal(4, 5), normal(4, 5), normal(4, 5)),
    case("hinge_embedding_loss", lambda x: F.hinge_embedding_loss(x, x.detach().sign()), normal(4, 5)),
    case("poisson_nll_loss", lambda x, t: F.poisson_nll_loss(x, t.detach()), normal(4, 5), positive(4, 5)),
    case("gaussian_nll_loss", lambda x, t, v: F.gaussian_nll_loss(x, t, v, full=False), normal(4, 5), normal(4, 5),
         positive(4, 5), capture=False),
    case("multi_margin_loss", F.multi_margin_loss, normal(4, 5), labels(5, 4), capture=False),
    case("pdist", F.pdist, normal(4, 5)),
    case("cdist", torch.cdist, normal(4, 5), normal(3, 5)),
]

CASES = UNARY + ACTIVATIONS + BINARY + REDUCTIONS + MATRICES + SHAPES + LAYERS + LOSSES
