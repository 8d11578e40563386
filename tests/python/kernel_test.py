# SPDX-License-Identifier: Apache-2.0
"""Modules and kernels: how Python values become arguments, and what is refused."""
import ctypes
import os
import shutil

import numpy as np
import pytest

import xpugraph as xpu


def test_the_grid_counts_work_groups(kernels):
    out = xpu.zeros(6, np.int32)

    kernels["dims"][(2, 3), (4, 2, 1)](out)

    np.testing.assert_array_equal(out.get(), [2, 3, 1, 4, 2, 1])


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
def test_numbers_of_all_sizes_arrive(kernels, values):
    out = xpu.zeros(5, np.int64)

    kernels["mixed"][1, 1](out, *values)

    plain = [int.from_bytes(v, "little") if isinstance(v, bytes) else getattr(v, "value", v)
             for v in values]
    np.testing.assert_array_equal(out.get(), [*map(int, plain[:4]), int(plain[4] * 4)])


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


def test_local_memory_is_asked_for_by_its_size(kernels):
    buffer, out = xpu.asarray(np.arange(32, dtype=np.int32)), xpu.zeros(8, np.int32)

    kernels["reverse"][4, 8](buffer, xpu.LocalMemory(32))
    kernels["two_rooms"][1, 8](out, xpu.LocalMemory(32), xpu.LocalMemory(16), 100)

    np.testing.assert_array_equal(buffer.get(), np.arange(32).reshape(4, 8)[:, ::-1].ravel())
    turned = np.arange(7, -1, -1)
    np.testing.assert_array_equal(out.get(), (100 + turned) * 1000 + 2 * turned)


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


def test_a_kernel_keeps_its_module():
    kernel = xpu.Module(os.environ["XPU_TEST_KERNELS"])["store"]
    out = xpu.zeros(2, np.int32)

    kernel[1, 1](out, 1, 3)

    assert out[1].item() == 3


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


@pytest.mark.skipif(shutil.which("llvm-spirv-15") is None, reason="needs llvm-spirv-15")
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


def test_the_compilers_words_come_with_a_failed_build():
    with pytest.raises(xpu.BuildError) as caught:
        xpu.Module(b"this is no module")

    assert caught.value.log
    with pytest.raises(TypeError):
        xpu.Module(17)
