#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses what the house does not allow: prints one line per fault, ends 1 if there is any.

usage: tidy.py ROOT. Each rule is a function of the tree that yields (path, line, sentence).
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

# What each floor may include besides itself.
FLOORS = {
    "base": set(),
    "spec": {"base"},
    "graph": {"base"},
    "ze": {"base", "spec"},
    "plan": {"graph", "base"},
    "runtime": {"ze", "base"},
    "memory": {"runtime", "graph", "plan", "ze", "base"},
    "capture": {"runtime", "graph", "plan", "base"},
    "exec": {"plan", "runtime", "graph", "ze", "base"},
    "capi": {"exec", "capture", "memory", "runtime", "plan", "graph", "ze", "base"},
    "cpu": {"base", "spec"},
}
# The floors that may name a foreign interface, by the folder of its headers.
FOREIGN = {"level_zero": {"spec", "ze", "cpu"}, "CL": {"cpu"}}

SOURCES = {".c", ".cpp", ".h", ".inc", ".cl", ".py", ".build", ".map"}
GENERATED_OUTPUT = {".o", ".a", ".so", ".spv", ".bc", ".pyc", ".log", ".dot", ".svg", ".json"}
BAD_NAMES = re.compile(r"(^|[_.-])(utils?|common|helpers?|manager|misc)([_.-]|$)", re.IGNORECASE)
# Put together here so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "TO" + "DO|FIX" + "ME|XX" + "X)\\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(" + "wor" + "k|roo" + r"t|hom" + r"e)/[\w.]")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
MAX_LINES = 400
# The licence is somebody else's text; pictures and the like are not lines of text.
NOT_OURS = {"LICENSE"}


class Tree:
    """The files of a source tree, as git knows them, or all of them where there is no git."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        self.paths = sorted(self._list())
        self._text = {}

    def _list(self):
        if (self.root / ".git").exists() and shutil.which("git"):
            listed = subprocess.run(
                ["git", "-c", f"safe.directory={self.root}", "-C", str(self.root), "ls-files",
                 "--cached", "--others", "--exclude-standard", "-z"],
                check=True, capture_output=True, text=True).stdout.split("\0")
            return [Path(p) for p in listed if p and (self.root / p).is_file()]
        everything = (p.relative_to(self.root) for p in self.root.rglob("*") if p.is_file())
        return [p for p in everything if not p.parts[0].startswith("build")
                and p.parts[0] != "out" and "__pycache__" not in p.parts]

    def text(self, path):
        """The text of a file, or None if it is not there or not text."""
        if path not in self._text:
            there = (self.root / path).is_file()
            data = (self.root / path).read_bytes() if there else b"\0"
            self._text[path] = None if b"\0" in data else data.decode("utf-8", "replace")
        return self._text[path]

    def lines(self, path):
        return (self.text(path) or "").splitlines()

    def is_source(self, path):
        """Code, whatever its suffix: scripts without one begin with #!."""
        return path.suffix in SOURCES or path.name == "packages" or \
            (path.suffix == "" and (self.text(path) or "").startswith("#!"))


def upward_includes(tree):
    for path in tree.paths:
        floor = path.parts[1] if path.parts[0] == "src" and len(path.parts) > 2 else None
        if floor is None:
            continue
        if floor not in FLOORS:
            yield path, 1, f"src/{floor} is not a floor; FLOORS in tests/tree/tidy.py names them"
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = INCLUDE.match(line)
            if match:
                yield from wrong_include(tree, path, floor, number, *match.groups())


def wrong_include(tree, path, floor, number, quote, target):
    first = target.split("/")[0]
    if first in FOREIGN:
        if floor not in FOREIGN[first]:
            yield path, number, f"only {', '.join(sorted(FOREIGN[first]))} may include <{target}>"
    elif quote == '"' and "/" not in target:
        yield path, number, f'"{target}" must be spelled from src/'
    elif first in FLOORS and "/" in target:
        if first != floor and first not in FLOORS[floor]:
            yield path, number, f"{floor} may not include {first} ({target}): it is not below"
        elif not (tree.root / "src" / target).is_file() and not target.endswith(".gen.h"):
            yield path, number, f"src/{target} does not exist"


def public_includes(tree):
    """What is installed, and the examples that teach it, stand on the public headers alone."""
    for path in tree.paths:
        if path.parts[0] not in ("include", "examples") or path.suffix not in (".h", ".c", ".cpp"):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = INCLUDE.match(line)
            if match and "/" in match.group(2) and \
                    match.group(2).split("/")[0] in (*FLOORS, *FOREIGN):
                yield path, number, f"{match.group(2)} is not a public header"


def first_lines(tree):
    for path in tree.paths:
        if not tree.is_source(path):
            continue
        lines = tree.lines(path)
        at = 1 if lines and lines[0].startswith("#!") else 0
        if len(lines) <= at or "SPDX-License-Identifier: Apache-2.0" not in lines[at]:
            yield path, at + 1, "the first line must be SPDX-License-Identifier: Apache-2.0"
            continue
        said = lines[at + 1].strip() if len(lines) > at + 1 else ""
        # A folder that has nothing to build yet has nothing to say either.
        if path.name == "meson.build" and len(lines) == at + 1:
            continue
        if path.name == "meson.build" and not said.startswith("#"):
            continue
        if not re.match(r'(//|# |/\*|"""|;)', said) or not re.search(r"[a-z]{2}", said):
            yield path, at + 2, "the second line must say what the file is for"


