# SPDX-License-Identifier: Apache-2.0
"""Buffers: NumPy in and out, views, copies, fills, kinds of memory, other packages' arrays."""
import gc
import weakref

import numpy as np
import pytest

import xpugraph as xpu

DTYPES = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5), (2, 0, 3), (2, 3, 4)], ids=str)
@pytest.mark.results("executes")
def test_numpy_goes_in_and_comes_out(shape, dtype):
    array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)

    buffer = xpu.asarray(array)

    assert (buffer.shape, buffer.dtype, buffer.nbytes) == (shape, array.dtype, array.nbytes)
    assert buffer.ndim == len(shape) and buffer.size == array.size
    np.testing.assert_array_equal(buffer.get(), array)


@pytest.mark.results("executes")
def test_arrays_with_gaps_are_copied_in_their_order():
    array = np.arange(24).reshape(4, 6)

    np.testing.assert_array_equal(xpu.asarray(array.T[::2]).get(), array.T[::2])


@pytest.mark.results("executes")
def test_lists_and_scalars_become_buffers():
    np.testing.assert_array_equal(xpu.asarray([[1, 2], [3, 4]]).get(), [[1, 2], [3, 4]])
    assert xpu.asarray(2.5).item() == 2.5


@pytest.mark.results("executes")
def test_views_share_memory():
    buffer = xpu.asarray(np.arange(12, dtype=np.int32).reshape(4, 3))

    buffer[1:3].fill_(-1)
    buffer[-1] = np.array([7, 8, 9])

    np.testing.assert_array_equal(
        buffer.get(), [[0, 1, 2], [-1, -1, -1], [-1, -1, -1], [7, 8, 9]])
    assert buffer[2].pointer == buffer.pointer + 24 and buffer[2][1].item() == -1


@pytest.mark.results("executes")
def test_shapes_and_types_can_be_seen_otherwise():
    buffer = xpu.asarray(np.arange(6, dtype=np.uint32))

    assert buffer.reshape(2, -1).shape == (2, 3) and buffer.reshape((3, 2)).shape == (3, 2)
    np.testing.assert_array_equal(buffer.view(np.uint16).get(),
                                  np.arange(6, dtype=np.uint32).view(np.uint16))
    with pytest.raises(ValueError, match="cannot become"):
        buffer.reshape(4, 2)
    with pytest.raises(ValueError, match="no whole number"):
        xpu.zeros(3, np.uint8).view(np.uint32)


@pytest.mark.parametrize("value", [0, 1, -1, 1000, 0.1])
@pytest.mark.parametrize("dtype", ["i4", "f8"])
@pytest.mark.results("executes")
def test_a_fill_is_what_numpy_says(value, dtype):
    expected = np.full((5, 3), value, dtype) if dtype == "f8" else \
        np.full((5, 3), int(value), dtype)

    np.testing.assert_array_equal(
        xpu.full((5, 3), value if dtype == "f8" else int(value), dtype).get(), expected)


@pytest.mark.results("executes")
def test_copies_between_buffers_need_one_shape_and_dtype():
    target, source = xpu.zeros(4, np.int32), xpu.asarray(np.arange(4, dtype=np.int32))

    np.testing.assert_array_equal(target.copy_(source).get(), np.arange(4))
    with pytest.raises(ValueError, match="cannot be copied"):
        target.copy_(xpu.zeros(5, np.int32))
    with pytest.raises(ValueError, match="cannot be copied"):
        target.copy_(xpu.zeros(4, np.float32))


@pytest.mark.results("executes")
def test_a_copy_out_goes_into_the_array_that_is_given():
    target = np.zeros(4, np.int32)

    xpu.full(4, 9, np.int32).copy_to(target)

    np.testing.assert_array_equal(target, [9] * 4)
    with pytest.raises(ValueError, match="without gaps"):
        xpu.zeros(2, np.int32).copy_to(target[::2])


@pytest.mark.parametrize("memory", ["host", "shared"])
@pytest.mark.results("executes")
def test_numpy_sees_memory_that_the_host_can_read(kernels, memory):
    buffer = xpu.zeros(64, np.int32, memory=memory)
    xpu.synchronize()
    seen = buffer.numpy()
    seen[:] = 5

    kernels["axpb"][1, 64](buffer, 64, 2, 1)
    xpu.synchronize()

    np.testing.assert_array_equal(seen, [11] * 64)
    assert seen.ctypes.data == buffer.pointer
    np.testing.assert_array_equal(np.asarray(buffer), seen)
    assert bytes(memoryview(seen)) == bytes(buffer.get())


@pytest.mark.results("executes")
def test_a_numpy_view_keeps_the_memory(kernels):
    view = xpu.empty_pinned(1000, np.int64)
    gc.collect()

    view[:] = 3

    np.testing.assert_array_equal(xpu.asarray(view).get(), [3] * 1000)


