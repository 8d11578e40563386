#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tools/bench on tiny graphs on the CPU device, and checks its arithmetic on made-up figures.

usage: bench_test.py SOURCE BUILD
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = (Path(p).resolve() for p in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "tools/cost"))
import figures  # noqa: E402  pylint: disable=wrong-import-position
import python_figures  # noqa: E402  pylint: disable=wrong-import-position

ALL = ["capture", "instantiate", "launch", "update_one", "update_one_launch", "update_all",
       "update_graph", "update_graph_same", "destroy", "bytes", "run"]
# What nobody writes by hand.
NOT_RAW = {"capture", "update_graph_same"}
KEYS = {"figure", "shape", "n", "device", "by", "ns", "ns_p90", "bytes", "instructions",
        "ratio_to_raw", "reason"}


def bench(*arguments):
    """(exit code, standard output and error, the rows of the JSON)"""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "figures.json")
        done = subprocess.run(
            [SOURCE / "tools/bench", "--no-apt", "--build", BUILD, "--quick", "--json", target,
             *arguments], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        rows = json.loads(target.read_text(encoding="utf-8")) if target.exists() else None
        return done.returncode, done.stdout, rows


def bench_of(mode, *arguments):
    """The same of tools/bench memory and tools/bench python."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "rows.json")
        done = subprocess.run(
            [SOURCE / "tools/bench", mode, "--no-apt", "--build", BUILD, "--json", target,
             *arguments], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        rows = json.loads(target.read_text(encoding="utf-8")) if target.exists() else None
        return done.returncode, done.stdout, rows


def bench_memory(*traces):
    return bench_of("memory", *traces)


class Memory(unittest.TestCase):
    def test_a_chain_reserves_what_is_alive_at_once(self):
        code, output, rows = bench_memory(SOURCE / "tests/data/traces/chain16.json",
                                          SOURCE / "tests/data/traces/mlp32x64.json")
        self.assertEqual(code, 0, output)
        self.assertEqual([row["trace"] for row in rows], ["chain16", "mlp32x64"])
        for row in rows:
            self.assertEqual(set(row), {"trace", "lower_bound", "reserved_graph", "reserved_pool",
                                        "planning_ms"})
            self.assertGreater(row["planning_ms"], 0)
        chain, layers = rows
        self.assertEqual((chain["lower_bound"], chain["reserved_graph"], chain["reserved_pool"]),
                         (6 << 20, 6 << 20, 6 << 20))
        self.assertEqual((layers["lower_bound"], layers["reserved_graph"]), (589848, 10 << 16))

    def test_what_is_no_trace_is_named(self):
        for text, said in {
                "[1": "bad.json: Expecting",
                '{"name": "a"}': 'not an object with a list "allocations"',
                '{"allocations": []}': "there is no allocation",
                '{"allocations": [[8, 0, null], [0, 1, 2]]}': "allocations[1] is [0, 1, 2], not",
                '{"allocations": [[8, 5, 5]]}': "freed at 5, not after its allocation at 5",
                '{"allocations": [[8, 0, 2], [8, 2, null]]}': "something else happens at 2",
                '{"allocations": [[8, 0, null]], "peak_live_bytes": 9}': '"peak_live_bytes" is 9'}.items():
            with tempfile.TemporaryDirectory() as folder:
                bad = Path(folder, "bad.json")
                bad.write_text(text, encoding="utf-8")
                code, output, rows = bench_memory(bad)
            self.assertNotEqual(code, 0)
            self.assertIn(said, output)
            self.assertIsNone(rows)

    def test_no_trace_is_a_mistake(self):
        code, output, _ = bench_memory()
        self.assertEqual(code, 2)
        self.assertIn("memory needs a trace", output)

    def test_large_traces_are_told_in_their_own_bytes(self):
        step = {"allocations": [[1 << 42, 0, 2], [1 << 41, 1, 3]]}
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder, "large.json")
            large.write_text(json.dumps(step), encoding="utf-8")
            code, output, rows = bench_memory(large)
        self.assertEqual(code, 0, output)
        self.assertEqual(rows[0]["trace"], "large")
        self.assertEqual(rows[0]["lower_bound"], 3 << 41)
        self.assertAlmostEqual(rows[0]["reserved_graph"] / (3 << 41), 1, delta=0.1)


@unittest.skipIf(subprocess.run(["/usr/bin/python3", "-c", "import numpy"], check=False,
                                capture_output=True).returncode, "NumPy is missing")
class FromPython(unittest.TestCase):
    def test_calls_from_python_are_measured_beside_calls_from_c(self):
        code, output, rows = bench_of("python", "--quick")
        self.assertEqual(code, 0, output)
        self.assertEqual([row["figure"] for row in rows], ["replay", "launch", "captured_launch"])
        for row in rows:
            self.assertGreater(row["c_ns"], 0)
            self.assertGreater(row["ns"], 0)
            self.assertLess(row["over_c_ns"], row["ns"])

    def test_it_takes_no_figures(self):
        code, output, rows = bench_of("python", "launch")
        self.assertEqual((code, rows), (2, None))
        self.assertIn("launch is not for python", output)


class FromPythonOnPaper(unittest.TestCase):
    """Expected numbers are worked out by hand."""

    def rows(self, folder, with_profiles):
        times = Path(folder, "times")
        times.write_text("".join(f"{figure}\t{way}\t{ns}\t{ns + 5}\t{ns + 10}\n" for figure, way, ns in [
            ("replay", "c", 500.0), ("replay", "python", 1500.0), ("launch", "c", 200.0),
            ("launch", "python", 6201.0), ("captured_launch", "c", 100.0),
            ("captured_launch", "python", 99.0)]), encoding="utf-8")
        for figure, way, calls, total in [("replay", "c", 3, 300), ("replay", "python", 3, 960),
                                          ("launch", "c", 64, 6400), ("launch", "python", 64, 64000),
                                          ("captured_launch", "c", 64, 640),
                                          ("captured_launch", "python", 64, 1280)]:
            Path(folder, f"callgrind.out.{figure}{way}").write_text(
                f"desc: Trigger: Client Request: {figure} {way} {calls}\n\ntotals: {total}\n",
                encoding="utf-8")
        counts = python_figures.read_instructions(folder) if with_profiles else {}
        return list(python_figures.rows(python_figures.read_times(times), counts, "cpu"))

    def test_what_takes_too_long_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = list(python_figures.table(self.rows(folder, False)))
        self.assertEqual([line.endswith("missed") for line in lines], [False, False, True, False])
        self.assertEqual(re.split(r"[\s|]+", lines[1]),
                         ["XPUGraph.replay()", "1,505", "1,510", "505", "510", "1,000", "1,000"])

    def test_instructions_are_those_of_one_call(self):
        with tempfile.TemporaryDirectory() as folder:
            replay, launch, captured = self.rows(folder, True)
        self.assertEqual((replay["instructions"], replay["c_instructions"]), (320, 100))
        self.assertEqual((launch["instructions"], launch["c_instructions"]), (1000, 100))
        self.assertEqual((captured["instructions"], captured["c_instructions"]), (20, 10))


class OnTheCpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code, cls.output, cls.rows = bench()
        if cls.rows is None:
            raise AssertionError(cls.output)

    def rows_of(self, by, figure):
        return [row for row in self.rows if (row["by"], row["figure"]) == (by, figure)]

    def test_it_ends_well(self):
        self.assertEqual(self.code, 0, self.output)

    def test_every_row_has_every_key_and_a_value_or_a_reason(self):
        for row in self.rows:
            self.assertEqual(set(row), KEYS)
            self.assertEqual(row["device"], "cpu")
            value = row["bytes"] if row["figure"] == "bytes" else row["ns"]
            self.assertTrue((value is None) == bool(row["reason"]), row)
            if value is not None:
                self.assertGreater(value, 0, row)

    def test_every_figure_is_there_for_every_shape_and_way(self):
        shapes = {(row["shape"], row["n"]) for row in self.rows}
        self.assertEqual(shapes, {("chain", 1), ("chain", 10), ("forkjoin", 10), ("grid", 9),
                                  ("buffers1", 10), ("pool1", 10)})
        there = [(row["figure"], row["shape"], row["n"], row["by"]) for row in self.rows]
        wanted = [(figure, *shape, by) for figure in ALL for shape in shapes
                  for by in ("raw", "driver", "ours")]
        self.assertEqual(sorted(there), sorted(wanted))

    def test_what_the_cpu_device_can_do_is_measured(self):
        for figure in ALL:
            for row in self.rows_of("raw", figure):
                self.assertEqual(row["reason"] is None, figure not in NOT_RAW, row)
        for figure in ALL:
            for row in self.rows_of("ours", figure):
                self.assertIsNone(row["reason"], row)

    def test_what_is_missing_is_missing_by_name(self):
        for row in self.rows_of("driver", "launch"):
            self.assertIn("zeCommandListBeginGraphCaptureExt", row["reason"])
        self.assertIn("– driver: the driver has no zeCommandListBeginGraphCaptureExt", self.output)

    def test_ratios_are_of_the_values_beside_them(self):
        for row in self.rows_of("ours", "launch"):
            raw = [r for r in self.rows_of("raw", "launch")
                   if (r["shape"], r["n"]) == (row["shape"], row["n"])]
            self.assertAlmostEqual(row["ratio_to_raw"] * raw[0]["ns"], row["ns"], places=3)

    def test_only_the_figures_asked_for(self):
        code, output, rows = bench("launch", "bytes")
        self.assertEqual(code, 0, output)
        self.assertEqual({row["figure"] for row in rows}, {"launch", "bytes"})


class WrongUse(unittest.TestCase):
    def refused(self, sentence, *arguments):
        code, output, rows = bench(*arguments)
        self.assertEqual((code, rows), (2, None), output)
        self.assertIn(sentence, output)

    def test_unknown_figures_and_devices_are_refused(self):
        self.refused("unknown argument 'speed'", "speed")
        self.refused("unknown device 'gpu'", "--device", "gpu")
        self.refused("--device needs a value", "--device")


class Arithmetic(unittest.TestCase):
    """Two figures of three ways; expected numbers are worked out by hand."""

    TIMES = ("launch\tchain\t10\traw\t1000.00\t1200.00\n"
             "launch\tchain\t10\tdriver\t-\tit has none\n"
             "launch\tchain\t10\tours\t1500.00\t1700.00\n"
             "instantiate\tchain\t10\traw\t400.00\t410.00\n"
             "instantiate\tchain\t10\tdriver\t500.00\t510.00\n"
             "instantiate\tchain\t10\tours\t600.00\t610.00\n"
             "bytes\tchain\t10\traw\t200.00\t200.00\n"
             "bytes\tchain\t10\tdriver\t800.00\t800.00\n"
             "bytes\tchain\t10\tours\t300.00\t300.00\n")
    # Of the whole call, as callgrind says it: instantiate has to be divided by 10 nodes.
    PROFILES = {"launch chain 10 raw": 10000, "launch chain 10 ours": 10500,
                "instantiate chain 10 raw": 40000, "instantiate chain 10 ours": 50000}

    def joined(self, profiles):
        with tempfile.TemporaryDirectory() as folder:
            times = Path(folder, "times")
            times.write_text(self.TIMES, encoding="utf-8")
            for i, (title, total) in enumerate(profiles.items()):
                Path(folder, f"callgrind.out.{i}").write_text(
                    f"desc: Trigger: Client Request: {title}\n\ntotals: {total}\n", encoding="utf-8")
            return figures.join(figures.read_times(times, "bmg"), figures.read_instructions(folder))

    @staticmethod
    def one(rows, figure, by):
        return next(row for row in rows if (row["figure"], row["by"]) == (figure, by))

    def test_ratios_are_of_times_where_nothing_was_counted(self):
        rows = self.joined({})
        self.assertEqual(self.one(rows, "launch", "ours")["ratio_to_raw"], 1.5)
        self.assertEqual(self.one(rows, "launch", "raw")["ratio_to_raw"], 1)
        self.assertIsNone(self.one(rows, "launch", "driver")["ratio_to_raw"])
        self.assertEqual(self.one(rows, "bytes", "driver")["ratio_to_raw"], 4)

    def test_ratios_are_of_instructions_where_they_were_counted(self):
        rows = self.joined(self.PROFILES)
        self.assertEqual(self.one(rows, "launch", "ours")["ratio_to_raw"], 1.05)
        ours = self.one(rows, "instantiate", "ours")
        self.assertEqual((ours["instructions"], ours["ratio_to_raw"]), (5000, 1.25))

    def test_a_time_is_not_compared_with_a_count(self):
        driver = self.one(self.joined(self.PROFILES), "instantiate", "driver")
        self.assertEqual((driver["ns"], driver["instructions"], driver["ratio_to_raw"]),
                         (500, None, None))

    def test_the_table_shows_them(self):
        lines = list(figures.table(self.joined(self.PROFILES)))
        at = lines.index("launch, per call")
        cells = re.split(r"[\s|]+", lines[at + 3])
        self.assertEqual(cells, ["chain", "10", "1,000", "1,200", "10,000", "–", "–", "–", "–",
                                 "1,500", "1,700", "10,500", "1.05", "–"])
        self.assertEqual(lines[at + 4], "  – driver: it has none")
        at = lines.index("host memory, per node")
        cells = re.split(r"[\s|]+", lines[at + 3])
        self.assertEqual(cells, ["chain", "10", "200", "800", "4.00", "300", "1.50", "0.38"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
