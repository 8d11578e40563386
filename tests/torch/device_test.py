# SPDX-License-Identifier: Apache-2.0
"""Tensors, memory, streams, events and devices without graphs."""
import gc
import io
import os
import subprocess
import sys

import pytest
import torch
from conftest import DEVICE


def test_the_device_is_there_under_its_name():
    assert torch.accelerator.current_accelerator() == torch.device(DEVICE)
    assert torch.xpuref.is_available() and torch.xpuref.device_count() >= 1
    x = torch.ones(2, device=DEVICE)
    assert x.is_xpuref and x.device.index == 0 and x.data_ptr() != 0
    assert "xpuref:0" in repr(x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32,
                                   torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex64])
def test_values_go_there_and_back(dtype):
    x = torch.tensor([0, 1, 2, 3, 1, 0]).to(dtype).reshape(2, 3)
    for there in (x.to(DEVICE), x.t().to(DEVICE).t(), x[:, ::2].to(DEVICE)):
        back = there.cpu()
        assert back.dtype == dtype and back.shape == there.shape
    assert torch.equal(x.to(DEVICE).cpu(), x)
    assert torch.equal(x.t().to(DEVICE).cpu(), x.t())
    strided = torch.zeros(3, 2, dtype=dtype, device=DEVICE).t()
    strided.copy_(x)
    assert torch.equal(strided.cpu(), x)
    assert torch.equal(torch.zeros(3, 2, dtype=dtype).t().copy_(strided), x)


def test_conjugates_are_copied_as_what_they_mean():
    x = torch.randn(4, dtype=torch.complex64)
    assert torch.equal(x.to(DEVICE).conj().cpu(), x.conj())
    assert torch.equal(x.conj().to(DEVICE).cpu(), x.conj())
    assert torch.equal(torch.empty(4, dtype=torch.complex64, device=DEVICE).copy_(x.to(DEVICE).conj()).cpu(), x.conj())
    assert torch.equal(x.to(DEVICE).conj().imag.cpu(), x.conj().imag)


def test_memory_is_counted_and_given_back():
    gc.collect()
    torch.xpuref.synchronize()
    torch.xpuref.empty_cache()
    before, reserved = torch.xpuref.memory_allocated(), torch.xpuref.memory_reserved()
    torch.xpuref.reset_peak_memory_stats()
    x = torch.empty(1 << 22, device=DEVICE)
    assert torch.xpuref.memory_allocated() == before + (1 << 24)
    assert torch.xpuref.memory_reserved() >= reserved + (1 << 24) - (1 << 20)
    del x
    torch.xpuref.synchronize()
    assert torch.xpuref.memory_allocated() == before
    assert torch.xpuref.max_memory_allocated() >= before + (1 << 24)
    torch.xpuref.empty_cache()
    assert torch.xpuref.memory_reserved() <= reserved
    free, total = torch.xpuref.mem_get_info()
    assert 0 < free <= total


def test_freed_memory_is_used_again_in_the_order_of_the_stream():
    x = torch.ones(1 << 16, device=DEVICE)
    address = x.data_ptr()
    y = x * 2
    del x
    z = torch.full((1 << 16,), 5.0, device=DEVICE)
    assert z.data_ptr() == address
    assert y[0].item() == 2 and z[0].item() == 5


def test_record_stream_keeps_memory_while_another_stream_uses_it():
    side = torch.xpuref.Stream()
    for _ in range(10):
        x = torch.ones(1 << 18, device=DEVICE)
        side.wait_stream(torch.xpuref.current_stream())
        with torch.xpuref.stream(side):
            for _ in range(5):
                x.sin_()
            y = x + 0
        x.record_stream(side)
        del x
        torch.zeros(1 << 18, device=DEVICE)
        side.synchronize()
        assert y[0].item() == pytest.approx(0.5872, abs=1e-3)


