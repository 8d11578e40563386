# SPDX-License-Identifier: Apache-2.0
"""What callables and arguments may be, when they are graphed and at each call afterwards."""
import weakref

import torch
from torch.utils import _pytree

_HOOKS = {
    "_forward_hooks": "forward hook",
    "_forward_pre_hooks": "forward pre-hook",
    "_backward_hooks": "backward hook",
    "_backward_pre_hooks": "backward pre-hook",
}
_MARK = "_xpuref_graphed"


def check_callables(functions):
    if not functions:
        raise ValueError("callables is an empty tuple: there is nothing to graph")
    for place, function in enumerate(functions):
        if not callable(function):
            raise TypeError(
                f"callables must be a module or function or a tuple of them, not a {type(function).__name__}"
                f"{'' if len(functions) == 1 else f' (entry {place})'}")
        if isinstance(function, torch.nn.Module):
            _check_module(function)
            if any(function is other for other in functions[:place]):
                raise ValueError(f"callables has the same {type(function).__name__} twice: its forward pass can be "
                                 "replaced only once")
    return functions


def _check_module(module):
    kind = type(module).__name__
    for path, part in module.named_modules():
        where = f"submodule '{path}' of {kind}" if path else kind
        if _MARK in part.__dict__:
            raise RuntimeError(f"{where} was graphed already: graph it once, with all callables in one tuple")
        for attribute, hook in _HOOKS.items():
            if getattr(part, attribute, None):
                raise RuntimeError(
                    f"Modules must not have hooks registered at the time they are passed, and {where} has a {hook}: it "
                    "would run in the capture and never again. Remove it; hooks of the module itself may be registered "
                    "afterwards")
    for name, buffer in module.named_buffers():
        if buffer.requires_grad:
            raise RuntimeError(f"only parameters may be trainable, and buffer '{name}' of {kind} requires gradients: "
                               "make it a parameter, or set requires_grad to False")
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        if tensor.device.type != "xpuref":
            raise RuntimeError(f"'{name}' of {kind} is on {tensor.device}: move the module to the device first")
        if tensor._backward_hooks:
            raise RuntimeError(f"'{name}' of {kind} has a tensor hook, which would run in the capture and never again: "
                               "remove it")


def check_sample_args(functions, sample_args, one):
    if not isinstance(sample_args, tuple):
        raise TypeError(f"sample_args must be a tuple, not a {type(sample_args).__name__}: the arguments of the callable"
                        f"{'' if one else ', in a tuple for each'}")
    if one:
        return (sample_args,)
    if len(sample_args) != len(functions):
        raise ValueError(f"there are {len(functions)} callables and {len(sample_args)} tuples of sample_args: there must "
                         "be one for each")
    for place, sample in enumerate(sample_args):
        if not isinstance(sample, tuple):
            raise TypeError(f"entry {place} of sample_args must be the tuple of arguments of callable {place}, not a "
                            f"{type(sample).__name__}")
    return sample_args


def leaves_of(result, name):
    """The tensors of a callable's result, and how they are arranged."""
    leaves, structure = _pytree.tree_flatten(result)
    for leaf in leaves:
        if not isinstance(leaf, torch.Tensor):
            raise TypeError(f"{name} returned a {type(leaf).__name__}: a graphed callable can return tensors only, also "
                            "in tuples, lists and dicts, because a replay computes nothing else anew")
    return tuple(leaves), structure


