# SPDX-License-Identifier: Apache-2.0
"""Modules and kernels: how Python values become arguments, and what is refused."""
import ctypes
import os
import threading

import numpy as np
import pytest

import xpugraph as xpu
from xpugraph._source import tools


@pytest.mark.results("executes")
def test_the_grid_counts_work_groups(kernels):
    out = xpu.zeros(6, np.int32)

    kernels["dims"][(2, 3), (4, 2, 1)](out)

    np.testing.assert_array_equal(out.get(), [2, 3, 1, 4, 2, 1])


@pytest.mark.results("executes")
def test_the_first_extent_is_that_of_global_id_0(kernels):
    out = xpu.zeros((2, 4, 6), np.int32)

    kernels["place"][(3, 2, 2), (2, 2, 1)](out)

    z, y, x = np.indices((2, 4, 6))
    np.testing.assert_array_equal(out.get(), x + 100 * y + 10000 * z)


@pytest.mark.parametrize("values", [
    (-3, -300, -70000, -2 ** 40, 1.25),
    (np.int8(5), np.int16(-7), np.int32(9), np.int64(11), np.float32(-0.5)),
    (ctypes.c_int8(1), ctypes.c_int16(2), ctypes.c_int32(3), ctypes.c_int64(4), ctypes.c_float(2)),
    (b"\x01", b"\x02\x00", b"\x03\x00\x00\x00", (4).to_bytes(8, "little"), np.float32(3)),
], ids=["python", "numpy", "ctypes", "bytes"])
@pytest.mark.results("executes")
def test_numbers_of_all_sizes_arrive(kernels, values):
    out = xpu.zeros(5, np.int64)

    kernels["mixed"][1, 1](out, *values)

    plain = [int.from_bytes(v, "little") if isinstance(v, bytes) else getattr(v, "value", v)
             for v in values]
    np.testing.assert_array_equal(out.get(), [*map(int, plain[:4]), int(plain[4] * 4)])


@pytest.mark.results("executes")
def test_structs_and_vectors_arrive(kernels):
    record = np.zeros((), np.dtype([("a", "i2"), ("b", "i4"), ("c", "i8"), ("d", "3i4")],
                                   align=True))
    record[...] = (1, 2, 3, (4, 5, 6))
    out, vector = xpu.zeros(5, np.int64), xpu.zeros(3, np.int32)

    kernels["take_record"][1, 1](out, record[()], np.uint8(200))
    kernels["take_vector"][1, 1](vector, np.array([1, -2], np.int8).tobytes(),
                                 np.array([1, 2, 3, 4], np.int32).tobytes())

    np.testing.assert_array_equal(out.get(), [1, 2, 3, 4 + 50 + 600, 200])
    np.testing.assert_array_equal(vector.get(), [1, -2, 1 + 4 + 9 + 16])


@pytest.mark.results("executes")
def test_local_memory_is_asked_for_by_its_size(kernels):
    buffer, out = xpu.asarray(np.arange(32, dtype=np.int32)), xpu.zeros(8, np.int32)

    kernels["reverse"][4, 8](buffer, xpu.LocalMemory(32))
    kernels["two_rooms"][1, 8](out, xpu.LocalMemory(32), xpu.LocalMemory(16), 100)

    np.testing.assert_array_equal(buffer.get(), np.arange(32).reshape(4, 8)[:, ::-1].ravel())
    turned = np.arange(7, -1, -1)
    np.testing.assert_array_equal(out.get(), (100 + turned) * 1000 + 2 * turned)


@pytest.mark.results("executes")
def test_a_view_is_passed_by_its_own_address(kernels):
    buffer = xpu.zeros(8, np.int32)

    kernels["store"][1, 1](buffer[5:], 1, 42)

    assert buffer[6].item() == 42


@pytest.mark.parametrize("arguments, kind, words", [
    ((1,), TypeError, "takes 3 arguments, 1 were given"),
    ((None, 1, 2), TypeError, "argument 0 of store is a NoneType"),
    ((np.zeros(3), 1, 2), TypeError, "asarray"),
    ((0, 1 << 40, 2), OverflowError, "too few"),
    ((0, -(1 << 31) - 1, 2), OverflowError, "too few"),
    ((0, np.int64(1), 2), TypeError, "has 4 bytes, 8 were given"),
    ((0, b"123", 2), TypeError, "3 were given"),
    ((0, xpu.LocalMemory(8), 2), TypeError, "has 4 bytes"),
], ids=range(8))
def test_arguments_that_do_not_fit_are_refused(kernels, arguments, kind, words):
    with pytest.raises(kind, match=words):
        kernels["store"][1, 1](*arguments)


