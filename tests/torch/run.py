#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and installs the PyTorch backend as pip does, and runs its tests on the CPU driver.

usage: run.py [pytest arguments]. The build stays in build-torch, for the next time. The last line is
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
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
                    "--upgrade", "--target", SITE, f"-Cbuilddir={BUILD / 'meson'}", ROOT / "bindings/torch"],
                   check=True)


def main():
    missing = [name for name in ("torch", "pip", "pytest", "mesonpy") if not importlib.util.find_spec(name)]
    if missing:
        print(f"skipped: Python has no {', '.join(missing)} (tools/root make torch)")
        return 77
    install()
    environment = dict(os.environ, PYTHONPATH=str(SITE), PYTHONDONTWRITEBYTECODE="1", ZE_CPU_STRICT="1",
                       XPUGRAPH_DRIVER="cpu", OMP_NUM_THREADS="2")
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".",
                            "-W", "error::pytest.PytestUnhandledThreadExceptionWarning", *(sys.argv[1:] or ["."])],
                           cwd=ROOT / "tests/torch", env=environment, stdout=subprocess.PIPE, text=True, check=False)
    print(tests.stdout)
    lines = tests.stdout.strip().splitlines() or [""]
    said = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|errors?)", lines[-1])}
    failed = said.get("failed", 0) + said.get("error", 0) + said.get("errors", 0)
    if tests.returncode and not failed:
        failed = 1
    print(f"{said.get('passed', 0)} passed, {failed} failed, {said.get('skipped', 0)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
