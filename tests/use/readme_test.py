#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of README.md, in the build folder and an installed copy instead of the user's.

usage: readme_test.py SOURCE BUILD, with in the environment CC, SPIRV_CLANG and LLVM_SPIRV (the programs
that this build uses for cc, clang-15 and llvm-spirv-15) and SANITIZE (compiler flags, may be empty).
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = (Path(p).resolve() for p in sys.argv[1:3])
README = (SOURCE / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands():
    return [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


class Readme(unittest.TestCase):
    """The folder `desk` is where the user stands; it sees the repository's files by their names."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.desk = Path(cls.folder.name, "desk")
        cls.desk.mkdir()
        (cls.desk / "examples").symlink_to(SOURCE / "examples")
        cls.prefix = Path(cls.folder.name, "installed")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_command(self, command, **environment):
        done = subprocess.run(["bash", "-c", command], cwd=self.desk, capture_output=True, text=True,
                              env={**os.environ, **environment}, check=False)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def installed_environment(self):
        pc_file = next(self.prefix.rglob("xpugraph.pc"))
        return {"PKG_CONFIG_LIBDIR": str(pc_file.parent), "PKG_CONFIG_SYSROOT_DIR": str(self.prefix),
                "LD_LIBRARY_PATH": str(pc_file.parent.parent)}

    def adapted(self, command):
        """(command as it is run here, its extra environment, what its output must contain)"""
        clang, llvm_spirv = os.environ["SPIRV_CLANG"], os.environ["LLVM_SPIRV"]
        if command == "tools/demo":
            out = f"{self.folder.name}/out"
            return (f"{SOURCE}/tools/demo --no-apt --build {BUILD} --out {out}", {},
                    "results identical")
        if command == "tools/test":  # what it does is the matter of test_tool_test.py
            return f"{SOURCE}/tools/test --help", {}, "N passed, N failed, N skipped"
        if command.startswith("clang-15 "):
            return command.replace("clang-15", clang, 1), {}, ""
        if command.startswith("llvm-spirv-15 "):
            return command.replace("llvm-spirv-15", llvm_spirv, 1), {}, ""
        if command.startswith("cc "):
            compiler = f"{os.environ['CC']} {os.environ['SANITIZE']} "
            return command.replace("cc ", compiler, 1), self.installed_environment(), ""
        if command.startswith("./one_graph "):
            return command, self.installed_environment(), "after 10 launches: 10"
        if command.startswith("meson setup build"):
            return command.replace("build", f"{self.folder.name}/build {SOURCE}", 1), {}, "xpugraph"
        if command == "meson compile -C build":
            return f"meson compile -C {BUILD}", {}, ""
        if command == "meson test -C build":
            return f"meson test -C {BUILD} --no-rebuild --list", {}, "house_rules"
        if command == "meson install -C build":
            return f"meson install -C {BUILD} --no-rebuild --destdir {self.prefix}", {}, ""
        if command.startswith(("python3 -m venv", "env/bin/pip install")):
            return self.adapted_to_debians_python(command), {}, ""
        return self.fail(f"README.md has a command that no test runs: {command}")

    def adapted_to_debians_python(self, command):
        """Which has what the package is built with; the library is the one that is built already."""
        if subprocess.run(["/usr/bin/python3", "-c", "import mesonpy, ensurepip, numpy"], check=False,
                          capture_output=True).returncode:
            return "true"  # and nobody can follow the README here
        if command.startswith("python3"):
            return f"/usr/bin/{command}"
        install = (f"mkdir bindings && cp -r {SOURCE}/bindings/python bindings && " +
                   command.replace("install", "install --no-index --no-deps "
                                   f"--config-settings=setup-args=-Dlibrary={BUILD}"))
        if os.environ["SANITIZE"]:  # has to be in the program, and the interpreter has none
            return install
        return f"{install} && XPUGRAPH_DRIVER=cpu env/bin/python -c 'import xpugraph; xpugraph.zeros(1).get()'"

    def test_every_command_works(self):
        # Installing comes last in the README and is needed by the program above it.
        in_order = sorted(commands(), key=lambda c: not c.startswith("meson install"))
        self.assertGreater(len(in_order), 5)
        for command in in_order:
            with self.subTest(command):
                text, environment, expected = self.adapted(command)
                self.assertIn(expected, self.run_command(text, **environment))

    def test_the_program_is_the_example(self):
        example = (SOURCE / "examples/one_graph.c").read_text(encoding="utf-8").split("\n", 2)[2]
        self.assertEqual(blocks("c"), [example])

    def test_tools_named_in_the_text_exist(self):
        for name in set(re.findall(r"`(tools/\w+)`", README)):
            self.assertTrue(os.access(SOURCE / name, os.X_OK), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