def test_out_of_memory_says_how_much_there_is():
    with pytest.raises(torch.OutOfMemoryError, match="bytes were asked for on xpuref:0"):
        torch.empty(1 << 50, dtype=torch.uint8, device=DEVICE)
    assert torch.ones(1, device=DEVICE).item() == 1


def test_events_order_streams_and_measure():
    side = torch.xpuref.Stream()
    begin, end = torch.xpuref.Event(enable_timing=True), torch.xpuref.Event(enable_timing=True)
    assert isinstance(begin, torch.Event)
    x = torch.ones(1 << 18, device=DEVICE)
    begin.record()
    for _ in range(10):
        x.add_(1)
    end.record()
    side.wait_event(end)
    with torch.xpuref.stream(side):
        y = x * 2
    side.synchronize()
    assert end.query() and y[0].item() == 22
    assert begin.elapsed_time(end) > 0
    assert torch.xpuref.current_stream() == torch.xpuref.default_stream() != side


def test_urgent_streams_and_many_of_them():
    streams = [torch.xpuref.Stream(priority=-(n % 2)) for n in range(100)]
    for stream in streams:
        with torch.xpuref.stream(stream):
            torch.ones(3, device=DEVICE).add_(1)
    torch.xpuref.synchronize()
    assert all(stream.query() for stream in streams)


def test_pinned_memory_is_copied_without_waiting():
    host = torch.arange(8.0).pin_memory()
    assert host.is_pinned() and not torch.arange(3).is_pinned()
    there = host.to(DEVICE, non_blocking=True)
    back = torch.empty(8).pin_memory().copy_(there * 2, non_blocking=True)
    torch.xpuref.synchronize()
    assert back.tolist() == [2.0 * n for n in range(8)]


def test_mistakes_are_named():
    x = torch.ones(3, device=DEVICE)
    with pytest.raises(RuntimeError, match="same device"):
        x + torch.ones(3)
    with pytest.raises(RuntimeError, match="match the size"):
        x + torch.ones(4, device=DEVICE)
    with pytest.raises(RuntimeError, match="there is no device 7"):
        torch.ones(1, device=f"{DEVICE}:7")
    assert (x + 1).tolist() == [2, 2, 2]


def test_storages_grow_and_are_shared():
    x = torch.arange(4.0, device=DEVICE)
    x.resize_(6)
    assert x[:4].tolist() == [0, 1, 2, 3]
    y = torch.empty(0, device=DEVICE).set_(x.untyped_storage(), 2, (2,))
    x[2] = 9
    assert y.tolist() == [9, 3]
    x.untyped_storage().resize_(64)
    assert x[:4].tolist() == [0, 1, 9, 3]


def test_tensors_and_modules_are_saved_and_loaded():
    model = torch.nn.Linear(3, 2).to(DEVICE)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    loaded = torch.load(file)
    assert loaded["weight"].device.type == DEVICE
    assert torch.equal(loaded["weight"].cpu(), model.weight.cpu())


def test_two_devices():
    program = """
import torch, xpugraph_torch
assert torch.xpuref.device_count() == 2
a = torch.arange(4.0, device="xpuref:0")
b = a.to("xpuref:1")
assert b.device.index == 1 and (b * 2).tolist() == [0, 2, 4, 6]
with torch.xpuref.device(1):
    c = torch.ones(4, device="xpuref")
    assert c.device.index == 1
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        d = b + c
b.add_(1)
g.replay()
torch.xpuref.synchronize(1)
assert d.tolist() == [2, 3, 4, 5], d
assert torch.rand(3, device="xpuref:1").device.index == 1
try:
    a + b
except RuntimeError as error:
    assert "same device" in str(error)
else:
    raise AssertionError
a.copy_(d)
assert a.tolist() == [2, 3, 4, 5]
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                           env=dict(os.environ, ZE_CPU_DEVICES="2"))
    assert ended.returncode == 0, ended.stderr


def test_a_forked_process_is_told():
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            torch.xpuref._lazy_init()
            os.write(write, b"no error")
        except RuntimeError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert b"forked process" in os.read(read, 1000)
