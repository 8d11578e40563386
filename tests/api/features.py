#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of the library and compares what it found the device able to do with XPU_TEST_FEATURES.

A driver that refuses a call with which the library probes it is not noticed otherwise: each feature has a
fallback, so the results are the same. Where the variable is not set, nothing is known of the device.

usage: features.py PROGRAM
"""
import os
import re
import subprocess
import sys

wanted = os.environ.get("XPU_TEST_FEATURES")
if not wanted:
    sys.exit(77)
done = subprocess.run(sys.argv[1:], env={**os.environ, "XPUGRAPH_LOG": "info"}, text=True, check=False,
                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
found = re.search(r"^xpugraph info: device \w+: (.*);", done.stderr, re.MULTILINE)
if done.returncode or not found:
    sys.exit(f"no device was described (exit code {done.returncode}):\n{done.stderr}")
if found.group(1) != wanted:
    sys.exit(f"found:  {found.group(1)}\nwanted: {wanted}")
