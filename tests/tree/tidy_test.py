#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each fault that tidy.py is there to find, and expects it to be found."""
import tempfile
import unittest
from pathlib import Path

import tidy

SPDX = "SPDX-License-Identifier: Apache-2.0"
CLEAN = {
    "meson.build": f"# {SPDX}\n# Builds nothing.\nproject('x', version: '1.2.3')\n",
    "CHANGELOG.md": "## 1.2.3\n",
    "README.md": "See [the page](docs/environment.md).\n",
    "src/base/options.inc": f'// {SPDX}\n// The options.\nOPTION(log, "XPUGRAPH_LOG", "warn",\n'
                            '       "How much to "\n       "say.")\n',
    "docs/environment.md": "| `XPUGRAPH_LOG` | `warn` | How much to say. |\n`ZE_CPU_DEVICES`\n",
    "docs/design/dependencies.md": "`meson` builds.\n",
    "tools/packages": f"# {SPDX}\n# The packages.\nbuild | meson | cmd:meson\n",
    "src/base/log.h": f"// {SPDX}\n// Says things.\n",
    "src/graph/graph.h": f'// {SPDX}\n// A graph.\n#include <memory>\n#include "base/log.h"\n',
    "src/plan/plan.h": f'// {SPDX}\n// A plan.\n#include "graph/graph.h"\n',
    "src/cpu/list.cpp": f'// {SPDX}\n// Lists.\nauto n = get("ZE_CPU_DEVICES");\n',
}


def faults_with(changes):
    """What tidy says of the clean tree after these files are written into it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**CLEAN, **changes}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [f"{path}:{line}: {sentence}" for path, line, sentence in tidy.faults(folder)]


class PlantedFaults(unittest.TestCase):
    def found(self, name, text, expected):
        faults = faults_with({name: text})
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(expected, faults[0])

    def source(self, name, code, expected):
        self.found(name, f"// {SPDX}\n// A file.\n{code}\n", expected)

    def test_a_clean_tree_has_no_faults(self):
        self.assertEqual(faults_with({}), [])

    def test_an_upward_include_is_found(self):
        self.source("src/graph/node.h", '#include "plan/plan.h"', "graph may not include plan")

    def test_graph_and_ze_do_not_see_each_other(self):
        self.source("src/ze/list.cpp", '#include "graph/graph.h"', "ze may not include graph")

    def test_the_cpu_driver_stands_on_base_alone(self):
        self.source("src/cpu/run.cpp", '#include "graph/graph.h"', "cpu may not include graph")

    def test_level_zero_is_known_to_its_floor_only(self):
        self.source("src/exec/exec.cpp", "#include <level_zero/ze_api.h>", "only cpu, spec, ze")

    def test_an_include_that_is_not_spelled_from_src_is_found(self):
        self.source("src/graph/node.cpp", '#include "graph.h"', "spelled from src/")

    def test_an_include_of_nothing_is_found(self):
        self.source("src/plan/lane.cpp", '#include "graph/lane.h"', "does not exist")

    def test_an_unknown_floor_is_found(self):
        self.source("src/attic/box.h", "int x;", "src/attic is not a floor")

    def test_an_example_that_includes_a_floor_is_found(self):
        self.source("examples/one.c", '#include "base/log.h"', "is not a public header")

    def test_a_missing_licence_line_is_found(self):
        self.found("src/base/a.h", "// A file.\n", "first line")

    def test_a_file_that_does_not_say_what_it_is_for_is_found(self):
        self.found("src/base/a.h", f"// {SPDX}\n#pragma once\n", "what the file is for")

    def test_a_long_file_is_found(self):
        self.source("src/base/a.h", "int x;\n" * 400, "400 is the limit")

    def test_a_name_that_says_nothing_is_found(self):
        self.source("src/base/graph_util.h", "int x;", "does not say what it is")

    def test_a_mark_of_unfinished_work_is_found(self):
        self.source("src/base/a.h", "// TO" "DO later", "unfinished")

    def test_a_path_of_a_machine_is_found(self):
        self.source("src/base/a.h", '#define P "/ho' 'me/me/x"', "somebody's machine")

    def test_output_in_the_repository_is_found(self):
        self.found("examples/heat.spv", "x", "output of a build")

    def test_an_undocumented_option_is_found(self):
        self.found("docs/environment.md", "`ZE_CPU_DEVICES`\n", "needs this row")

    def test_an_option_with_another_default_is_found(self):
        page = CLEAN["docs/environment.md"].replace("`warn`", "`info`")
        self.found("docs/environment.md", page, "needs this row")

    def test_a_documented_option_that_is_not_there_is_found(self):
        page = CLEAN["docs/environment.md"] + "`XPUGRAPH_MAGIC`\n"
        self.found("docs/environment.md", page, "XPUGRAPH_MAGIC is not in")

    def test_an_undocumented_setting_of_the_driver_is_found(self):
        self.source("src/cpu/a.cpp", 'get("ZE_CPU_MAGIC");', "ZE_CPU_MAGIC is not in docs")

    def test_a_version_without_a_changelog_is_found(self):
        self.found("CHANGELOG.md", "## 1.2.2\n", "no heading '## 1.2.3'")

    def test_a_header_of_another_version_is_found(self):
        self.source("include/xpugraph/error.h", "#define XPUGRAPH_VERSION_MAJOR 1\n"
                    "#define XPUGRAPH_VERSION_MINOR 2\n#define XPUGRAPH_VERSION_PATCH 4",
                    "says version 1.2.4")

    def test_an_unexplained_package_is_found(self):
        self.found("tools/packages", CLEAN["tools/packages"] + "test | cmocka | pc:cmocka\n",
                   "does not say why `cmocka`")

    def test_a_dead_link_is_found(self):
        self.found("README.md", "See [the page](docs/gone.md).\n", "leads nowhere")

    def test_an_index_and_a_call_in_code_are_no_link(self):
        self.assertEqual(faults_with({"README.md": "`f[1](x)`\n```c\nf[2](y)\n```\n"}), [])
        self.found("README.md", "```c\nf[2](y)\n```\n[`f`](gone.md)\n", "leads nowhere")


if __name__ == "__main__":
    unittest.main()
