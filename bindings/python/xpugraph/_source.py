# SPDX-License-Identifier: Apache-2.0
"""OpenCL C to SPIR-V with the clang and the SPIR-V translator of the machine."""
from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Optional, Sequence

from xpugraph import _raw
from xpugraph.error import BuildError, NotSupported

# Debian's names; the two must be of one LLVM, since the one reads the other's bitcode.
_VERSIONS = ("-15", "-22", "-21", "-20", "-19", "-18", "-17", "-16", "-14", "")


def tools() -> Optional[tuple[str, str]]:
    """The paths of a clang and a translator that go together."""
    for version in _VERSIONS:
        clang, translator = (shutil.which(name + version) for name in ("clang", "llvm-spirv"))
        if clang and translator:
            return clang, translator
    return None


def compiled(source: str, options: Sequence[str] = ()) -> bytes:
    """The SPIR-V of OpenCL C source; see Module.from_source()."""
    found = tools()
    if found is None:
        raise NotSupported(
            _raw.xpuError_t.xpuErrorNotSupported,
            "OpenCL C source needs clang and llvm-spirv of the same version in PATH (Debian: "
            "clang-15, llvm-spirv-15); or compile it beforehand and load the SPIR-V",
            "Module.from_source")
    clang, translator = found
    with tempfile.TemporaryDirectory(prefix="xpugraph-") as folder:
        text, bitcode, spirv = (Path(folder, name) for name in ("kernel.cl", "k.bc", "k.spv"))
        text.write_text(source, encoding="utf-8")
        _run([clang, "-c", "-target", "spir64-unknown-unknown", "-cl-std=CL2.0", "-O2",
              "-emit-llvm", "-Xclang", "-finclude-default-header", *options, "kernel.cl", "-o",
              bitcode.name], folder)
        _run([translator, bitcode.name, "-o", spirv.name], folder)
        return spirv.read_bytes()


def _run(command: list[str], folder: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        error = BuildError(_raw.xpuError_t.xpuErrorInvalidSource,
                           "the source does not compile:\n" + done.stderr.strip(),
                           "Module.from_source")
        error.log = done.stderr
        raise error
