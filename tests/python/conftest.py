# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the kernels of the API tests, and an expectation for each test's end."""
import gc
import os

import pytest

import xpugraph as xpu
from xpugraph import _capturing, _lifetime


@pytest.fixture(scope="session")
def kernels():
    """The module of tests/api/kernels.cl."""
    return xpu.Module(os.environ["XPU_TEST_KERNELS"])


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No test leaves a capture, another current stream or a destruction that was put off."""
    yield
    assert not _capturing.any_under_way()
    assert xpu.current_stream() is xpu.default_stream()
    for _ in range(3):  # what ends may be the last that keeps something else
        gc.collect()
        xpu.synchronize()
    assert _lifetime.left_over() == (0, 0)