def test_a_float_needs_a_parameter_of_a_floats_size(kernels):
    with pytest.raises(TypeError, match="no float has"):
        kernels["mixed"][1, 1](xpu.zeros(5, np.int64), 1.5, 1, 1, 1, 1.0)


@pytest.mark.parametrize("grid, block, kind", [
    (0, 1, ValueError), (1, (1, 2, 3, 4), ValueError), (1, (), ValueError), (-1, 1, ValueError),
    (1, 1 << 20, xpu.InvalidValue), (1 << 33, 1, ValueError),
], ids=range(6))
def test_sizes_that_cannot_be_are_refused(kernels, grid, block, kind):
    with pytest.raises(kind):
        kernels["noop"][grid, block]()


@pytest.mark.results("executes")
def test_a_required_work_group_is_told_and_demanded(kernels):
    assert kernels["only_8_4_2"].attributes.required_work_group == (8, 4, 2)
    assert kernels["noop"].attributes.required_work_group is None
    out = xpu.zeros(1, np.int32)

    kernels["only_8_4_2"][1, (8, 4, 2)](out)

    assert out.item() == 842
    with pytest.raises(xpu.InvalidValue):
        kernels["only_8_4_2"][1, 64](out)


def test_an_unknown_kernel_is_a_key_error_that_lists_the_known(kernels):
    with pytest.raises(KeyError, match="vector_add"):
        kernels["nothing"]


@pytest.mark.results("executes")
def test_a_kernel_keeps_its_module():
    kernel = xpu.Module(os.environ["XPU_TEST_KERNELS"])["store"]
    out = xpu.zeros(2, np.int32)

    kernel[1, 1](out, 1, 3)

    assert out[1].item() == 3


@pytest.mark.results("executes")
def test_a_module_can_be_loaded_in_a_capture():
    out, g = xpu.zeros(1, np.int32), xpu.XPUGraph()
    with xpu.graph(g):
        xpu.Module(os.environ["XPU_TEST_KERNELS"])["store"][1, 1](out, 0, 6)

    g.replay()

    assert out.item() == 6


def test_a_kernel_of_a_native_module_is_the_callers(kernels):
    driver, device, context = xpu.Device().native

    assert 0 not in (driver, device, context)
    with pytest.raises(xpu.XPUError):
        xpu.Kernel.from_native(0, "store")


@pytest.mark.skipif(tools() is None, reason="needs clang and llvm-spirv")
@pytest.mark.results("executes")
def test_opencl_c_is_compiled_where_the_tools_are():
    module = xpu.Module.from_source(
        "kernel void scale(global float* p, float by) { p[get_global_id(0)] *= by * FACTOR; }",
        ["-DFACTOR=2"])
    buffer = xpu.asarray(np.arange(8, dtype=np.float32))

    module["scale"][2, 4](buffer, 1.5)

    np.testing.assert_array_equal(buffer.get(), np.arange(8) * 3)
    with pytest.raises(xpu.BuildError, match="undeclared") as caught:
        xpu.Module.from_source("kernel void broken() { undeclared(); }\n#error no")
    assert "kernel.cl:" in caught.value.log


