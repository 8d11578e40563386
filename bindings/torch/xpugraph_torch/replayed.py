# SPDX-License-Identifier: Apache-2.0
"""The autograd node behind a graphed callable: copies in, replays, hands out."""
import torch
from torch.utils import _pytree


class Replay:
    """Two graphs, and the memory that goes in and comes out."""

    def __init__(self, part):
        self.name = part.name()
        self.arguments, self.parameters, self.structure = part.arguments, part.parameters, part.structure
        self.outputs = tuple(output.detach() for output in part.outputs)
        self.no_gradient = [i for i, output in enumerate(part.outputs) if not output.requires_grad]
        self.grad_outputs, self.grad_inputs = part.grad_outputs, part.grad_inputs
        self.forward_graph, self.backward_graph = part.forward_graph, part.backward_graph
        # How often the forward graph ran: its intermediate results are those of the last time.
        self.runs = 0

    def __call__(self, *given, **keywords):
        leaves = self.arguments.check(given, keywords)
        results = _Node.apply(self, *leaves, *self.parameters)
        return _pytree.tree_unflatten(list(results), self.structure)


class _Node(torch.autograd.Function):
    """Of the module, and not a class for each callable: classes are garbage that only a collector finds."""

    @staticmethod
    def forward(ctx, replay, *given):
        for static, real in zip(replay.arguments.leaves, given):
            if static.data_ptr() != real.data_ptr():
                static.copy_(real)
        replay.forward_graph.replay()
        replay.runs += 1
        ctx.replay, ctx.run = replay, replay.runs
        handed = tuple(output.detach() for output in replay.outputs)
        ctx.mark_non_differentiable(*(handed[i] for i in replay.no_gradient))
        return handed

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *grads):
        replay = ctx.replay
        if ctx.run == 0:
            raise RuntimeError(f"{replay.name}: backward ran a second time for one forward pass, and the first time has "
                               "overwritten what it needs. Run the callable again instead of retain_graph=True")
        if ctx.run != replay.runs:
            raise RuntimeError(f"{replay.name}: the callable ran again before the backward pass of an earlier run, and "
                               "has overwritten what that needs. Run backward after each forward pass")
        ctx.run = 0
        for static, real in zip(replay.grad_outputs, grads):
            if static is not None:
                static.copy_(real)
        replay.backward_graph.replay()
        # Copies: `.grad` may adopt what is returned here, and the next replay would change it. All in one call, because
        # a call for each parameter would cost more than the replay.
        grads = [grad for grad in replay.grad_inputs if grad is not None]
        copies = iter(torch._foreach_clone(grads) if grads else ())
        return None, *(None if grad is None else next(copies) for grad in replay.grad_inputs)
