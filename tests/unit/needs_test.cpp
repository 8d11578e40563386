// SPDX-License-Identifier: Apache-2.0
// What tests/support/needs.h leaves out and what it refuses. The argument says which; Meson expects
// the refusals to fail.
#include <needs.h>

namespace {

using namespace xpu::test;

int whole_runs, parts_seen, plain_runs;

void needs_results(void**) { whole_runs++; }
void has_results(void**) {
  if (shown(polls)) parts_seen++;
}
void is_plain(void**) { plain_runs++; }

int leaves_out() {
  const Test tests[] = {
      xpu_test(needs_results, needs(executes)),
      xpu_test(has_results, results(polls)),
      xpu_test(is_plain),
  };
  const bool all = !lacks();
  const int result = run_all(tests);
  return result || whole_runs != all || parts_seen != all || plain_runs != 1;
}
// Nothing is left: a skip.
int leaves_nothing() {
  const Test tests[] = {xpu_test(needs_results, needs(executes | polls))};
  return run_all(tests) != 77;
}
int undeclared() {
  const Test tests[] = {xpu_test(has_results, results(executes))};
  return run_all(tests);
}
int unasked() {
  const Test tests[] = {xpu_test(is_plain, results(executes))};
  return run_all(tests);
}

}  // namespace

int main(int, char** argv) {
  // What is left out here is not left out of a lane, and must not be counted.
  if (!freopen("/dev/null", "w", stdout)) return 2;
  const struct {
    const char* name;
    int (*run)();
  } ways[] = {{"leaves_out", leaves_out},
              {"leaves_nothing", leaves_nothing},
              {"undeclared", undeclared},
              {"unasked", unasked}};
  for (const auto& way : ways)
    if (argv[1] && strcmp(argv[1], way.name) == 0) return way.run();
  return 2;
}
