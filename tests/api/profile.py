#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the trace that profile_test.cpp writes as a viewer would, and compares it with the graph.

usage: profile.py PROGRAM
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# The nodes of the graph that profile_test.cpp makes: path, name, kind, whether anything of it runs.
EXPECTED = {
    "0": ("memset", "memset", True), "1": ("store", "kernel", True),
    "2": ("memcpy", "memcpy", True), "3": ("child graph", "child graph", True),
    "3/0": ("step", "kernel", True), "3/1": ("child graph", "child graph", True),
    "3/1/0": ("step", "kernel", True), "3/1/1": ("store", "kernel", True),
    "3/2": ("empty", "empty", False), "4": ("empty", "empty", False),
    "5": ("event record", "event record", True), "6": ("event wait", "event wait", True),
    "7": ("host", "host", True), "8": ("memset", "memset", True),
    "9": ("memory allocation", "memory allocation", False), "10": ("store", "kernel", True),
    "11": ("memory free", "memory free", False),
}


def written():
    with tempfile.TemporaryDirectory(prefix="profile-") as folder:
        path = Path(folder) / "trace.json"
        path.write_text("what was there before" * 1000, encoding="utf-8")
        subprocess.run([sys.argv[1], "trace", path], check=True, stdout=subprocess.DEVNULL)
        return json.loads(path.read_text(encoding="utf-8"))


def main():
    events = written()["traceEvents"]
    nodes = [e for e in events if e["ph"] == "X"]
    found = {e["args"]["node"]: (e["name"], e["cat"], e["args"]["timed"]) for e in nodes}
    assert found == EXPECTED and len(nodes) == len(EXPECTED), found
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert "lane 0, compute" in names.values() and "child graphs" in names.values(), names
    for thread, name in names.items():
        # One after another, or a viewer would draw them on top of each other.
        here = sorted((e for e in nodes if e["tid"] == thread), key=lambda e: e["ts"])
        assert here, name
        for a, b in zip(here, here[1:]):
            assert a["ts"] + a["dur"] <= b["ts"] + 1e-6, (name, a, b)
    assert {e["tid"] for e in nodes} == set(names), names
    times = {e["args"]["node"]: e for e in nodes}
    for outer, inner in (("3", "3/0"), ("3", "3/1"), ("3/1", "3/1/0"), ("3/1", "3/1/1")):
        a, b = times[outer], times[inner]
        assert a["ts"] <= b["ts"] and b["ts"] + b["dur"] <= a["ts"] + a["dur"] + 1e-6, (a, b)
    assert times["7"]["dur"] >= 20000, times["7"]
    assert times["6"]["ts"] + times["6"]["dur"] <= times["7"]["ts"] + 1e-6, times["6"]
    return 0


if __name__ == "__main__":
    sys.exit(main())
