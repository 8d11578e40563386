# SPDX-License-Identifier: Apache-2.0
"""DistributedDataParallel in two processes, against one process on the CPU with the whole batch."""
import subprocess
import sys

import pytest
import torch
from torch import nn

# Arguments: rank, file to meet at, file for the result, "plain" or "graphed".
PROGRAM = """
import sys, torch, torch.distributed as dist, xpugraph_torch
from distributed_test import batch, network, STEPS
rank, meet, result, how = int(sys.argv[1]), *sys.argv[2:]
dist.init_process_group("cpu:gloo,xpuref:xpuref", init_method="file://" + meet, rank=rank, world_size=2)
model = network().to("xpuref")
if how == "graphed":
    torch.xpuref.make_graphed_callables(model, (torch.zeros(4, 6, device="xpuref"),))
parallel = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(STEPS):
    x, y = (t[4 * rank:4 * rank + 4].to("xpuref") for t in batch(step))
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(parallel(x), y).backward()
    optimizer.step()
total = torch.ones(1, device="xpuref") * (rank + 1)
dist.all_reduce(total)
assert total.item() == 3
torch.save([p.detach().cpu() for p in model.parameters()], result)
dist.barrier()
dist.destroy_process_group()
"""
STEPS = 6


def network():
    torch.manual_seed(2)
    return nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 3))


def batch(step):
    random = torch.Generator().manual_seed(step)
    return torch.randn(8, 6, generator=random), torch.randn(8, 3, generator=random)


@pytest.mark.skipif(not (torch.distributed.is_available() and torch.distributed.is_gloo_available()),
                    reason="PyTorch without Gloo")
@pytest.mark.parametrize("how", ["plain", "graphed"])
def test_two_processes_train_as_one(tmp_path, how):
    meet = tmp_path / "meet"
    results = [tmp_path / f"result{rank}" for rank in range(2)]
    processes = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(rank), meet, results[rank], how], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for rank in range(2)]
    said = [process.communicate(timeout=200)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said

    reference = network()
    optimizer = torch.optim.SGD(reference.parameters(), 0.1)
    for step in range(STEPS):
        x, y = batch(step)
        optimizer.zero_grad()
        nn.functional.mse_loss(reference(x), y).backward()
        optimizer.step()
    for result in results:
        for mine, theirs in zip(torch.load(result), reference.parameters()):
            torch.testing.assert_close(mine, theirs.detach(), rtol=1e-5, atol=1e-6)
