// SPDX-License-Identifier: Apache-2.0
// Runs a random program, and looks after each call whether the library kept its promises.
#include "fuzz/program.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace fuzz {
namespace {

std::string story;  // the calls so far, for a failure

std::vector<Call> all_calls() {
  std::vector<Call> all;
  for (const Calls& some :
       {graph_calls(), node_calls(), exec_calls(), stream_calls(), memory_calls()})
    all.insert(all.end(), some.first, some.first + some.count);
  return all;
}

// A failure is the thread's last error, tells its function and has words.
void look_at_answer(const char* name, xpuError_t answer) {
  must_hold(answer != xpuErrorUnknown, "no call ends in an internal error");
  must_hold(std::strcmp(xpuGetErrorName(answer), "unrecognized error code") != 0,
            "every answer has a name");
  if (answer == xpuSuccess || answer == xpuErrorNotReady) return;
  must_hold(xpuPeekAtLastError() == answer, "a failure is the last error");
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  must(xpuGetLastErrorInfo(&info));
  must_hold(info.code == answer, "the last error's facts are those of the failure");
  must_hold(std::strcmp(info.function, name) == 0, "the last error names the call");
  must_hold(info.sentence[0] != '\0', "the last error has a sentence");
  (void)xpuGetLastError();
}

// Both ways of counting edges agree, and so do the lists and their lengths.
void look_at_graph(xpuGraph_t graph) {
  size_t nodes = 0, edges = 0, roots = 0, incoming = 0, outgoing = 0, without = 0;
  if (xpuGraphGetNodes(graph, nullptr, &nodes) != xpuSuccess) return;
  std::vector<xpuGraphNode_t> all(nodes);
  if (nodes) must(xpuGraphGetNodes(graph, all.data(), &nodes));
  must(xpuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  must(xpuGraphGetRootNodes(graph, nullptr, &roots));
  for (const xpuGraphNode_t node : all) {
    size_t before = 0, after = 0;
    must(xpuGraphNodeGetDependencies(node, nullptr, nullptr, &before));
    must(xpuGraphNodeGetDependentNodes(node, nullptr, nullptr, &after));
    incoming += before;
    outgoing += after;
    without += before == 0;
  }
  must_hold(incoming == edges && outgoing == edges, "each edge is seen from both of its ends");
  must_hold(roots == without, "roots are the nodes without dependencies");
}

}  // namespace

void must_hold(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "the program:\n%s\ndoes not hold: %s\n", story.c_str(), what);
  std::abort();
}

void must(xpuError_t error) {
  if (error == xpuSuccess) return;
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  std::fprintf(stderr, "%s: %s\n", info.function ? info.function : "", info.sentence);
  must_hold(false, xpuGetErrorName(error));
}

std::set<std::string> run_program(const uint8_t* data, size_t size, bool loud) {
  static const std::vector<Call> calls = all_calls();
  std::set<std::string> answers;
  story.clear();
  Bytes in(data, size);
  World world;
  (void)xpuGetLastError();
  while (!in.done()) {
    const Call& call = calls[in.pick(calls.size())];
    story += call.name;
    if (loud) std::printf("%s", call.name), std::fflush(stdout);
    const xpuError_t answer = call.make(world, in);
    look_at_answer(call.name, answer);
    const std::string told = std::string(" = ") + xpuGetErrorName(answer);
    if (loud) std::printf("%s\n", told.c_str());
    story += told + "\n";
    answers.insert(call.name + told);
    if (!world.graphs.live.empty())
      look_at_graph(world.graphs.live[size % world.graphs.live.size()]);
  }
  return answers;
}

}  // namespace fuzz
