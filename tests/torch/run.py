#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and installs the PyTorch backend as pip does, and runs its tests on the CPU driver.

usage: run.py [pytest arguments], or run.py --program FILE [arguments] to run that instead. The build stays in build-torch, for the next time. The last line is
"N passed, N failed, N skipped"; ends 77 ("skipped") where PyTorch, pip or pytest is missing.
"""
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-torch"
SITE = BUILD / "site"


def install():
    BUILD.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--no-build-isolation", "--no-deps", "--no-index",
                    "--upgrade", "--target", SITE, f"-Cbuilddir={BUILD / 'meson'}", ROOT / "bindings/torch"],
                   check=True)


def main():
    missing = [name for name in ("torch", "pip", "pytest", "mesonpy") if not importlib.util.find_spec(name)]
    if missing:
        print(f"skipped: Python has no {', '.join(missing)} (tools/root make torch)")
        return 77
    install()
    if sys.argv[1:2] == ["--program"]:
        return subprocess.run([sys.executable, *sys.argv[2:]], env=environment(), check=False).returncode
    # All of it; a part again with copies between host and device around each operation, as on a GPU; and what runs on
    # PyTorch's own torch.xpu, with this backend in its place.
    runs = [("torch", {}, sys.argv[1:] or ["."])]
    if not sys.argv[1:]:
        runs.append(("torch", {"XPUGRAPH_TORCH_STAGE": "1"},
                     ["capture_test.py", "graph_memory_test.py", "ops_test.py", "training_test.py", "-k",
                      "capture_test or memory_test or captured_operator or convolutional"]))
        runs.append(("torch_xpu", {"XPUGRAPH_TORCH_KEY": "xpu"}, ["."]))
    counts = [run_tests(*run) for run in runs]
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def environment(**settings):
    # One thread for each kernel: the tensors are small, and the driver has threads of its own.
    return dict(os.environ, PYTHONPATH=str(SITE), PYTHONDONTWRITEBYTECODE="1", XPUGRAPH_DRIVER="cpu",
                OMP_NUM_THREADS="1", **settings)


def run_tests(folder, settings, arguments):
    """How many passed, failed and were skipped."""
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", *arguments],
                           cwd=ROOT / "tests" / folder, env=environment(ZE_CPU_STRICT="1", **settings), stdout=subprocess.PIPE, text=True, check=False)
    print(tests.stdout)
    # The last such line: warnings may come behind it.
    counts = [line for line in tests.stdout.splitlines() if re.search(r"\d+ (passed|failed|skipped|error)", line)] or [""]
    said = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|error)", counts[-1])}
    failed = said.get("failed", 0) + said.get("error", 0)
    return said.get("passed", 0), failed or int(tests.returncode != 0), said.get("skipped", 0)


if __name__ == "__main__":
    sys.exit(main())
