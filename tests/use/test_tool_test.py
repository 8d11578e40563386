#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tools/test on a project of three lines, to see that it counts, fails and says why.

usage: test_tool_test.py SOURCE
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])


def run_tests(description, *arguments, root_says=None):
    """Exit code and lines of tools/test in a project that is described like this.

    `root_says` is what its tools/root does, a shell script.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tools").mkdir()
        if root_says:
            Path(folder, "tools/root").write_text(f"#!/bin/bash\n{root_says}\n")
            Path(folder, "tools/root").chmod(0o755)
        for name in ("test", "packages", "count_results.py"):
            shutil.copy(SOURCE / "tools" / name, Path(folder, "tools", name))
        Path(folder, "meson.build").write_text("project('x', 'c')\n" + description)
        done = subprocess.run([f"{folder}/tools/test", "--no-apt", *arguments], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.splitlines()


def test_row(name, code, suite="unit"):
    return f"test('{name}', find_program('bash'), args: ['-c', 'exit {code}'], suite: '{suite}')\n"


class TestTool(unittest.TestCase):
    def ends(self, description, code, line, *arguments):
        ended, lines = run_tests(description, *arguments)
        self.assertEqual((ended, lines[-1]), (code, line), "\n".join(lines))
        return lines

    def test_passed_and_skipped_tests_are_counted(self):
        self.ends(test_row("a", 0) + test_row("b", 0) + test_row("c", 77), 0,
                  "2 passed, 0 failed, 1 skipped", "--quick")

    def test_a_failed_test_fails_the_run(self):
        self.ends(test_row("a", 0) + test_row("b", 1), 1, "1 passed, 1 failed, 0 skipped", "--quick")

    def test_a_build_that_fails_is_a_failure_and_says_where(self):
        lines = self.ends("custom_target('t', output: 't', command: ['false'],"
                          " build_by_default: true)\n", 1,
                          "0 passed, 1 failed, 0 skipped", "--quick")
        self.assertIn("did not build", "\n".join(lines))

    def test_a_description_that_is_wrong_is_a_failure(self):
        self.ends("nonsense()\n", 1, "0 passed, 1 failed, 0 skipped", "--quick")

    def test_the_loader_runs_its_suite_only(self):
        self.ends(test_row("a", 0) + test_row("b", 0, "loader"), 0, "1 passed, 0 failed, 0 skipped",
                  "loader")

    def test_functions_that_were_left_out_are_skipped(self):
        said = "functions: 7 run, 2 of them in part, 3 left out"
        row = "test('{}', find_program('bash'), args: ['-c', 'echo \"" + said + "\"; exit {}'])\n"
        lines = self.ends(row.format("a", 0) + row.format("b", 77), 0,
                          "1 passed, 0 failed, 6 skipped", "--quick")
        self.assertIn("of 14 functions 4 in part; 6 left out", "\n".join(lines))

    def test_a_machine_without_a_root_skips_its_lane_and_says_why(self):
        ended, lines = run_tests("", "intel", root_says="exit 1")
        self.assertEqual((ended, lines[-1]), (0, "0 passed, 0 failed, 1 skipped"), "\n".join(lines))
        self.assertIn("there is no root", "\n".join(lines))

    def test_the_lane_in_the_root_builds_there(self):
        ended, lines = run_tests("nonsense()\n", "intel", root_says='[ $1 = status ] || "${@:2}"')
        self.assertEqual((ended, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"), "\n".join(lines))
        self.assertIn("could not be configured", "\n".join(lines))

    def test_an_unknown_lane_is_refused(self):
        ended, lines = run_tests("", "everything")
        self.assertEqual(ended, 2)
        self.assertIn("unknown argument 'everything'", lines[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
