# SPDX-License-Identifier: Apache-2.0
"""The raw and the checked layer: layouts, names, exceptions, and that other threads go on."""
import ctypes
import pickle
import threading

import pytest

import xpugraph as xpu
from xpugraph import _checked, _raw

STRUCTS = [(header, name) for header in _raw.HEADERS for name in getattr(header, "LAYOUT", {})]


@pytest.mark.parametrize("header, name", STRUCTS, ids=lambda value: value if isinstance(
    value, str) else "")
def test_ctypes_lays_structs_out_as_the_compiler_does(header, name):
    struct, (size, offsets) = getattr(header, name), header.LAYOUT[name]

    assert ctypes.sizeof(struct) == size
    assert [getattr(struct, field).offset for field, *_ in struct._fields_] == offsets


def test_the_library_has_every_function_of_the_headers():
    names = [function.name for function in _checked.functions()]

    assert len(names) == len(set(names)) > 120
    assert all(callable(getattr(xpu.raw, name)) for name in names)


@pytest.mark.parametrize("code", list(xpu.ErrorCode), ids=lambda code: code.name)
def test_the_library_calls_each_code_as_the_raw_layer_does(code):
    assert xpu.raw.xpuGetErrorName(code).decode() == code.name


def test_a_failure_becomes_an_exception_with_the_librarys_sentence():
    with pytest.raises(xpu.InvalidValue) as caught:
        xpu.call.xpuMalloc(None, 16)

    error = caught.value
    assert (error.code, error.function, error.argument) == (
        xpu.ErrorCode.xpuErrorInvalidValue, "xpuMalloc", "devPtr")
    assert "devPtr" in error.sentence and error.sentence in str(error)
    assert isinstance(error, ValueError) and isinstance(error, RuntimeError)


def test_an_exception_takes_the_threads_last_error_over():
    with pytest.raises(xpu.XPUError):
        xpu.call.xpuMalloc(None, 16)

    assert xpu.raw.xpuPeekAtLastError() == 0


@pytest.mark.parametrize("call, kind", [
    (lambda: xpu.call.xpuStreamSynchronize(0x77), xpu.InvalidHandle),
    (lambda: xpu.Device(99).name, xpu.InvalidValue),
    (lambda: xpu.Event().elapsed_time(xpu.Event()), xpu.InvalidHandle),
    (lambda: xpu.call.xpuEventCreateWithFlags(ctypes.byref(_raw.xpuEvent_t()), 4),
     xpu.NotSupported),
    (lambda: xpu.empty(2 ** 48, "u1"), xpu.OutOfMemory),
    (lambda: xpu.empty(2 ** 48, "u1"), MemoryError),
    (lambda: xpu.Module(b"\x03\x02\x23\x07 and nothing else "), xpu.BuildError),
    (lambda: xpu.call.xpuStreamEndCapture(_raw.xpuStreamPerThread,
                                          ctypes.byref(_raw.xpuGraph_t())), xpu.IllegalState),
], ids=["handle", "device", "event", "unsupported", "memory", "memory_as_python_has_it", "image",
        "state"])
def test_each_kind_of_failure_has_its_class(call, kind):
    with pytest.raises(kind):
        call()


def test_exceptions_can_be_pickled():
    error = xpu.OutOfMemory(2, "no room", "xpuMalloc", "size", 7)

    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is xpu.OutOfMemory and str(copy) == str(error) and copy.code == 2


def test_a_code_of_a_newer_library_is_still_an_exception():
    from xpugraph.error import error_of

    assert error_of(4321, "new trouble").code == xpu.ErrorCode.xpuErrorUnknown
    assert "4321" in str(error_of(4321, "new trouble"))


@pytest.mark.results("executes", "calls_back")
def test_other_threads_run_while_one_waits():
    gate, seen = threading.Event(), []
    stream = xpu.Stream()
    stream.launch_host_func(lambda: seen.append(gate.wait(30)))
    opener = threading.Timer(0.05, gate.set)
    opener.start()

    # With the interpreter held in here, neither the timer nor the function could run.
    stream.synchronize()

    assert seen == [True]