def test_device_memory_says_how_to_read_it():
    with pytest.raises(TypeError, match="call get"):
        xpu.zeros(3).numpy()
    with pytest.raises(TypeError, match="call get"):
        np.asarray(xpu.zeros(3))


@pytest.mark.parametrize("wrong, kind", [
    (lambda: xpu.empty(-1), ValueError), (lambda: xpu.empty(3, object), TypeError),
    (lambda: xpu.empty(3, memory="disk"), ValueError), (lambda: xpu.zeros(3)[3], IndexError),
    (lambda: xpu.zeros(3)[::2], IndexError), (lambda: xpu.zeros(())[0], IndexError),
    (lambda: len(xpu.zeros(())), TypeError), (lambda: xpu.zeros(3).item(), ValueError),
    (lambda: xpu.asarray(xpu.zeros(3), np.int8), ValueError),
], ids=range(9))
def test_what_cannot_be_is_refused(wrong, kind):
    with pytest.raises(kind):
        wrong()


def test_dlpack_gives_numpy_the_same_memory():
    buffer = xpu.zeros((2, 3), np.float64, memory="host")
    xpu.synchronize()

    array = np.from_dlpack(buffer)
    buffer.numpy()[1, 2] = 4.5

    assert array[1, 2] == 4.5 and array.ctypes.data == buffer.pointer


def test_dlpack_keeps_memory_as_long_as_its_consumer(kernels):
    buffer = xpu.zeros(8, memory="host")
    memory = weakref.ref(buffer.memory)
    array = np.from_dlpack(buffer)
    del buffer
    gc.collect()
    assert memory() is not None

    del array
    gc.collect()
    assert memory() is None


def test_a_capsule_that_nobody_takes_lets_go():
    buffer = xpu.zeros(8)
    memory = weakref.ref(buffer.memory)

    capsule = buffer.__dlpack__()
    del buffer, capsule
    gc.collect()

    assert memory() is None


def test_dlpack_takes_device_memory_back_without_a_copy():
    class Foreign:  # as another package would have it
        def __init__(self, buffer):
            self.buffer = buffer

        def __dlpack__(self, **how):
            return self.buffer.__dlpack__(**how)

    buffer = xpu.asarray(np.arange(6, dtype=np.int16).reshape(2, 3))
    assert buffer.__dlpack_device__() == (14, 0)

    taken = xpu.from_dlpack(Foreign(buffer))

    assert taken.pointer == buffer.pointer and taken.shape == (2, 3)
    np.testing.assert_array_equal(taken.get(), buffer.get())


def test_dlpack_refuses_memory_that_kernels_cannot_use():
    with pytest.raises(BufferError, match="asarray"):
        xpu.from_dlpack(np.arange(3))
    with pytest.raises(BufferError, match="no type"):
        xpu.zeros(3, "V4").__dlpack__()


def test_usm_interfaces_go_both_ways():
    class Foreign:
        def __init__(self, buffer):
            self.__sycl_usm_array_interface__ = buffer.__sycl_usm_array_interface__
            self.buffer = buffer

    buffer = xpu.asarray(np.arange(10, dtype=np.float32))

    taken = xpu.asarray(Foreign(buffer))

    assert taken.pointer == buffer.pointer
    np.testing.assert_array_equal(taken.get(), buffer.get())


def test_freed_memory_is_used_again_and_given_back_on_request():
    xpu.empty_cache()
    base = xpu.memory_allocated()
    buffer = xpu.empty(1 << 20, np.uint8)
    assert xpu.memory_allocated() == base + (1 << 20)

    del buffer
    xpu.synchronize()
    held = xpu.memory_reserved()
    again = xpu.empty(1 << 20, np.uint8)
    assert xpu.memory_reserved() == held >= 1 << 20

    del again
    xpu.synchronize()
    xpu.empty_cache()
    assert xpu.memory_allocated() == base and xpu.memory_reserved() < held
    assert xpu.max_memory_reserved() >= held
    xpu.reset_peak_memory_stats()
    assert xpu.max_memory_reserved() == xpu.memory_reserved()


@pytest.mark.results("executes")
def test_what_other_streams_used_is_not_freed_before_they_are_done(kernels):
    here, there = xpu.Stream(), xpu.Stream()
    with xpu.stream(here):
        buffer = xpu.zeros(256, np.int32)
    there.wait_stream(here)
    result = xpu.zeros(1, np.int32)
    there.wait_stream(xpu.current_stream())
    kernels["slow_step"][1, 1](buffer, 1, 3, 2_000_000, stream=there)
    kernels["copy_one"][1, 1](result, 0, buffer, 0, stream=there)
    del buffer

    with xpu.stream(here):
        xpu.full(256, 77, np.int32)  # would overwrite it, had it been freed in `here`'s order
    there.synchronize()

    assert result.item() == 3
