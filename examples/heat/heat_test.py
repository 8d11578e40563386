#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the heat example as a user would: results, files, and what it says to a wrong command line.

usage: heat_test.py HEAT PICTURE
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEAT, PICTURE = sys.argv[1:3]


def heat(*arguments):
    return subprocess.run([HEAT, *arguments], capture_output=True, text=True, check=False)


class Heat(unittest.TestCase):
    def run_with(self, *arguments):
        """Runs in a fresh folder; returns the text and {name: bytes} of the files it left there."""
        with tempfile.TemporaryDirectory() as folder:
            done = heat("--out", folder, "--steps", "3", *arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout, {p.name: p.read_bytes() for p in Path(folder).iterdir()}

    def test_a_graph_gives_the_results_of_running_directly(self):
        text, _ = self.run_with()
        self.assertIn("results identical\n", text)

    def test_the_result_is_a_picture_of_the_same_size(self):
        _, files = self.run_with()
        size = slice(16, 24)  # width and height in the first chunk of a PNG file
        self.assertEqual(files["heat.png"][size], Path(PICTURE).read_bytes()[size])

    def test_the_graph_has_a_node_for_each_kernel_and_copy(self):
        text, files = self.run_with("--tiles", "2x1")
        self.assertIn("8 kernels and 32 copies", text)
        dot = files["heat.dot"].decode()
        self.assertTrue(dot.lstrip().startswith("digraph"), dot[:80])
        self.assertEqual(dot.count("conduct") + dot.count("diffuse"), 8)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_the_graph_is_drawn(self):
        _, files = self.run_with("--tiles", "1x1")
        self.assertIn(b"<svg", files["heat.svg"])

    def test_the_way_of_tiling_does_not_change_the_result(self):
        whole = self.run_with("--tiles", "1x1")[1]["heat.png"]
        self.assertEqual(whole, self.run_with("--tiles", "4x3")[1]["heat.png"])

    def test_a_file_that_is_no_picture_is_refused_by_name(self):
        done = heat("--picture", __file__)
        self.assertEqual(done.returncode, 1)
        self.assertIn("heat_test.py", done.stderr)

    def test_a_wrong_number_of_tiles_is_refused_with_what_is_expected(self):
        for tiles in ("0x1", "3", "17x2", "2x2x2", "axb"):
            done = heat("--tiles", tiles)
            self.assertEqual(done.returncode, 2, tiles)
            self.assertIn("two numbers from 1 to 16", done.stderr)

    def test_an_unknown_option_shows_the_usage(self):
        done = heat("--colour")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: heat", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
