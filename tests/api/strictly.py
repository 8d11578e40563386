#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test and fails if the CPU driver reported misuse, however well the test itself went.

Strict mode answers most misuse with an error, which the library passes on; but what happens while
things are destroyed is only written to standard error.
"""
import subprocess
import sys

REPORT = b"ze_cpu strict: "

child = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE)
reports = 0
for line in child.stderr:
    sys.stderr.buffer.write(line)
    sys.stderr.buffer.flush()
    reports += line.startswith(REPORT)
status = child.wait()
if reports:
    sys.stderr.write(f"{reports} reports of misuse\n")
# A signal is told as a shell does.
sys.exit((status if status >= 0 else 128 - status) or (1 if reports else 0))
