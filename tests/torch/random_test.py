# SPDX-License-Identifier: Apache-2.0
"""Random numbers: one sequence for eager work and graphs, fresh at each replay, repeated by a seed."""
import pytest
import torch
from conftest import DEVICE

DRAWS = {
    "rand": lambda: torch.rand(50, device=DEVICE),
    "randn": lambda: torch.randn(50, device=DEVICE),
    "randint": lambda: torch.randint(0, 1000, (50,), device=DEVICE),
    "randperm": lambda: torch.randperm(50, device=DEVICE),
    "dropout": lambda: torch.nn.functional.dropout(torch.ones(50, device=DEVICE)),
    "rrelu": lambda: torch.nn.functional.rrelu(-torch.ones(50, device=DEVICE), training=True),
    "bernoulli": lambda: torch.bernoulli(torch.full((50,), 0.5, device=DEVICE)),
    "normal_": lambda: torch.empty(50, device=DEVICE).normal_(),
    "exponential_": lambda: torch.empty(50, device=DEVICE).exponential_(),
    "geometric_": lambda: torch.empty(50, device=DEVICE).geometric_(0.1),
    "cauchy_": lambda: torch.empty(50, device=DEVICE).cauchy_(),
    "log_normal_": lambda: torch.empty(50, device=DEVICE).log_normal_(),
    "poisson": lambda: torch.poisson(torch.full((50,), 30.0, device=DEVICE)),
    "multinomial": lambda: torch.multinomial(torch.ones(100, device=DEVICE), 50),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_graphs_and_eager_work_draw_one_sequence(draw):
    torch.manual_seed(5)
    eager = [draw().tolist() for _ in range(6)]
    assert len({str(values) for values in eager}) == 6
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        first, second = draw(), draw()
    torch.manual_seed(5)
    seen = [draw().tolist()]
    g.replay()
    seen += [first.tolist(), second.tolist(), draw().tolist()]
    g.replay()
    assert seen + [first.tolist(), second.tolist()] == eager


def test_a_seed_between_replays_takes_effect():
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        x = torch.rand(8, device=DEVICE)
    seen = []
    for seed in (1, 2, 1):
        torch.manual_seed(seed)
        g.replay()
        seen.append(x.tolist())
    assert seen[0] == seen[2] != seen[1]


def test_captures_do_not_draw():
    torch.manual_seed(3)
    before = torch.xpuref.get_rng_state()
    with torch.xpuref.graph(torch.xpuref.XPUGraph()):
        torch.rand(8, device=DEVICE)
    assert torch.equal(before, torch.xpuref.get_rng_state())


def test_states_are_saved_and_restored():
    generator = torch.Generator(DEVICE)
    generator.manual_seed(4)
    state = generator.get_state()
    first = torch.rand(5, device=DEVICE, generator=generator)
    generator.set_state(state)
    assert torch.equal(first, torch.rand(5, device=DEVICE, generator=generator))
    with pytest.raises(RuntimeError, match="16 bytes"):
        generator.set_state(torch.zeros(3, dtype=torch.uint8))
    assert generator.initial_seed() == 4


def test_generators_of_a_capture_need_not_be_registered_and_may_share_a_state():
    generator = torch.Generator(DEVICE).manual_seed(9)
    twin = torch.Generator(DEVICE)
    twin.graphsafe_set_state(generator.graphsafe_get_state())
    eager = [torch.rand(4, device=DEVICE, generator=g).tolist() for g in (generator, twin, generator, twin)]
    g = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(g):
        x = torch.rand(4, device=DEVICE, generator=generator)
        y = torch.rand(4, device=DEVICE, generator=twin)
    twin.manual_seed(9)
    seen = []
    for _ in range(2):
        g.replay()
        seen += [x.tolist(), y.tolist()]
    assert seen == eager


def test_what_a_capture_cannot_do_with_a_generator_is_refused():
    generator = torch.Generator(DEVICE).manual_seed(9)
    with torch.xpuref.graph(torch.xpuref.XPUGraph()):
        generator.manual_seed(9)
        torch.rand(1, device=DEVICE, generator=generator)
        with pytest.raises(RuntimeError, match="only be given the seed that it has, 9"):
            generator.manual_seed(10)
        for refused in (generator.get_state, generator.seed, lambda: generator.get_offset(),
                        lambda: generator.set_offset(4), generator.clone_state):
            with pytest.raises(RuntimeError, match="while the stream is captured"):
                refused()


def test_generators_of_other_devices_are_refused():
    with pytest.raises(RuntimeError, match="generator"):
        torch.rand(3, device=DEVICE, generator=torch.Generator("cpu"))


def test_a_graph_that_draws_cannot_be_captured_into_another():
    inner = torch.xpuref.XPUGraph()
    with torch.xpuref.graph(inner):
        torch.rand(1, device=DEVICE)
    with pytest.raises(RuntimeError, match="draws random numbers"):
        with torch.xpuref.graph(torch.xpuref.XPUGraph()):
            inner.replay()
