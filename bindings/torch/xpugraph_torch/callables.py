# SPDX-License-Identifier: Apache-2.0
"""make_graphed_callables: functions and modules whose forward and backward passes are graph replays."""
import torch

from .contract import Arguments, ModuleState, check_callables, check_sample_args, leaves_of
from .graphs import XPUGraph, graph, graph_pool_handle
from .random import get_rng_state, set_rng_state
from .replayed import Replay
from .streams import Stream, stream as use_stream, synchronize


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Functions or modules whose work runs as graphs, in place of the given ones.

    Each becomes one autograd node: forward replays one graph, backward another. Modules are changed in place
    and returned; they replay only while the training flags of all submodules are as they were here, and
    run as before otherwise. Random generators and buffers are left as they were.

    Parameters
    ----------
    callables
        A module or function, or a tuple of them in the order in which they will run.
    sample_args
        A tuple of tensors (nested tuples, lists and dicts may hold them), or a tuple of such tuples. Their
        memory is that of the inputs from then on. Real arguments must have the same structure, shapes,
        types and device, and may require gradients only where the samples do.
    num_warmup_iters
        How often each runs before the capture; DistributedDataParallel wants 11.
    allow_unused_input
        Whether an input or parameter may have no part in the outputs; its gradient is None then.
    pool
        A pool to share memory with other graphs, from graph_pool_handle() or XPUGraph.pool().

    Returns
    -------
    object
        As `callables`: one, or a tuple. Outputs are the graph's own memory, which the next call overwrites;
        gradients are copies.

    Raises
    ------
    TypeError, RuntimeError, ValueError
        A rule is broken; the message says which, of what, and what to do. Nothing is changed then.
    """
    if torch.is_autocast_enabled("xpuref") and torch.is_autocast_cache_enabled():
        raise RuntimeError(
            "make_graphed_callables does not support autocast's cache: its casts would be made once, in the capture "
            "of the first callable. Use torch.autocast(..., cache_enabled=False)")
    if isinstance(num_warmup_iters, bool) or not isinstance(num_warmup_iters, int) or num_warmup_iters < 0:
        raise ValueError(f"num_warmup_iters must be a number of at least 0, not {num_warmup_iters!r}")
    one = not isinstance(callables, tuple)
    functions = check_callables((callables,) if one else callables)
    samples = check_sample_args(functions, sample_args, one)

    parts = [_Part(function, sample, allow_unused_input) for function, sample in zip(functions, samples)]
    pool = graph_pool_handle() if pool is None else pool
    # Warm-up and capture in one stream: gradients of parameters are accumulated in the stream that saw a
    # parameter first, which another stream would have to wait for in the capture.
    stream = Stream()
    try:
        with _Unchanged(parts), use_stream(stream):
            synchronize()
            for part in parts:
                for _ in range(num_warmup_iters):
                    part.warm_up()
            synchronize()
            for part in parts:
                part.capture_forward(pool, stream)
            for part in reversed(parts):
                part.capture_backward(pool, stream)
    except BaseException:
        for part in parts:
            part.drop()
        raise
    graphed = tuple(part.finish() for part in parts)
    return graphed[0] if one else graphed


class _Unchanged:
    """Puts buffers and the generator back: warming up must not count as training."""

    def __init__(self, parts):
        self.buffers = [buffer for part in parts for buffer in part.buffers()]

    def __enter__(self):
        self.values = [buffer.detach().clone() for buffer in self.buffers]
        self.random = get_rng_state()

    def __exit__(self, *error):
        with torch.no_grad():
            for buffer, value in zip(self.buffers, self.values):
                buffer.copy_(value)
        set_rng_state(self.random)


class _Part:
    """One callable on its way to two graphs."""

    def __init__(self, function, sample, allow_unused):
        self.function = function
        self.sample = sample
        self.allow_unused = allow_unused
        self.module = function if isinstance(function, torch.nn.Module) else None
        self.arguments = Arguments(sample, self.name())
        named = list(self.module.named_parameters()) if self.module is not None else []
        self.parameters = tuple(parameter for _, parameter in named)
        self.inputs = self.arguments.leaves + self.parameters
        self.input_names = self.arguments.names + tuple(f"parameter '{name}'" for name, _ in named)
        self.forward_graph, self.backward_graph = XPUGraph(), XPUGraph()
        self.outputs = self.grad_outputs = self.grad_inputs = None

    def name(self):
        return getattr(self.function, "__name__", type(self.function).__name__)

    def buffers(self):
        return list(self.module.buffers()) if self.module is not None else []

    def wanted(self):
        return tuple(tensor for tensor in self.inputs if tensor.requires_grad)

    def gradients(self, outputs, grad_outputs):
        """Gradients of all inputs that require them, by autograd."""
        grads = torch.autograd.grad(outputs, self.wanted(), grad_outputs, allow_unused=True)
        if not self.allow_unused:
            names = [name for name, tensor in zip(self.input_names, self.inputs) if tensor.requires_grad]
            unused = [name for name, grad in zip(names, grads) if grad is None]
            if unused:
                raise RuntimeError(
                    f"{self.name()}: {', '.join(unused)} had no part in the outputs, so that the gradient is always "
                    "zero. Pass allow_unused_input=True if that is meant")
        return grads

    def warm_up(self):
        outputs, _ = leaves_of(self.function(*self.sample), self.name())
        differentiable = tuple(output for output in outputs if output.requires_grad)
        if differentiable and self.wanted():
            self.gradients(differentiable, tuple(torch.zeros_like(output) for output in differentiable))

    def capture_forward(self, pool, stream):
        with graph(self.forward_graph, pool, stream):
            result = self.function(*self.sample)
        self.outputs, self.structure = leaves_of(result, self.name())

    def capture_backward(self, pool, stream):
        # Outside of the capture: what the caller's gradients are copied into must outlive all graphs' reuse.
        self.grad_outputs = tuple(
            torch.zeros_like(output) if output.requires_grad else None for output in self.outputs)
        self.grad_inputs = (None,) * len(self.inputs)
        differentiable = tuple(output for output in self.outputs if output.requires_grad)
        if not differentiable or not self.wanted():
            return
        with graph(self.backward_graph, pool, stream):
            grads = iter(self.gradients(differentiable, tuple(g for g in self.grad_outputs if g is not None)))
        self.grad_inputs = tuple(next(grads) if tensor.requires_grad else None for tensor in self.inputs)

    def drop(self):
        self.forward_graph.reset()
        self.backward_graph.reset()

    def finish(self):
        run = Replay(self)
        if self.module is None:
            return run
        ModuleState(self.module).replace_forward(run)
        return self.module
