# SPDX-License-Identifier: Apache-2.0
"""Generators of the devices: seeds and states."""
import torch

from . import _C


def default_generator(device=None):
    """The generator that operations use when they are given none."""
    return _C.default_generator(_index(device))


def _index(device):
    if device is None:
        return torch.accelerator.current_device_index()
    if isinstance(device, int):
        return device
    index = torch.device(device).index
    return torch.accelerator.current_device_index() if index is None else index


def get_rng_state(device=None):
    return default_generator(device).get_state()


def get_rng_state_all():
    return [get_rng_state(index) for index in range(_C.device_count())]


def set_rng_state(new_state, device=None):
    default_generator(device).set_state(new_state)


def set_rng_state_all(new_states):
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed):
    default_generator().manual_seed(int(seed))


def manual_seed_all(seed):
    for index in range(_C.device_count()):
        default_generator(index).manual_seed(int(seed))


def seed():
    return default_generator().seed()


def seed_all():
    manual_seed_all(seed())


def initial_seed():
    return default_generator().initial_seed()
