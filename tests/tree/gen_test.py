#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes a header in a copy of the tree and expects `tools/gen --check` to tell what is stale."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["tools/gen", "tools/description", "include", "bindings/python/xpugraph/_raw"]


def check(root):
    return subprocess.run([sys.executable, "-B", root / "tools/gen", "--check"],
                          capture_output=True, text=True, check=False)


def complaint(path, old, new):
    """What the check says after `old` became `new` in a file of the copy."""
    with tempfile.TemporaryDirectory() as folder:
        for name in COPIED:
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, target)
        file = Path(folder, path)
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{path} has no {old!r}"
        file.write_text(text.replace(old, new), encoding="utf-8")
        result = check(Path(folder))
        return f"{result.returncode}: {result.stdout}{result.stderr}"


def main():
    fresh = check(ROOT)
    if fresh.returncode == 77:
        print(fresh.stdout)
        return 77
    cases = [
        ("include/xpugraph/exec.h", "Makes an executable", "Builds an executable",
         "1: bindings/python/xpugraph/_raw/exec.py is not what"),
        ("include/xpugraph/event.h", "float* ms", "double* ms",
         "1: bindings/python/xpugraph/_raw/event.py is not what"),
        ("bindings/python/xpugraph/_raw/graph.py", "xpuGraphNodeTypeEmpty = 5",
         "xpuGraphNodeTypeEmpty = 6", "1: bindings/python/xpugraph/_raw/graph.py is not what"),
        ("include/xpugraph/exec.h", "@param[out] pGraphExec", "@param[out] pExec",
         "describes pExec, which is no parameter"),
        ("include/xpugraph/exec.h", "unsigned long long* flags);", "long double* flags);",
         "long double has no place in the model"),
    ]
    faults = [f"{path}, {new!r}: expected {expected!r}, got {said!r}"
              for path, old, new, expected in cases
              if expected not in (said := complaint(path, old, new))]
    print("\n".join(faults) or f"gen: {len(cases)} planted changes found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
