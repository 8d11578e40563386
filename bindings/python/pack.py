#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the C library's source into a source distribution, as the folder `library`; Meson runs it for dist."""
import io
import os
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    # Committed files, as Meson's own part of a distribution has them, without what is there already.
    archive = subprocess.run(["git", "archive", "HEAD", ".", ":!bindings"], cwd=ROOT, check=True,
                             stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(Path(os.environ["MESON_DIST_ROOT"], "library"))


if __name__ == "__main__":
    main()
