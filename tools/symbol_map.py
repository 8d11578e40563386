#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/capi/xpugraph.map, the exported names by release, from the public headers.

usage: symbol_map.py [--check]. With --check nothing is written; ends 1 if the file is not what the
headers say. A function belongs to the release that its comment names ("Since 0.1").
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "xpugraph"
MAP = ROOT / "src" / "capi" / "xpugraph.map"

DECLARATION = re.compile(
    r"((?:^[ \t]*//[^\n]*\n)*)^XPU_API\s+[\w\s*]*?(\w+)\s*\(", re.MULTILINE)


def declared(headers=HEADERS):
    """{function: release} of every function that the headers declare."""
    functions = {}
    for header in sorted(headers.glob("*.h")):
        for comment, name in DECLARATION.findall(header.read_text(encoding="utf-8")):
            since = re.search(r"Since (\d+\.\d+)", comment)
            if not since:
                raise SystemExit(f"{header.name}: the comment of {name} has no 'Since X.Y'")
            if name in functions:
                raise SystemExit(f"{header.name}: {name} is declared twice")
            functions[name] = since.group(1)
    return functions


def symbol_map(functions):
    """The text of the version script: a node per release, each on top of the one before it."""
    releases = sorted(set(functions.values()), key=lambda r: tuple(map(int, r.split("."))))
    text = ["# SPDX-License-Identifier: Apache-2.0",
            "# What libxpugraph.so exports, by release. Written by tools/symbol_map.py from the headers."]
    below = ""
    for release in releases:
        names = sorted(name for name, since in functions.items() if since == release)
        text.append(f"XPUGRAPH_{release} {{")
        text.append("  global:")
        text += [f"    {name};" for name in names]
        if not below:
            text += ["  local:", "    *;"]
        text.append(f"}}{below};")
        below = f" XPUGRAPH_{release}"
    return "\n".join(text) + "\n"


def main():
    wanted = symbol_map(declared())
    there = MAP.read_text(encoding="utf-8") if MAP.exists() else ""
    if "--check" not in sys.argv[1:]:
        MAP.write_text(wanted, encoding="utf-8")
        return 0
    if wanted != there:
        print(f"{MAP.relative_to(ROOT)} is not what the headers say: run tools/symbol_map.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
