#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what tools/root does without a root and without the network, and runs root_enter on an empty folder.

usage: root_test.py SOURCE
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
ROOT_TOOL = SOURCE / "tools/root"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
NAMESPACES = shutil.which("mount") is not None and subprocess.run(
    ["unshare", "--mount", "--pid", "--fork", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(self.remove_folder)
        self.folder.chmod(0o755)
        self.root = self.folder / "cache/root"
        # An apt that knows no mirror: a fault in the tool must not start to download.
        (self.folder / "none.conf").write_text(f'Dir::Etc "{self.folder}/none";\n')
        self.environment = {**os.environ, "XPUGRAPH_ROOT": str(self.root),
                            "APT_CONFIG": str(self.folder / "none.conf")}

    def mounts(self):
        return [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()
                if str(self.folder) in line.split()[1]]

    def remove_folder(self):
        # A faulty tool may have left this machine's /usr and /dev mounted there: those must not be deleted.
        for place in reversed(self.mounts()):
            subprocess.run(["umount", "--lazy", place], check=True)
        shutil.rmtree(self.folder)

    def run_tool(self, *arguments, before=()):
        """(exit code, standard output, standard error) of tools/root."""
        done = subprocess.run([*before, ROOT_TOOL, *arguments], env=self.environment, check=False,
                              capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def ends(self, code, sentence, *arguments, **how):
        ended, out, err = self.run_tool(*arguments, **how)
        self.assertEqual(ended, code, out + err)
        self.assertIn(sentence, err if code in (2, 77) else out)
        return out + err


class Usage(WithFolder):
    def test_an_unknown_command_is_refused_with_the_known_ones(self):
        said = self.ends(2, "unknown command 'start'", "start")
        for name in ("run", "intel", "status", "remove"):
            self.assertIn(name, said)

    def test_an_unknown_part_is_refused_with_the_known_ones(self):
        for arguments in (["intel", "gen7", "true"], ["intel"], ["intel", ""], ["intel", "bmg lnl"]):
            with self.subTest(arguments):
                self.ends(2, "the parts are: bmg lnl pvc dg2 tgllp", *arguments)

    def test_wrong_options_are_refused(self):
        for sentence, *arguments in (
                ("a command is missing", "run"), ("a command is missing", "intel", "bmg", "--direct"),
                ("unknown option '--fast'", "run", "--fast", "true"),
                ("--direct is for tools/root intel", "run", "--direct", "true"),
                ("--folder needs a folder that exists", "run", "--folder", "/no/such", "true"),
                ("tools/packages has no group 'now'", "make", "now")):
            with self.subTest(arguments):
                self.ends(2, sentence, *arguments)

    def test_help_says_what_the_exit_codes_are(self):
        self.ends(0, "77 where there is no root", "--help")


class WithoutARoot(WithFolder):
    def test_status_says_so(self):
        self.ends(1, f"there is no root in {self.root}", "status")

    def test_others_than_root_are_told(self):
        for verb, *arguments in (("made", "make"), ("entered", "run", "true"),
                                 ("entered", "intel", "bmg", "true"), ("removed", "remove")):
            with self.subTest(arguments):
                self.ends(77, f"not root: the root can only be {verb} by root", *arguments, before=NOBODY)
        self.assertFalse(self.root.parent.exists())

    @unittest.skipUnless(NAMESPACES, "only root can go on")
    def test_a_command_has_nowhere_to_run(self):
        self.ends(77, f"there is no root in {self.root}", "run", "true")

    @unittest.skipIf(NOBODY == [], "only root can go on")
    def test_a_folder_of_somebody_else_is_left_alone(self):
        self.root.mkdir(parents=True)
        (self.root / "letters").write_text("mine")
        for command in ("make", "remove"):
            if command == "remove" or NAMESPACES:
                self.ends(2, "is not a root of this tool", command)
        self.assertEqual((self.root / "letters").read_text(), "mine")


class Mirror(WithFolder):
    """What tools/root_mirror finds in an apt configuration that is made up."""

    def mirror(self, files, releases=()):
        etc, lists = self.folder / "etc", self.folder / "lists"
        for folder in (etc / "apt.conf.d", etc / "sources.list.d", lists / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (etc / name).write_text(text)
        for name, label in releases:
            (lists / f"{name}_InRelease").write_text(f"Origin: Debian\nLabel: {label}\n")
        (self.folder / "apt.conf").write_text(f'Dir::Etc "{etc}";\nDir::State::lists "{lists}";\n')
        done = subprocess.run([SOURCE / "tools/root_mirror"], check=False, capture_output=True, text=True,
                              env={**os.environ, "APT_CONFIG": str(self.folder / "apt.conf")})
        return done.stdout.strip() if done.returncode == 0 else (done.returncode, done.stderr.strip())

    LINE = ("# deb http://old.example/debian bookworm main\n"
            "deb http://vendor.example/chat stable main\n"
            "deb-src http://source.example/debian bookworm main\n"
            "deb [arch=amd64 trusted=yes] http://one.example/pub/debian/ bookworm main contrib\n")
    STANZA = ("Types: deb\nURIs: http://two.example/debian-security\nSuites: trixie-security\n"
              "Components: main\n\n# a remark\nTypes: deb deb-src\nURIs: http://two.example/debian\n"
              "Suites: trixie trixie-updates\nComponents: main\n\n"
              "Types: deb\nURIs: http://three.example/debian\nSuites: sid\nComponents: main\nEnabled: no\n")

    def test_one_line_format(self):
        self.assertEqual(self.mirror({"sources.list": self.LINE}), "http://one.example/pub/debian")

    def test_deb822_format(self):
        self.assertEqual(self.mirror({"sources.list.d/debian.sources": self.STANZA}),
                         "http://two.example/debian")

    def test_a_release_file_says_more_than_a_name(self):
        sources = self.LINE + "deb http://cache.example/remote trixie main\n"
        self.assertEqual(self.mirror({"sources.list": sources},
                                     [("cache.example_remote_dists_trixie", "Debian")]),
                         "http://cache.example/remote")

    def test_the_security_archive_is_no_mirror(self):
        code, said = self.mirror({"sources.list": "deb http://s.example/security trixie-security main\n"},
                                 [("s.example_security_dists_trixie-security", "Debian-Security")])
        self.assertEqual((code, said), (1, "tools/root: apt's configuration names no Debian mirror"))


@unittest.skipUnless(NAMESPACES and os.geteuid() == 0, "needs root and mount namespaces")
class Entered(WithFolder):
    """A folder with this machine's own programs stands in for a root."""

    def setUp(self):
        super().setUp()
        for name in ("proc", "dev", "sys", "tmp", "run", "etc", "root"):
            (self.root / name).mkdir(parents=True)
        (self.root / "etc/xpugraph-root").write_text("for a test\n")
        shown = []
        for name in ("usr", "bin", "lib", "lib64", "sbin"):
            if Path("/", name).is_symlink():
                (self.root / name).symlink_to(os.readlink(f"/{name}"))
            elif Path("/", name).is_dir():
                shown += ["--folder", f"/{name}"]
        self.shown = shown

    def test_input_output_code_and_current_folder_pass_through(self):
        done = subprocess.run([ROOT_TOOL, "run", *self.shown, "sh", "-c", "pwd; cat; exit 7"],
                              cwd=SOURCE / "tests", env=self.environment, input="hello", check=False,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (7, f"{SOURCE}/tests\nhello"), done.stderr)
        self.assertEqual(self.mounts(), [])

    def test_intel_sets_what_starts_the_driver(self):
        said = self.ends(0, "ProductFamilyOverride=tgllp", "intel", "tgllp", *self.shown, "env")
        self.assertIn("HardwareInfoOverride=1x6x16", said)
        self.assertIn("XPUGRAPH_DRIVER=gpu", said)
        self.assertNotIn("UseExternalAllocatorForSshAndDsh", said)
        said = self.ends(0, "ProductFamilyOverride=bmg", "intel", "bmg", "--direct", *self.shown, "env")
        self.assertIn("UseExternalAllocatorForSshAndDsh=0", said)
        self.assertRegex(said, "XPUGRAPH_DRIVER=/.*/libze_intel_gpu.so.1")

    def test_a_folder_that_hides_something_is_refused(self):
        self.ends(2, "would hide what the root has", "run", "--folder", "/etc", "true")

    def test_remove_removes_all_of_it(self):
        half = self.root.with_suffix(".half")
        (half / "root").mkdir(parents=True)
        self.ends(0, f"removed {self.root}", "remove")
        self.assertFalse(self.root.exists() or half.exists())
        self.ends(0, "there is no root", "remove")

    def test_a_kill_ends_everything(self):
        for sent in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(sent):
                fifo = self.folder / f"alive{int(sent)}"
                os.mkfifo(fifo)
                reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
                self.addCleanup(os.close, reader)
                # The orphan holds the pipe open as long as it lives; it is in a session of its own.
                script = f"exec >{fifo}; setsid sleep 60 & echo up; sleep 60"
                tool = subprocess.Popen([ROOT_TOOL, "run", *self.shown, "--folder", self.folder,
                                         "sh", "-c", script], env=self.environment,
                                        stdin=subprocess.DEVNULL)
                self.assertEqual(self.read(reader), b"up\n")
                tool.send_signal(sent)
                self.assertEqual(tool.wait(), -sent)
                self.assertEqual(self.read(reader), b"")
                self.assertEqual(self.mounts(), [])

    def read(self, pipe):
        """What comes next, empty at the end of the pipe, or None after five seconds of nothing."""
        for _ in range(500):
            time.sleep(0.01)
            try:
                data = os.read(pipe, 100)
            except BlockingIOError:
                self.opened = True
                continue
            if data or getattr(self, "opened", False):
                self.opened = bool(data)
                return data
        return None


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