class Arguments:
    """The sample arguments of one callable, and what real ones must be like."""

    def __init__(self, sample, name):
        self.name = name
        paths, self.structure = _pytree.tree_flatten_with_path(sample)
        self.names = tuple(f"argument {_pytree.keystr(path)}" for path, _ in paths)
        self.leaves = tuple(leaf for _, leaf in paths)
        for name, leaf in zip(self.names, self.leaves):
            if not isinstance(leaf, torch.Tensor):
                raise TypeError(f"{self.name}: {name} of sample_args is a {type(leaf).__name__}: sample_args must contain "
                                "only tensors. Bind other values with a lambda or functools.partial")
            if leaf.device.type != "xpuref":
                raise RuntimeError(f"{self.name}: {name} of sample_args is on {leaf.device}: move it to the device")
        self._check_apart()
        self._expected = [(leaf.shape, leaf.dtype, leaf.device, leaf.requires_grad) for leaf in self.leaves]

    def _check_apart(self):
        """Real arguments are copied into the samples, which must therefore not be one memory."""
        seen = {}
        for name, leaf in zip(self.names, self.leaves):
            if torch._debug_has_internal_overlap(leaf) == 1:
                raise RuntimeError(f"{self.name}: {name} of sample_args is an expanded tensor, whose elements share memory: "
                                   "pass its .contiguous()")
            other = seen.setdefault(leaf.data_ptr(), name) if leaf.numel() else name
            if other != name:
                raise RuntimeError(f"{self.name}: {other} and {name} of sample_args are the same memory, and real ones "
                                   "need not be: pass a clone")

    def check(self, given, keywords):
        """The tensors of real arguments, in order."""
        if keywords:
            raise TypeError(f"{self.name} was graphed and takes positional arguments only, in the order of sample_args; it "
                            f"was given {', '.join(keywords)} by keyword")
        leaves, structure = _pytree.tree_flatten(given)
        if structure != self.structure:
            raise TypeError(f"{self.name} was graphed with {len(self.leaves)} tensors as {self.structure}, and was given "
                            f"{len(leaves)} as {structure}: the arguments must have the structure of sample_args")
        grad_enabled = torch.is_grad_enabled()
        for name, leaf, (shape, dtype, device, requires_grad) in zip(self.names, leaves, self._expected):
            if not isinstance(leaf, torch.Tensor):
                raise TypeError(f"{self.name}: {name} must be a tensor, not a {type(leaf).__name__}")
            if leaf.shape != shape:
                raise ValueError(f"{self.name}: {name} has shape {tuple(leaf.shape)}, and was graphed with {tuple(shape)}: "
                                 "a graph has fixed shapes. Pad the input, or graph another callable for this shape")
            if leaf.dtype != dtype:
                raise ValueError(f"{self.name}: {name} is of {leaf.dtype}, and was graphed with {dtype}: convert it")
            if leaf.device != device:
                raise ValueError(f"{self.name}: {name} is on {leaf.device}, and was graphed on {device}: move it")
            if grad_enabled and leaf.requires_grad and not requires_grad:
                raise RuntimeError(f"{self.name}: {name} requires gradients, and its sample did not: there is no backward "
                                   "graph for it. Graph with a sample that requires gradients, or detach it")
        return leaves


class ModuleState:
    """What of a module its graphs rely on: which parameters and buffers it has, where, and its training flags."""

    def __init__(self, module):
        self.module = weakref.ref(module)
        self.kind = type(module).__name__
        # The dicts themselves are compared: walking the module at each call would cost more than a replay.
        self.tables, self.tensors, self.flags = [], [], []
        for path, part in module.named_modules():
            self.flags.append((part.__dict__, part.training))
            for table, kind in ((part._parameters, "parameter"), (part._buffers, "buffer")):
                self.tables.append((table, len(table), kind, path))
                for name, tensor in table.items():
                    if tensor is not None:
                        full = f"{path}.{name}" if path else name
                        self.tensors.append((table, name, tensor, tensor.data_ptr(), f"{kind} '{full}'"))

    def same_mode(self):
        return all(part["training"] == training for part, training in self.flags)

    def check(self):
        for table, count, kind, path in self.tables:
            if len(table) != count:
                raise RuntimeError(f"a {kind} was added to or removed from {self.kind}"
                                   f"{f' (submodule {path!r})' if path else ''} after it was graphed: the graph would not "
                                   "know. Change the module before it is graphed")
        for table, name, tensor, address, what in self.tensors:
            now = table.get(name)
            if now is not tensor or now.data_ptr() != address:
                raise RuntimeError(f"{what} of {self.kind} was replaced or moved after the module was graphed: the graph "
                                   "reads the old memory. Change it in place (copy_, load_state_dict), or graph again")

    def replace_forward(self, replay):
        """Makes the module's forward replay while everything is as it was."""
        module = self.module()
        before = module.__dict__.get("forward")
        # No reference to the module from its own attribute: graphs would die only when the collector runs.
        eager = before or type(module).forward

        def forward(owner, *given, **keywords):
            if not self.same_mode():
                return eager(*given, **keywords) if before else eager(owner, *given, **keywords)
            self.check()
            return replay(*given, **keywords)

        reference = self.module

        def bound(*given, **keywords):
            return forward(reference(), *given, **keywords)

        bound.__name__ = "forward"
        module.__dict__[_MARK] = True
        module.forward = bound
