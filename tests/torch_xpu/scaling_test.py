# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own torch.xpu on this backend: gradients that are scaled, in graphs and beside them."""
import pytest
import torch
from conftest import captured


def test_a_captured_backward_pass_is_scaled_by_what_the_scale_is_then():
    scaler = torch.amp.GradScaler("xpu", init_scale=4.0, growth_interval=2)
    weight = torch.ones(100, device="xpu", requires_grad=True)
    optimizer, x = torch.optim.SGD([weight], lr=0.1), torch.ones(100, device="xpu")
    stream = torch.xpu.Stream()

    def scaled():
        scaler.scale((weight.half() * x.half()).sum()).backward()

    torch.xpu.synchronize()
    with torch.xpu.stream(stream):
        scaled()
        optimizer.zero_grad(set_to_none=True)
    g, _ = captured(scaled, stream=stream)
    # What float16 cannot hold, from 65,504 on, halves the scale and leaves the step out; two other steps in a row double it.
    scale = 4.0
    for value, scale_after in [(5, 4), (20000, 2), (5, 2), (20000, 4), (40000, 2), (5, 2)]:
        x.fill_(value)
        before = weight.tolist()
        g.replay()
        overflows = scale * value > 65504
        assert weight.grad.tolist() == [float("inf") if overflows else scale * value] * 100
        scaler.step(optimizer)
        scaler.update()
        moved = 0 if overflows else 0.1 * value
        assert weight.tolist() == pytest.approx([w - moved for w in before], rel=1e-5)
        assert scaler.get_scale() == scale_after
        scale = scale_after


FUSED = {"Adam": torch.optim.Adam, "AdamW": torch.optim.AdamW, "SGD": torch.optim.SGD}


@pytest.mark.parametrize("kind", FUSED.values(), ids=FUSED)
def test_a_fused_optimizer_and_its_scaler_step_in_a_graph_as_they_do_outside(kind):
    steps = 6
    gradients = [torch.randn(2, 10) for _ in range(steps)]
    gradients[4][0, 3] = float("inf")  # a step that is left out

    def run(graphed):
        parameters = [torch.ones(10, device="xpu", requires_grad=True) for _ in range(2)]
        options = {} if kind is torch.optim.SGD else {"capturable": True}
        optimizer = kind(parameters, lr=0.05, fused=True, **options)
        scaler = torch.amp.GradScaler("xpu", init_scale=8.0, growth_interval=2)
        scaler.scale(torch.ones(1, device="xpu"))  # makes what it keeps on the device
        for p in parameters:
            p.grad = torch.zeros_like(p)

        def step():
            scaler.step(optimizer)
            scaler.update()

        stream, g = torch.xpu.Stream(), None
        for n in range(steps):
            for p, gradient in zip(parameters, gradients[n]):
                p.grad.copy_(gradient * 8)
            torch.xpu.synchronize()
            if graphed and n >= 2:
                if g is None:
                    g, _ = captured(step, stream=stream)
                g.replay()
            else:
                with torch.xpu.stream(stream):
                    step()
            torch.xpu.synchronize()
        return [p.tolist() for p in parameters], scaler.get_scale(), scaler._growth_tracker.item()

    eager, graphed = run(False), run(True)
    assert graphed == eager
    assert eager[1] == 8 * 2 * 2 / 2 and eager[2] == 1
