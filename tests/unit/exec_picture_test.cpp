// SPDX-License-Identifier: Apache-2.0
// What XPUGRAPH_DUMP and XPUGRAPH_TRACE leave behind when a graph is instantiated and launched, and
// how XPUGRAPH_PLAN changes it.
#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "exec_world.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// Two fills that are not ordered, and a copy of each.
bool two_branches_run() {
  auto* cells = managed<uint32_t>(4);
  Sketch sketch;
  for (uint32_t i = 0; i < 2; i++)
    sketch.copy(cells + 2 + i, cells + i, 4, {sketch.fill(cells + i, 9, 1)});
  auto executable = sketch.instantiate();
  runtime::Stream& stream = new_stream();
  return executable->launch(stream).ok() && stream.synchronize().ok() && cells[2] == 9 &&
         cells[3] == 9;
}

// In a child, because options are read once a process and the trace is ended at its exit.
int run_in_child(const char* folder, const char* plan) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("XPUGRAPH_DUMP", folder, 1);
    setenv("XPUGRAPH_TRACE", (std::string(folder) + "/trace.json").c_str(), 1);
    setenv("XPUGRAPH_PLAN", plan, 1);
    exit(two_branches_run() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Text {
  char chars[512];
};

struct Left {
  int code = -1;
  int graphs = 0, plans = 0;
  bool instantiate = false, encode = false, launch = false, ended = false;
  Text plan = {};  // the titles of its segments
};

std::string content(const std::string& path) {
  std::string text;
  if (FILE* file = fopen(path.c_str(), "r")) {
    char part[4096];
    size_t n = 0;
    while ((n = fread(part, 1, sizeof part, file)) > 0) text.append(part, n);
    fclose(file);
  }
  return text;
}

// What stands in `label="segment N: …"`, one a line.
Text titles(const std::string& plan) {
  std::string all;
  const std::string begin = "label=\"segment ";
  for (size_t at = plan.find(begin); at != std::string::npos; at = plan.find(begin, at)) {
    at += begin.size();
    all += plan.substr(at, plan.find('"', at) - at) + "\n";
  }
  Text t = {};
  all.copy(t.chars, sizeof t.chars - 1);
  return t;
}

Left what_is_left(const char* plan = "auto") {
  Left left;
  char folder[] = "/tmp/xpugraph_pictures_XXXXXX";
  if (!mkdtemp(folder)) return left;
  left.code = run_in_child(folder, plan);
  const std::string trace = content(std::string(folder) + "/trace.json");
  left.instantiate = trace.find("{\"name\":\"instantiate\"") != std::string::npos;
  left.encode = trace.find("{\"name\":\"encode\"") != std::string::npos;
  left.launch = trace.find("{\"name\":\"launch\"") != std::string::npos;
  left.ended = trace.size() > 4 && trace.compare(trace.size() - 4, 4, "}\n]\n") == 0;
  DIR* dir = opendir(folder);
  while (const dirent* entry = dir ? readdir(dir) : nullptr) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const std::string path = std::string(folder) + "/" + name;
    const bool is_plan = name.find(".plan.dot") != std::string::npos;
    if (content(path).rfind("digraph", 0) == 0) (is_plan ? left.plans : left.graphs)++;
    if (is_plan) left.plan = titles(content(path));
    unlink(path.c_str());
  }
  if (dir) closedir(dir);
  rmdir(folder);
  return left;
}

void an_instantiation_leaves_its_pictures_and_its_times(void**) {
  const Left left = what_is_left();

  assert_int_equal(left.code, 0);
  assert_int_equal(left.graphs, 1);
  assert_int_equal(left.plans, 1);
  assert_true(left.instantiate);
  assert_true(left.encode);
  assert_true(left.launch);
  assert_true(left.ended);
}

void the_plan_can_be_forced(void**) {
  const Left usual = what_is_left(), chain = what_is_left("chain"), levels = what_is_left("levels"),
             lanes = what_is_left("lanes"), unknown = what_is_left("fast");
  for (const Left& left : {usual, chain, levels, lanes, unknown}) assert_int_equal(left.code, 0);
  assert_string_equal(usual.plan.chars, "0: lane 0 (compute), barriers, signals\n");
  assert_string_equal(unknown.plan.chars, usual.plan.chars);
  assert_string_equal(levels.plan.chars, usual.plan.chars);
  assert_string_equal(chain.plan.chars, "0: lane 0 (compute), in order, signals\n");
  assert_string_equal(lanes.plan.chars,
                      "0: lane 0 (compute), in order, signals\n"
                      "1: lane 1 (compute), in order, signals\n"
                      "2: lane 2 (copy), in order\n"
                      "3: lane 2 (copy), in order, signals\n");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_instantiation_leaves_its_pictures_and_its_times),
      cmocka_unit_test(the_plan_can_be_forced),
  };
  return XPU_RUN_TESTS(tests);
}
