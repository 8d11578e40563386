#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs into an empty folder and looks at what is there.

usage: install_test.py SOURCE BUILD VERSION
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD, VERSION = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]


def output(*command, **environment):
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          env=environment or None).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        output("meson", "install", "-C", str(BUILD), "--no-rebuild", "--destdir", str(cls.root))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def one(self, name):
        found = list(self.root.rglob(name))
        self.assertEqual(len(found), 1, f"{name}: {found}")
        return found[0]

    def soname(self, library):
        match = re.search(r"SONAME\s+(\S+)", output("objdump", "-p", str(library)))
        return match.group(1) if match else None

    def test_the_libraries_have_their_sonames(self):
        self.assertEqual(self.soname(self.one("libxpugraph.so.0").resolve()), "libxpugraph.so.0")
        self.assertEqual(self.soname(self.one("libze_xpugraph_cpu.so.1").resolve()),
                         "libze_xpugraph_cpu.so.1")

    def test_the_driver_lies_beside_the_library(self):
        self.assertEqual(self.one("libxpugraph.so.0").parent,
                         self.one("libze_xpugraph_cpu.so.1").parent)

    def test_nothing_installed_names_the_build_folder(self):
        for library in ("libxpugraph.so.0", "libze_xpugraph_cpu.so.1"):
            self.assertNotIn("RUNPATH", output("objdump", "-p", str(self.one(library))))

    def test_the_library_does_not_link_level_zero(self):
        needed = re.findall(r"NEEDED\s+(\S+)",
                            output("objdump", "-p", str(self.one("libxpugraph.so.0"))))
        self.assertEqual([n for n in needed if n.startswith(("libze", "libOpenCL"))], [])

    def test_all_public_headers_are_there_and_nothing_else(self):
        wanted = {p.name for p in (SOURCE / "include/xpugraph").rglob("*.h")}
        there = {p.name for p in self.root.rglob("*.h")}
        self.assertEqual(there, wanted)

    def test_pkg_config_knows_the_version(self):
        folder = self.one("xpugraph.pc").parent
        said = output("pkg-config", "--modversion", "xpugraph", PKG_CONFIG_LIBDIR=str(folder),
                      PATH="/usr/bin:/bin")
        self.assertEqual(said.strip(), VERSION)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
