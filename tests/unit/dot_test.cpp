// SPDX-License-Identifier: Apache-2.0
// Pictures: what each flag shows, quoting, stable names, and that Graphviz draws them in silence.
// Usage: dot_test [DOT], the program of Graphviz if it is installed.
#include "graph/dot.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "graph_making.h"
#include "plan/dot.h"
#include "random_dag.h"
#include "xpu_test.h"

namespace {

using namespace xpu;
using namespace xpu::test;

const char* dot_program = nullptr;

ParamsRef rich_kernel() {
  unsigned char c = 0x2a;
  short s = -1;
  uint64_t q = 0x123456789abc;
  size_t local = 96;
  unsigned char odd[3] = {1, 2, 0xff};
  void* args[] = {&c, &s, &q, &local, odd};
  auto k = signature("k_rich", {{ParameterKind::value, 1, 0},
                                {ParameterKind::value, 2, 0},
                                {ParameterKind::pointer, 8, 0},
                                {ParameterKind::local, 8, 0},
                                {ParameterKind::value, 3, 0}});
  return graph::KernelParams::make(k, {2, 3, 4}, {5, 6, 7}, args, 11).take();
}

ParamsRef block_copy() {
  graph::CopyShape s;
  s.dst = {reinterpret_cast<void*>(uintptr_t{0x1000}), 32, 32, 8, 1, 2, 3};
  s.src = {reinterpret_cast<void*>(uintptr_t{0x2000}), 64, 64, 8, 0, 0, 0};
  s.width = 16, s.height = 4, s.depth = 2;
  s.kind = xpuMemcpyDeviceToHost;
  return graph::CopyParams::make(s).take();
}

// One of each kind, in a row, and a programmatic edge.
std::shared_ptr<Graph> one_of_each() {
  auto inner = Graph::make(), g = Graph::make();
  add(*inner, kernel("k_inner"), {add(*inner, empty())});
  Node* last = add(*g, rich_kernel());
  Node* next = add(*g, kernel());
  const xpuGraphEdgeData early = edge_data(1, 0, 1);
  (void)link(*g, last, next, &early);
  last = next;
  for (auto& params : {block_copy(), copy(64, xpuMemcpyHostToDevice), fill(), host(), child(*inner),
                       child(*Graph::make()), empty(), wait(), record()}) {
    last = add(*g, params, {last});
  }
  return g;
}

bool shows(unsigned flags, const char* what) {
  return graph::to_dot(*one_of_each(), flags).find(what) != std::string::npos;
}

void kinds_names_and_directions_are_always_shown(void**) {
  for (const char* word :
       {"KERNEL", "k_rich", "k_inner", "MEMCPY", "DtoH", "HtoD", "MEMSET", "HOST", "GRAPH", "EMPTY",
        "EVENT_WAIT", "EVENT_RECORD", "programmatic, port 1"}) {
    assert_true(shows(0, word));
  }
}

void each_flag_shows_its_part(void**) {
  const struct {
    unsigned flag;
    const char* word;
  } parts[] = {
      {graph::kDotKernels, "grid (2, 3, 4) block (5, 6, 7) shared 11"},
      {graph::kDotKernels, "arg 0: 0x2a\\n"},
      {graph::kDotKernels, "arg 1: 0xffff\\n"},
      {graph::kDotKernels, "arg 2: 0x0000123456789abc\\n"},
      {graph::kDotKernels, "arg 3: local memory, 96 bytes"},
      {graph::kDotKernels, "arg 4: 01 02 ff\\n"},
      {graph::kDotCopies, "dst 0x1000 pitch 32 rows 8 at (1, 2, 3)"},
      {graph::kDotCopies, "extent (16, 4, 2)"},
      {graph::kDotCopies, "64 bytes"},
      {graph::kDotFills, "width 16 height 1"},
      {graph::kDotHosts, "userData"},
      {graph::kDotEvents, "event 0x1"},
      {graph::kDotHandles, "node handle 0x"},
  };
  for (const auto& part : parts) {
    assert_true(shows(part.flag, part.word));
    assert_true(shows(graph::kDotVerbose, part.word));
    assert_false(shows(0, part.word));
  }
  assert_true(shows(1u << 20, "KERNEL"));  // a bit without a meaning
}

bool names_are_stable() {
  auto g = one_of_each();
  const std::string before = graph::to_dot(*g, 0);
  g->remove(g->nodes()[3]);
  const std::string after = graph::to_dot(*g, 0);
  const std::string name = "\"graph_" + std::to_string(g->id()) + "_node_4\" [shape=";
  const size_t a = before.find(name), b = after.find(name);
  return a != std::string::npos && b != std::string::npos &&
         before.substr(a, before.find('\n', a) - a) == after.substr(b, after.find('\n', b) - b);
}
void a_node_keeps_its_name_when_others_go(void**) { assert_true(names_are_stable()); }

Text quoted(const char* raw) { return text(graph::dot_quoted(raw)); }
void strings_are_quoted(void**) {
  const struct {
    const char *raw, *quoted;
  } cases[] = {{"plain", "\"plain\""},
               {"a\"b\\N", "\"a\\\"b\\\\N\""},
               {"x<y>&lt;", "\"x<y>&amp;lt;\""},
               {"two\nlines", "\"two\\nlines\""},
               {"tab\tbell\a", "\"tab?bell?\""},
               {"gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\""},
               {"\xff\xc3(\xe0\x80\x80",
                "\"?"
                "?(???\""},
               {"cut \xe2\x82", "\"cut ??\""}};
  for (const auto& c : cases) {
    const Text t = quoted(c.raw);
    assert_string_equal(t.chars, c.quoted);
  }
}

struct Drawn {
  int status;
  Text complaints;
};
Drawn draw(const std::string& dot) {
  char base[] = "/tmp/xpu_dot_XXXXXX";
  const int fd = mkstemp(base);
  if (fd < 0) return {-1, {}};
  close(fd);
  const std::string in = base, err = in + ".err";
  Drawn d = {-1, {}};
  if (graph::write_text(in, dot).ok()) {
    const std::string command =
        std::string(dot_program) + " -Tsvg -o /dev/null '" + in + "' 2>'" + err + "'";
    d.status = std::system(command.c_str());
    std::stringstream said;
    said << std::ifstream(err).rdbuf();
    d.complaints = text(said.str());
  }
  unlink(in.c_str());
  unlink(err.c_str());
  return d;
}

std::string awkward_graph(bool as_plan) {
  auto g = one_of_each();
  add(*g, kernel("quote\" back\\slash {a|b} <html> \xff \n new"));
  add(*g, kernel("\\N\\G\\l&amp;"), {g->nodes()[0]});
  add(*g, child(*g));
  if (!as_plan) return graph::to_dot(*g, graph::kDotVerbose);
  plan::DeviceFacts facts;
  facts.compute_lanes = 2;
  facts.shape = plan::Shape::lanes;
  return plan::to_dot(plan::make_plan(*g, facts).take(), graph::kDotVerbose);
}
Drawn draw_awkward(bool as_plan) { return draw(awkward_graph(as_plan)); }
Drawn draw_nothing() { return draw(graph::to_dot(*Graph::make(), 0)); }

void graphviz_draws_without_a_warning(void**) {
  if (!dot_program) return;
  const Drawn g = draw_awkward(false), p = draw_awkward(true), none = draw_nothing();
  assert_string_equal(g.complaints.chars, "");
  assert_string_equal(p.complaints.chars, "");
  assert_string_equal(none.complaints.chars, "");
  assert_int_equal(g.status, 0);
  assert_int_equal(p.status, 0);
  assert_int_equal(none.status, 0);
}

xpuError_t write_to(const char* path) { return graph::write_dot(*Graph::make(), path, 0).code(); }
void a_file_that_cannot_be_written_is_an_error(void**) {
  assert_int_equal(write_to(""), xpuErrorOperatingSystem);
  assert_int_equal(write_to("/nonexistent/folder/g.dot"), xpuErrorOperatingSystem);
  assert_int_equal(write_to("/dev/full"), xpuErrorOperatingSystem);
}

int dumped() {
  char folder[] = "/tmp/xpu_dump_XXXXXX";
  if (!mkdtemp(folder)) return -1;
  auto g = one_of_each();
  const plan::Plan plan = plan::make_plan(*g, {}).take();
  const bool done = plan::dump(folder, *g, plan).ok();
  const std::string base = std::string(folder) + "/graph_" + std::to_string(g->id());
  const bool both =
      access((base + ".dot").c_str(), R_OK) == 0 && access((base + ".plan.dot").c_str(), R_OK) == 0;
  unlink((base + ".dot").c_str());
  unlink((base + ".plan.dot").c_str());
  return done && both && rmdir(folder) == 0;
}
void a_dump_has_the_graph_and_its_plan(void**) { assert_int_equal(dumped(), 1); }

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0]) dot_program = argv[1];
  const CMUnitTest tests[] = {
      cmocka_unit_test(kinds_names_and_directions_are_always_shown),
      cmocka_unit_test(each_flag_shows_its_part),
      cmocka_unit_test(a_node_keeps_its_name_when_others_go),
      cmocka_unit_test(strings_are_quoted),
      cmocka_unit_test(graphviz_draws_without_a_warning),
      cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
      cmocka_unit_test(a_dump_has_the_graph_and_its_plan),
  };
  return XPU_RUN_TESTS(tests);
}
