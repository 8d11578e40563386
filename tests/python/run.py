#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of one file with pytest; ends 77 ("skipped") where NumPy or pytest is missing, and where
XPUGRAPH_DRIVER names no driver.

usage: run.py FILE [pytest arguments]. The package is taken from the source tree, the library and the
driver from where the environment says.
"""
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]


def main():
    try:
        import numpy  # noqa: F401
        import pytest
    except ImportError as missing:
        print(f"skipped: {missing} (Debian: python3-numpy, python3-pytest)")
        return 77
    if "XPUGRAPH_DRIVER" not in os.environ:
        print("skipped: XPUGRAPH_DRIVER does not say on which driver to run")
        return 77
    sys.path.insert(0, str(ROOT / "bindings/python"))
    return pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT / "tests/python"),
                        *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
