#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads allocation traces (tests/data/traces/README.md) and says what is wrong with one that is not.

usage: memory_trace.py TRACE.json...

Prints each as lines: its name, the number of its steps, and in the order of their times a step
each, "a BYTES" or "f N": N counts the allocations before the freed one.
"""
import json
import sys
from pathlib import Path


class BadTrace(Exception):
    """A file that is no trace; the text says why."""


def whole(value, least):
    """Whether it is a whole number from `least` on. JSON's true is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_allocation(entry):
    """[bytes, allocation time, free time or null]"""
    if not isinstance(entry, list) or len(entry) != 3:
        return False
    size, begin, end = entry
    return whole(size, 1) and whole(begin, 0) and (end is None or whole(end, 0))


class Trace:
    """The steps of a file by their time: ("a", bytes) or ("f", index of the allocation)."""

    def __init__(self, path):
        self.path = path
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadTrace(f"{path}: {error}") from error
        if not isinstance(content, dict) or not isinstance(content.get("allocations"), list):
            raise BadTrace(f'{path}: not an object with a list "allocations"')
        self.name = content.get("name", Path(path).stem)
        if not isinstance(self.name, str) or not self.name.isprintable() or not self.name.split():
            raise BadTrace(f'{path}: "name" is no text')
        self.steps = self.in_order(content["allocations"])
        told = content.get("peak_live_bytes")
        if told is not None and told != self.lower_bound():
            raise BadTrace(f'{path}: "peak_live_bytes" is {told}, and at most '
                           f"{self.lower_bound()} bytes are in use at once")

    def in_order(self, allocations):
        """Numbers the allocations by their begin and sorts all steps by time."""
        if not allocations:
            raise BadTrace(f"{self.path}: there is no allocation in it")
        events = {}
        for i, entry in enumerate(allocations):
            where = f"{self.path}: allocations[{i}]"
            if not is_allocation(entry):
                raise BadTrace(f"{where} is {json.dumps(entry)}, not [bytes from 1 on, time, "
                               "free time or null] in whole numbers")
            _, begin, end = entry
            if end is not None and end <= begin:
                raise BadTrace(f"{where} is freed at {end}, not after its allocation at {begin}")
            for time, kind in ((begin, "a"), (end, "f")):
                if time in events:
                    raise BadTrace(f"{where}: something else happens at {time} already")
                if time is not None:
                    events[time] = (kind, i)
        steps, number = [], {}
        for _, (kind, i) in sorted(events.items()):
            if kind == "a":
                number[i] = len(number)
                steps.append(("a", allocations[i][0]))
            else:
                steps.append(("f", number[i]))
        return steps

    def lower_bound(self):
        """The most bytes that are in use at once."""
        live = most = 0
        sizes = []
        for kind, value in self.steps:
            if kind == "a":
                sizes.append(value)
                live += value
                most = max(most, live)
            else:
                live -= sizes[value]
        return most

    def lines(self):
        """What memory_cost and the tests read."""
        return [self.name, str(len(self.steps)), *(f"{k} {v}" for k, v in self.steps)]


def main():
    try:
        for path in sys.argv[1:]:
            print("\n".join(Trace(path).lines()))
    except BadTrace as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
