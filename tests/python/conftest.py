# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the kernels of the API tests, an expectation for each test's end, and what they need.

Devices that cannot show everything (tests/support/needs.h) are named by XPU_TEST_LACKS. There a test marked
`needs(word)` is left out, and one marked `results(word)` runs, but its assertions count as shown.
"""
import gc
import os
import traceback

import pytest

import xpugraph as xpu
from xpugraph import _capturing, _lifetime

LACKS = set(os.environ.get("XPU_TEST_LACKS", "").split(",")) - {""}
# Tests with results(), and whether something in them could not be shown; how many ran and were left out.
_in_part = {}
_counts = {"run": 0, "left out": 0}


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*words): left out on a device that lacks one of them")
    config.addinivalue_line("markers", "results(*words): runs everywhere; assertions may fail on a "
                                       "device that lacks one of them, and other exceptions may not")


def lacking(item, marker):
    """The words that a test has in its marks and the device has not."""
    return LACKS & {word for mark in item.iter_markers(marker) for word in mark.args}


def pytest_runtest_setup(item):
    missing = lacking(item, "needs")
    _counts["left out" if missing else "run"] += 1
    if missing:
        pytest.skip(f"the device lacks: {', '.join(sorted(missing))}")


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    outcome = yield
    if lacking(pyfuncitem, "results"):
        failed = outcome.excinfo is not None and issubclass(outcome.excinfo[0], AssertionError)
        _in_part.setdefault(pyfuncitem.function, []).append(failed)
        if failed:
            traceback.clear_frames(outcome.excinfo[2])  # or what the test made would live on
            outcome.force_result(True)


def pytest_sessionfinish(session):
    """A test that declares what it never asks for would hide a fault."""
    if LACKS:  # for tools/count_results.py
        print(f"\nfunctions: {_counts['run']} run, {sum(map(sum, _in_part.values()))} of them in part, "
              f"{_counts['left out']} left out")
    for function, failed in _in_part.items():
        if not any(failed) and not session.config.option.keyword:
            print(f"\n{function.__name__} is marked results() and shows everything here")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