def sizes_and_names(tree):
    for path in tree.paths:
        if tree.is_source(path) and len(tree.lines(path)) > MAX_LINES:
            yield path, MAX_LINES, f"{len(tree.lines(path))} lines; {MAX_LINES} is the limit: " \
                "which second idea is in it?"
        for part in path.parts:
            if BAD_NAMES.search(part):
                yield path, 0, f"'{part}' does not say what it is"
        # Pages may show a plot, tests may read data.
        if path.suffix in GENERATED_OUTPUT and path.parts[:2] not in (("docs", "images"),
                                                                      ("tests", "data")):
            yield path, 0, "output of a build or a run does not belong into the repository"


def unfinished_and_private(tree):
    for path in tree.paths:
        if str(path) in NOT_OURS:
            continue
        for number, line in enumerate(tree.lines(path), 1):
            if UNFINISHED.search(line):
                yield path, number, "a mark of unfinished work"
            if MACHINE_PATH.search(line):
                yield path, number, "a path of somebody's machine"


def options_documented(tree):
    """docs/environment.md has exactly the options of options.inc, with default and meaning."""
    table, page = Path("src/base/options.inc"), Path("docs/environment.md")
    text = tree.text(table)
    documented = " ".join((tree.text(page) or "").split()) if page in tree.paths else ""
    names = set()
    for match in re.finditer(r'OPTION\(\w+,\s*"(\w+)",\s*"([^"]*)",\s*((?:"[^"]*"\s*)+)\)', text):
        name, standard, parts = match.groups()
        names.add(name)
        meaning = "".join(re.findall(r'"([^"]*)"', parts))
        row = f"| `{name}` | {f'`{standard}`' if standard else 'not set'} | {meaning} |"
        if row not in documented:
            yield page, 0, f"needs this row, as {table} has it: {row}"
    for name in re.findall(r"`(XPUGRAPH_[A-Z]+)`", documented):
        if name not in names:
            yield page, 0, f"{name} is not in {table}"


def driver_settings_documented(tree):
    """What the CPU driver reads from the environment stands in docs/environment.md."""
    page = tree.text(Path("docs/environment.md")) or ""
    read = {}
    for path in tree.paths:
        if path.parts[:2] == ("src", "cpu"):
            for name in re.findall(r'"(ZE_CPU_[A-Z_]+)"', tree.text(path) or ""):
                read.setdefault(name, path)
    for name, path in read.items():
        if f"`{name}`" not in page:
            yield path, 0, f"{name} is not in docs/environment.md"
    for name in set(re.findall(r"`(ZE_CPU_[A-Z_]+)`", page)) - set(read):
        yield Path("docs/environment.md"), 0, f"nothing in src/cpu reads {name}"


def one_version(tree):
    version = re.search(r"version: '([\d.]+)'", tree.text(Path("meson.build"))).group(1)
    if f"## {version}" not in (tree.text(Path("CHANGELOG.md")) or ""):
        yield Path("CHANGELOG.md"), 0, f"has no heading '## {version}', the version of meson.build"
    headers = "\n".join(tree.text(p) or "" for p in tree.paths if p.parts[0] == "include")
    numbers = re.findall(r"#define XPUGRAPH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", headers)
    if numbers and ".".join(numbers) != version:
        yield Path("include/xpugraph"), 0, \
            f"says version {'.'.join(numbers)}, meson.build says {version}"


def packages_explained(tree):
    page = tree.text(Path("docs/design/dependencies.md")) or ""
    for line in tree.lines(Path("tools/packages")):
        match = re.match(r"\w+ +\| ([^|]+)\| [\w]+:", line)
        for package in match.group(1).split()[:1] if match else []:
            if f"`{package}`" not in page:
                yield Path("docs/design/dependencies.md"), 0, f"does not say why `{package}`"


def links_lead_somewhere(tree):
    for path in tree.paths:
        if path.suffix != ".md":
            continue
        code = False
        for number, line in enumerate(tree.lines(path), 1):
            code ^= line.startswith("```")
            # In code, brackets before parentheses are an index and a call.
            words = "" if code else re.sub(r"`[^`]*`", "", line)
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", words):
                if not (tree.root / path.parent / target).exists():
                    yield path, number, f"the link to {target} leads nowhere"


RULES = [upward_includes, public_includes, first_lines, sizes_and_names, unfinished_and_private,
         options_documented, driver_settings_documented, one_version, packages_explained,
         links_lead_somewhere]


def faults(root):
    tree = Tree(root)
    return [fault for rule in RULES for fault in rule(tree)]


def main():
    found = faults(sys.argv[1])
    for path, line, sentence in found:
        print(f"{path}:{line}: {sentence}" if line else f"{path}: {sentence}")
    print(f"tidy: {len(RULES)} rules, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