def test_opencl_c_without_the_tools_says_which_are_missing(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")

    with pytest.raises(xpu.NotSupported, match="llvm-spirv"):
        xpu.Module.from_source("kernel void k() {}")


@pytest.mark.needs("validates")
def test_the_compilers_words_come_with_a_failed_build():
    with pytest.raises(xpu.BuildError) as caught:
        xpu.Module(b"this is no module")

    assert caught.value.log
    with pytest.raises(TypeError):
        xpu.Module(17)


# Of each size that the parameters of `mixed` have: what C must read, as NumPy and int.to_bytes() write it.
INTEGERS = {1: [-128, -1, 0, 127, 128, 255, True], 2: [-2 ** 15, 2 ** 15 - 1, 2 ** 16 - 1, False],
            4: [-2 ** 31, 2 ** 31, 2 ** 32 - 1], 8: [-2 ** 63, 2 ** 63, 2 ** 64 - 1]}
FLOATS = [0.0, -1.5, 1e-45, 1e300, float("inf"), float("-inf"), float("nan"), 0.1]


def in_single_precision(value):
    with np.errstate(over="ignore"):
        return np.array(value, np.float32).tobytes()


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("index, value, data", [
    *((index, value, int(value).to_bytes(size, "little", signed=value < 0))
      for index, (size, values) in enumerate(INTEGERS.items(), 1) for value in values),
    *((5, value, in_single_precision(value)) for value in FLOATS),
    *((index, kind(100), kind(100).tobytes())
      for index, kind in enumerate((np.uint8, np.int16, np.uint32, np.int64, np.float32), 1)),
    (3, np.float32(0.1), np.float32(0.1).tobytes()), (4, np.float64(0.1), np.float64(0.1).tobytes()),
    (1, np.bool_(True), b"\x01"), (2, np.float16(0.1), np.float16(0.1).tobytes()),
], ids=lambda value: repr(value) if isinstance(value, (int, float, np.generic)) else "")
def test_c_reads_every_value_as_it_is(kernels, index, value, data):
    signature = kernels["mixed"].signature
    values = [xpu.zeros(5, np.int64), 0, 0, 0, 0, 0.0]
    values[index] = value
    size = signature.sizes[index]

    for frame in (signature.taken(values, xpu.current_stream()), signature.frame_of(values)):
        assert ctypes.string_at(frame.pointers[index], size) == data
        assert ctypes.string_at(frame.pointers[0], 8) == values[0].pointer.to_bytes(8, "little")


@pytest.mark.results("executes")
def test_threads_launch_with_arguments_of_their_own(kernels):
    store, wrong = kernels["store"], []

    def work(number):
        out = xpu.zeros(200, np.int32)
        for i in range(200):
            store[1, 1](out, i, 1000 * number + i)
        if list(out.get()) != list(range(1000 * number, 1000 * number + 200)):
            wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


@pytest.mark.results("executes")
def test_a_launch_may_come_in_the_middle_of_another(kernels):
    """As from a signal handler; here from what an argument is asked for."""
    out, store = xpu.zeros(2, np.int32), kernels["store"]

    class Nested:
        @property
        def __sycl_usm_array_interface__(self):
            store[1, 1](out, 1, 22)
            return out.__sycl_usm_array_interface__

    store[1, 1](Nested(), 0, 11)

    assert list(out.get()) == [11, 22]


@pytest.mark.results("executes")
def test_what_was_wrong_is_refused_again_and_spoils_nothing(kernels):
    out, store = xpu.zeros(1, np.int32), kernels["store"]
    for _ in range(3):
        with pytest.raises(OverflowError):
            store[1, 1](out, 0, 1 << 32)
        with pytest.raises(TypeError, match="takes 3 arguments"):
            store[1, 1](out, 0)
        with pytest.raises(TypeError, match="argument 2 of store is a str"):
            store[1, 1](out, 0, "7")
        store[1, 1](out, 0, 7)

    assert out.item() == 7


@pytest.mark.parametrize("grid", [2.0, (2.0,), (True + 1.0, 1), "2"])
def test_extents_are_whole_numbers_also_when_known(kernels, grid):
    kernels["noop"][2, 1]()
    kernels["noop"][(2,), 1]()
    with pytest.raises(TypeError, match="extents of the grid are integers"):
        kernels["noop"][grid, 1]


def test_a_buffer_of_a_lost_capture_is_refused_by_launches(kernels):
    with pytest.raises(ZeroDivisionError), xpu.graph(xpu.XPUGraph()):
        lost = xpu.empty(4, np.int32)
        side = xpu.Stream()
        side.wait_stream(xpu.current_stream())
        kernels["noop"][1, 1](stream=side)
        1 / 0
    for _ in range(2):
        with pytest.raises(xpu.InvalidValue, match="its memory is gone"):
            kernels["store"][1, 1](lost, 0, 1)


VARIABLES = """
global int counter = 7;
global float table[4] = {1, 2, 3, 4};
kernel void count(int by) { counter += by; }
kernel void scale(float by) { table[get_global_id(0)] *= by; }
"""


@pytest.mark.results("executes")
def test_a_variable_of_a_module_is_a_buffer():
    module = xpu.Module.from_source(VARIABLES)
    counter, table = module.variable("counter", np.int32), module.variable("table", np.float32)
    assert (counter.shape, table.shape) == ((1,), (4,))
    g = xpu.XPUGraph()
    with xpu.graph(g):
        module["count"][1, 1](2)
        module["scale"][1, 4](np.float32(2))
    del module
    g.replay()
    g.replay()
    assert counter.get()[0] == 11
    assert list(table.get()) == [4, 8, 12, 16]
    counter.copy_(np.array([1], np.int32))
    g.replay()
    assert counter.get()[0] == 3


def test_a_module_has_no_other_variables():
    module = xpu.Module.from_source(VARIABLES)
    with pytest.raises(xpu.SymbolNotFound, match="nothing"):
        module.variable("nothing")
    with pytest.raises(ValueError, match="16 bytes"):
        module.variable("table", np.dtype("V3"))
