# SPDX-License-Identifier: Apache-2.0
"""Operators, forward and backward, against the CPU: eager, and captured and replayed on new inputs.

The same CPU kernels run on both sides, in other threads and on other layouts, so that sums may be taken in
another order: a few units in the last place.
"""
import pytest
import torch
from conftest import DEVICE
from ops import CASES
from torch.utils import _pytree


def results(case, inputs):
    """What the operator returns, and the gradients of its inputs for a fixed weighting of its results."""
    outputs = [t for t in _pytree.tree_leaves(case.run(*inputs)) if isinstance(t, torch.Tensor)]
    wanted = [x for x in inputs if x.requires_grad]
    weighed = [(t * torch.linspace(0.5, 1.5, t.numel(), device=t.device).reshape(t.shape)).sum()
               for t in outputs if t.requires_grad]
    grads = torch.autograd.grad(sum(weighed), wanted, allow_unused=True) if weighed else ()
    return [t.detach() for t in outputs] + [g for g in grads if g is not None]


def with_gradients(case, tensors):
    return [t.requires_grad_(case.gradients and t.is_floating_point()) for t in tensors]


def check(mine, theirs):
    assert len(mine) == len(theirs) > 0
    for a, b in zip(mine, theirs):
        assert a.shape == b.shape and a.dtype == b.dtype
        torch.testing.assert_close(a.cpu(), b, rtol=2e-5, atol=2e-6)


def pair(case):
    theirs = case.inputs()
    mine = [t.to(DEVICE) for t in theirs]
    return with_gradients(case, mine), with_gradients(case, theirs)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_operator_agrees_with_the_cpu(case):
    mine, theirs = pair(case)
    check(results(case, mine), results(case, theirs))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_captured_operator_agrees_on_new_inputs(case):
    mine, theirs = pair(case)
    g = torch.xpuref.XPUGraph()
    if not case.capture:
        with pytest.raises(RuntimeError, match="captur"):
            with torch.xpuref.graph(g):
                results(case, mine)
        return
    with torch.xpuref.graph(g):
        captured = results(case, mine)
    for _ in range(2):
        theirs = with_gradients(case, case.inputs())
        with torch.no_grad():
            for static, fresh in zip(mine, theirs):
                static.copy_(fresh)
        g.replay()
        check(captured, results(case, theirs))


def test_there_are_enough_of_them():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 120
