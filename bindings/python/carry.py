#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts libxpugraph.so.0 and the CPU driver into a folder, for the wheel.

usage: carry.py OUTPUT [--library FOLDER]. They come from FOLDER (a build folder of the library, or one
that simply has them); without one, they are built from the source tree around the package or the one
that a source distribution has in it, or else copied from where pkg-config says that the library is
installed.
"""
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIBRARIES = ["libxpugraph.so.0", "libze_xpugraph_cpu.so.1"]
HERE = Path(__file__).resolve().parent
TREE = HERE / "library" if (HERE / "library").exists() else HERE.parents[1]


def run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(part) for part in command], check=True)


def installed(build, target):
    """The folder into which an existing build installs its libraries; stripped, without run paths."""
    run("meson", "install", "-C", build, "--no-rebuild", "--tags", "runtime", "--strip",
        "--destdir", target)
    return next(target.rglob("libxpugraph.so.0")).parent


def built(output):
    build = output / "library"
    if not (build / "build.ninja").exists():
        # One translation unit for each part: a third of the time.
        run("meson", "setup", build, TREE, "--buildtype=release", "-Dunity=on",
            "-Dunity_size=1000")
    known = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True,
                           capture_output=True, text=True).stdout
    # Only these two: not the tests and examples.
    run("ninja", "-C", build,
        *re.findall(r"^(src/(?:capi|cpu)/lib\w+\.so\.[\d.]+):", known, re.MULTILINE))
    return installed(build, output / "installed")


def found():
    asked = subprocess.run(["pkg-config", "--variable=libdir", "xpugraph"], capture_output=True,
                           text=True, check=False)
    return Path(asked.stdout.strip()) if asked.returncode == 0 else None


def source(output, library):
    if library:
        folder = Path(library)
        return installed(folder, output / "installed") if (folder / "build.ninja").exists() \
            else folder
    if (TREE / "src/capi/meson.build").exists():
        return built(output)
    return found()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--library", default="")
    given = parser.parse_args()
    folder = source(given.output.resolve(), given.library)
    if folder is None:
        sys.exit("carry.py: there is no source tree around the package, and pkg-config knows no "
                 "xpugraph: install the library, or name its folder with --library")
    for name in LIBRARIES:
        if not (folder / name).exists():
            sys.exit(f"carry.py: {folder} has no {name}")
        shutil.copyfile(folder / name, given.output / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
