// SPDX-License-Identifier: Apache-2.0
// What XPUGRAPH_DUMP and XPUGRAPH_TRACE leave behind when a graph is instantiated and launched.
#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "exec_world.h"

namespace {

using namespace xpu;
using namespace xpu::test;

// In a child, because both options are read once a process and the trace is ended at its exit.
int run_in_child(const char* folder) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("XPUGRAPH_DUMP", folder, 1);
    setenv("XPUGRAPH_TRACE", (std::string(folder) + "/trace.json").c_str(), 1);
    bool ok = false;
    {
      auto* cell = managed<uint32_t>(1);
      Sketch sketch;
      sketch.fill(cell, 9, 1);
      auto executable = sketch.instantiate();
      runtime::Stream& stream = new_stream();
      ok = executable->launch(stream).ok() && stream.synchronize().ok() && *cell == 9;
    }
    exit(ok ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Left {
  int code = -1;
  int graphs = 0, plans = 0;
  bool instantiate = false, encode = false, launch = false, ended = false;
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

Left what_is_left() {
  Left left;
  char folder[] = "/tmp/xpugraph_pictures_XXXXXX";
  if (!mkdtemp(folder)) return left;
  left.code = run_in_child(folder);
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

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(an_instantiation_leaves_its_pictures_and_its_times),
  };
  return XPU_RUN_TESTS(tests);
}
