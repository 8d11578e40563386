#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test and fails if Level Zero was misused, however well the test itself went.

Three witnesses: the CPU driver's strict mode answers most misuse with an error, which the library passes
on, but what happens while things are destroyed is only written to standard error; the same goes for the
library's own log. Where ZE_ENABLE_VALIDATION_LAYER is 1, the loader's validation layer tells each refused
call to a log, and its leak checker what was never destroyed to standard output.

What the library refused meanwhile goes to the folder that XPU_TEST_REFUSALS names, for tools/coverage.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPORTS = (b"ze_cpu strict: ", b"xpugraph error: ")
# Any other failure in the log is a call that should not have been made.
REFUSED = re.compile(r"ERROR \((\w+)\) in (\w+)\(")
ANSWERS = {
    "ZE_RESULT_NOT_READY",  # a query's answer
    "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE",  # the compiler's verdict on modules that tests spoil
    "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED",
    "ZE_RESULT_ERROR_INVALID_KERNEL_NAME",  # the module's on names that tests make up
    "ZE_RESULT_ERROR_UNSUPPORTED_SIZE",  # the driver's on allocations that tests make too large
}
# Answers of one function alone.
ANSWERS_OF = {
    ("ZE_RESULT_ERROR_INVALID_ARGUMENT", "zeDriverGetExtensionFunctionAddress"),  # there is no such function
    # Whether memory can be mapped, which is tried once: Intel's driver without a GPU says no. A mapping
    # that is needed and refused fails the call it is for, and the test with it.
    ("ZE_RESULT_ERROR_UNINITIALIZED", "zeVirtualMemMap"),
    ("ZE_RESULT_ERROR_UNSUPPORTED_FEATURE", "zeDeviceImportExternalSemaphoreExt"),  # without a GPU it takes none
}
LEAK = re.compile(rb"(\w+) = \d+\s+---> LEAK = (\d+)")
# What the library keeps until the process ends: the context, the default streams of the main thread,
# a page for timestamps, a pool of events that the host signals. Other events have no row: the checker of
# loader 1.32 does not know how they are made.
KEPT = {b"zeContextDestroy": 1, b"zeCommandListDestroy": 2, b"zeMemFreeExt": 1, b"zeEventPoolDestroy": 1,
        b"zeEventDestroy": 64}
# Each of several devices has its own, but for the context, and a queue that graphs with nodes there share.
DEVICES = int(os.environ.get("CreateMultipleRootDevices", "1"))
if DEVICES > 1:
    KEPT = {name: DEVICES * kept for name, kept in KEPT.items()} | {b"zeContextDestroy": 1, b"zeCommandListDestroy": 3 * DEVICES}


# A refused call in the library's log, which tells of them from the level `info` on.
REFUSAL = re.compile(rb"xpugraph info: (xpu\w+): error (\d+) \((?:([\w.\[\]>-]+): )?")


def run(command, environment, refusals):
    """(exit code, reports) of a command whose output is passed on; adds what was refused to `refusals`."""
    reports = 0
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in child.stdout:
        refusal = REFUSAL.match(line)
        if refusal:
            refusals.add(tuple((part or b"").decode() for part in refusal.groups()))
            continue
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        reports += line.startswith(REPORTS)
        leak = LEAK.search(line)
        reports += bool(leak) and int(leak.group(2)) > KEPT.get(leak.group(1), 0)
    return child.wait(), reports


def refused_calls(folder):
    """The lines of the validation layer's log that tell of misuse."""
    lines = [line for log in Path(folder).iterdir()
             for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    if not lines:
        return ["the validation layer wrote no log"]
    found = [(line, match.groups()) for line in lines for match in [REFUSED.search(line)] if match]
    return [line for line, what in found if what[0] not in ANSWERS and what not in ANSWERS_OF]


def keep(refusals, folder, command):
    path = Path(folder) / f"{Path(command[0]).name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(" ".join(refusal).rstrip() + "\n" for refusal in sorted(refusals)), encoding="utf-8")


def main():
    environment, refusals = dict(os.environ), set()
    wanted = environment.get("XPU_TEST_REFUSALS")
    if wanted:
        environment["XPUGRAPH_LOG"] = "info"
    if environment.get("ZE_ENABLE_VALIDATION_LAYER") != "1":
        status, reports = run(sys.argv[1:], environment, refusals)
    else:
        with tempfile.TemporaryDirectory() as folder:
            environment.update(ZEL_ENABLE_LOADER_LOGGING="1", ZEL_LOADER_LOGGING_LEVEL="trace",
                               ZEL_LOADER_LOG_DIR=folder, ZEL_LOADER_LOG_FILE="calls.log")
            status, reports = run(sys.argv[1:], environment, refusals)
            refused = refused_calls(folder)
            print(*refused, sep="\n", end="\n" if refused else "")
            reports += len(refused)
    if wanted:
        keep(refusals, wanted, sys.argv[1:])
    if reports:
        print(f"{reports} reports of misuse")
    # A signal is told as a shell does. What was left out as a whole is still a skip.
    return (status if status >= 0 else 128 - status) or (1 if reports else 0)


if __name__ == "__main__":
    sys.exit(main())
