#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs strictly.py on programs that write what its three witnesses would, to see what it takes for misuse.

usage: strictly_test.py STRICTLY
"""
import os
import subprocess
import sys
import unittest

STRICTLY = sys.argv[1]
TRACE = "[2026-01-01 00:00:00.000] [thread-id: 1] [trace] "
FREED = "zeMemFree(hContext=nullptr, ptr=nullptr)"


def ends(script, **environment):
    """The exit code of strictly.py on a shell script."""
    environment = {**os.environ, "ZE_ENABLE_VALIDATION_LAYER": "0", **environment}
    return subprocess.run([STRICTLY, "bash", "-c", script], env=environment, check=False,
                          stdout=subprocess.DEVNULL).returncode


def ends_validated(*log, code=0):
    """The same where the validation layer has written these lines."""
    lines = "\n".join(TRACE + line for line in log)
    return ends(f'printf "%s\\n" "{lines}" >"$ZEL_LOADER_LOG_DIR/$ZEL_LOADER_LOG_FILE"; exit {code}',
                ZE_ENABLE_VALIDATION_LAYER="1")


class Strictly(unittest.TestCase):
    def test_the_exit_code_is_the_programs(self):
        self.assertEqual([ends("exit 0"), ends("exit 3"), ends("exit 77")], [0, 3, 77])

    def test_reports_on_either_output_fail_it(self):
        self.assertEqual(ends("echo 'ze_cpu strict: zeEventDestroy: in use' >&2"), 1)
        self.assertEqual(ends("echo 'xpugraph error: destroying handle 0x1: no'"), 1)
        self.assertEqual(ends("echo 'xpugraph warn: nothing'"), 0)

    def test_what_is_kept_by_design_is_no_leak(self):
        row = "echo '  zeCommandListCreate = 9 \\--->   zeCommandListDestroy = {}   ---> LEAK = {}'"
        self.assertEqual(ends(row.format(8, 1)), 0)
        self.assertEqual(ends(row.format(5, 4)), 1)
        self.assertEqual(ends("echo '   zeKernelDestroy = 1    ---> LEAK = 1'"), 1)
        self.assertEqual(ends("echo '   zeEventDestroy = 1    ---> LEAK = -1'"), 0)

    def test_a_refused_call_fails_it(self):
        self.assertEqual(ends_validated(f"ERROR (ZE_RESULT_ERROR_INVALID_NULL_HANDLE) in {FREED}"), 1)

    def test_an_answer_does_not(self):
        self.assertEqual(ends_validated("ERROR (ZE_RESULT_NOT_READY) in zeEventQueryStatus(hEvent=1)",
                                        f"{FREED}"), 0)
        self.assertEqual(ends_validated("zeInit(flags)", code=4), 4)

    def test_an_answer_of_one_function_is_misuse_of_others(self):
        refused = "ERROR (ZE_RESULT_ERROR_UNINITIALIZED) in {}(hContext=1)"
        self.assertEqual(ends_validated(refused.format("zeVirtualMemMap")), 0)
        self.assertEqual(ends_validated(refused.format("zeVirtualMemUnmap")), 1)

    def test_a_layer_that_says_nothing_was_not_there(self):
        self.assertEqual(ends("exit 0", ZE_ENABLE_VALIDATION_LAYER="1"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
