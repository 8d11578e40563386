#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The library exports exactly the functions that the public headers declare, at their releases.

usage: exports.py libxpugraph.so
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import symbol_map  # noqa: E402  (the folder above is not a package)


def exported(library):
    """{name: release} of the dynamic symbols that the library defines."""
    found = {}
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        _, kind, symbol = line.split(maxsplit=2)
        name, _, node = symbol.partition("@@")
        if kind == "A":  # the version nodes themselves
            continue
        found[name] = node.removeprefix("XPUGRAPH_")
    return found


def main():
    wanted, there = symbol_map.declared(), exported(sys.argv[1])
    faults = [f"declared but not exported: {name}" for name in sorted(wanted.keys() - there.keys())]
    faults += [f"exported but not declared: {name}" for name in sorted(there.keys() - wanted.keys())]
    faults += [f"{name} is exported for {there[name] or 'no release'}, declared since {wanted[name]}"
               for name in sorted(wanted.keys() & there.keys()) if wanted[name] != there[name]]
    print("\n".join(faults) or f"exports: {len(there)} functions, as declared")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
