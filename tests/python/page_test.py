# SPDX-License-Identifier: Apache-2.0
"""The blocks of docs/python.md and of the README: they run, and print what the pages say."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

from xpugraph._source import tools

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "examples/python/tour.py"
pytestmark = pytest.mark.skipif(tools() is None, reason="OpenCL C needs clang and llvm-spirv")


def blocks(page, language):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def printed(program, folder):
    done = subprocess.run([sys.executable, "-B", program], cwd=folder, capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(autouse=True)
def package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "bindings/python"))


def test_the_tour_is_the_blocks_of_its_page():
    head, _, body = TOUR.read_text(encoding="utf-8").partition('"""\n\n')

    assert head.startswith("#!/usr/bin/env python3\n# SPDX")
    assert body == "\n".join(blocks("docs/python.md", "python"))


def test_the_tour_prints_what_its_page_says(tmp_path):
    assert printed(TOUR, tmp_path) == "".join(blocks("docs/python.md", "text"))


def test_the_readmes_example_computes_and_draws(tmp_path):
    program = tmp_path / "example.py"
    program.write_text(blocks("README.md", "python")[0], encoding="utf-8")

    assert printed(program, tmp_path) == "".join(f"[{2 * n + 1}. " + f"{2 * n + 1}. " * 2
                                                 + f"{2 * n + 1}.]\n" for n in range(3))
    assert "shift" in (tmp_path / "graph.svg").read_text(encoding="utf-8")
