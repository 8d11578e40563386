# SPDX-License-Identifier: Apache-2.0
"""The package as users get it: what pip installs, the types that editors show, old Pythons."""
import ast
import enum
import inspect
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import xpugraph as xpu

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings/python"
MODULES = sorted(PACKAGE.joinpath("xpugraph").rglob("*.py"))


def run(*command, **how):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_is_python_3_9(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


def public(tree):
    """(name, node) of what a module and its classes define for users."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{name}", inner) for name, inner in public(node))


@pytest.mark.parametrize("path", [p for p in MODULES if not p.stem.startswith("_")
                                  and p.parent.name != "_raw"], ids=lambda path: path.stem)
def test_whatever_is_public_is_described(path):
    silent = [name for name, node in public(ast.parse(path.read_text(encoding="utf-8")))
              if ast.get_docstring(node) is None]

    assert silent == []


# Described once, in the package's own words.
RECURRING = {"self", "stream", "device", "after", "verbose"}
# Nobody makes these by their constructors.
MADE_OTHERWISE = {"Branch", "Buffer", "Condition", "DeviceProperties", "GraphExec", "Kernel", "KernelAttributes",
                  "Memory", "Node", "NodeProfile", "PoolUsage"}


def functions():
    """(name, object whose words they are, signature) of what users can call."""
    for name in set(xpu.__all__) - {"call", "raw"}:
        thing = getattr(xpu, name)
        if inspect.isclass(thing) and not issubclass(thing, (xpu.XPUError, enum.Enum)):
            members = [(f"{name}.{key}", getattr(value, "__func__", value))
                       for key, value in vars(thing).items() if not key.startswith("_")]
            yield from (member for member in members if inspect.isfunction(member[1]))
            if name not in MADE_OTHERWISE:
                yield name, thing
        elif inspect.isfunction(thing):
            yield name, thing


@pytest.mark.parametrize("name, function", sorted(functions()), ids=lambda value: str(value)[:40])
def test_parameters_are_described_as_they_are(name, function):
    words, own = inspect.getdoc(function), set(inspect.signature(function).parameters) - RECURRING
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n---|\Z)", words, re.M | re.S)
    described = {word.strip() for line in re.findall(r"^(\w[^:\n]*)(?: :.*)?$", section[1], re.M)
                 for word in line.split(",")} if section else set()

    assert described <= own | RECURRING, "it has no such parameter"
    assert described >= own or len(own) < 2 or re.search(r"\b[Ss]ee [\w.]+\(\)", words), \
        "it has more parameters than its sentence can describe"


def test_the_list_of_names_is_what_there_is():
    imported = {name for name, value in vars(xpu).items() if not name.startswith("_")
                and getattr(value, "__name__", name) != f"xpugraph.{name}"}

    assert set(xpu.__all__) <= set(vars(xpu))
    assert sorted(imported - set(xpu.__all__)) == []


def test_the_tests_that_the_design_page_names_exist():
    page = (ROOT / "docs/design/python.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+_test):(\w+)`", page)

    assert len(named) > 30
    for file, name in named:
        text = (ROOT / f"tests/python/{file}.py").read_text(encoding="utf-8")
        assert f"def test_{name}(" in text, f"{file}:{name}"


def test_the_package_has_the_librarys_version():
    said = re.search(r'^version = "(.*)"', (PACKAGE / "pyproject.toml").read_text(), re.M).group(1)

    assert said == xpu.__version__


def test_the_types_hold(tmp_path):
    pytest.importorskip("mypy")
    run(sys.executable, "-m", "mypy", "--cache-dir", tmp_path, cwd=PACKAGE)


@pytest.fixture
def source_distribution(tmp_path):
    """Of what is committed, as that is what Meson packs."""
    pytest.importorskip("mesonpy")
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("there is no Git repository to make it from")
    clone = tmp_path / "clone"
    run("git", "-c", "safe.directory=*", "clone", "--quiet", "--depth=1", ROOT.as_uri(), clone)
    run(sys.executable, "-c", f"import mesonpy; mesonpy.build_sdist({str(tmp_path)!r})",
        cwd=clone / "bindings/python")
    return next(tmp_path.glob("*.tar.gz"))


def test_a_source_distribution_has_all_that_it_is_built_from(source_distribution, tmp_path):
    with tarfile.open(source_distribution) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}

    known = run("git", "ls-files", cwd=tmp_path / "clone").splitlines()
    wanted = {name for name in known if name.startswith(("include/", "src/"))} | {"meson.build"}
    assert len(wanted) > 100 and {f"library/{name}" for name in wanted} <= names
    mine = {name.partition("bindings/python/")[2] for name in known
            if name.startswith("bindings/python/")}
    assert mine <= names and "PKG-INFO" in names


@pytest.mark.parametrize("of", ["folder", "source_distribution"])
def test_pip_installs_the_package_with_library_and_driver(tmp_path, of, request):
    pytest.importorskip("mesonpy")
    pytest.importorskip("ensurepip")
    if "XPU_TEST_BUILD" not in os.environ:
        pytest.skip("XPU_TEST_BUILD names no build folder")
    if of == "folder":
        # The build writes beside its source.
        package = tmp_path / "python"
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", ".mesonpy-*"))
    else:
        package = request.getfixturevalue(of)
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env")
    python = tmp_path / "env/bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation",
        f"--config-settings=setup-args=-Dlibrary={os.environ['XPU_TEST_BUILD']}", package)
    clean = {name: value for name, value in os.environ.items()
             if name not in ("LD_LIBRARY_PATH", "PYTHONPATH", "XPUGRAPH_DRIVER")}
    clean["XPUGRAPH_DRIVER"] = "cpu"

    said = run(python, "-c", f"""
import xpugraph as xpu
g, b = xpu.XPUGraph(), xpu.zeros(4, "i4")
with xpu.graph(g):
    xpu.Module({os.environ["XPU_TEST_KERNELS"]!r})["store"][1, 1](b, 2, 7)
g.replay()
print(b.get(), xpu.__file__)
""", cwd=tmp_path, env=clean).split(" ", 4)

    place = Path(said[4].strip()).parent
    assert said[:4] == ["[0", "0", "7", "0]"] and tmp_path in place.parents
    assert (place / "_lib/libze_xpugraph_cpu.so.1").exists() and (place / "py.typed").exists()
    installed = {path.relative_to(place) for path in place.rglob("*.py")}
    assert of != "folder" or installed == {path.relative_to(PACKAGE / "xpugraph") for path in MODULES}
