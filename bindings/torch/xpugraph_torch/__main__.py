# SPDX-License-Identifier: Apache-2.0
"""Runs a program with this package loaded: python3 -m xpugraph_torch PROGRAM [ARGUMENT]..."""
import runpy
import sys

if len(sys.argv) < 2:
    sys.exit("usage: python3 -m xpugraph_torch PROGRAM [ARGUMENT]...")
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
