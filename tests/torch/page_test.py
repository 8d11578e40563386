# SPDX-License-Identifier: Apache-2.0
"""The blocks of docs/torch.md and the README's example: they run as they stand."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_readmes_example_learns(capsys):
    example = blocks("README.md")[1]

    exec(compile(example, "README.md", "exec"), {})

    assert float(capsys.readouterr().out) < 1.5  # 2.3 before


def test_the_pages_blocks_run_one_after_the_other():
    page, names = blocks("docs/torch.md"), {}

    for block in page[:-1]:
        exec(compile(block, "docs/torch.md", "exec"), names)

    assert "distributed" in page[-1]  # distributed_test runs that in two processes
    assert (names["y"] >= 0).all()
    assert names["model"](names["x"]).requires_grad
