// SPDX-License-Identifier: Apache-2.0
// Random calls about graphs: made, copied, wired, asked, destroyed.
#include <iterator>
#include <vector>

#include "fuzz/program.h"

namespace fuzz {
namespace {

xpuGraphEdgeData edge_data(Bytes& in) {
  xpuGraphEdgeData data = {};
  if (in.pick(4) == 0) {
    data.from_port = static_cast<unsigned char>(in.pick(4));
    data.type = static_cast<unsigned char>(in.pick(3));
  }
  return data;
}

xpuError_t create(World& world, Bytes& in) {
  auto graph = static_cast<xpuGraph_t>(kUntouched);
  const xpuError_t answer = xpuGraphCreate(&graph, in.pick(16) == 0);
  must_hold((answer == xpuSuccess) != (graph == kUntouched), "a graph is told if there is one");
  if (answer == xpuSuccess) world.graphs.add(graph);
  return answer;
}

xpuError_t clone(World& world, Bytes& in) {
  auto graph = static_cast<xpuGraph_t>(kUntouched);
  const xpuError_t answer = xpuGraphClone(&graph, world.graph(in));
  must_hold((answer == xpuSuccess) != (graph == kUntouched), "a clone is told if there is one");
  if (answer == xpuSuccess) world.graphs.add(graph), world.look_at(graph);
  return answer;
}

xpuError_t destroy(World& world, Bytes& in) {
  const xpuGraph_t graph = world.graph(in);
  const xpuError_t answer = xpuGraphDestroy(graph);
  if (answer == xpuSuccess) world.graphs.remove(graph);
  return answer;
}

xpuError_t destroy_node(World& world, Bytes& in) {
  const xpuGraphNode_t node = world.node(in);
  const xpuError_t answer = xpuGraphDestroyNode(node);
  if (answer == xpuSuccess) world.nodes.remove(node);
  return answer;
}

template <auto kCall>
xpuError_t rewire(World& world, Bytes& in) {
  std::vector<xpuGraphNode_t> from = world.some_nodes(in), to;
  std::vector<xpuGraphEdgeData> data;
  for (size_t i = 0; i < from.size(); i++) {
    to.push_back(world.node(in));
    data.push_back(edge_data(in));
  }
  return kCall(world.graph(in), in.pick(16) ? from.data() : nullptr, to.data(),
               in.pick(2) ? data.data() : nullptr, from.size());
}

xpuError_t find_in_clone(World& world, Bytes& in) {
  auto node = static_cast<xpuGraphNode_t>(kUntouched);
  const xpuError_t answer = xpuGraphNodeFindInClone(&node, world.node(in), world.graph(in));
  must_hold((answer == xpuSuccess) != (node == kUntouched), "a node is told if it is found");
  return answer;
}

// Arrays that are too short, too long or not there.
xpuError_t nodes_of(World& world, Bytes& in) {
  xpuGraphNode_t nodes[8];
  size_t count = in.pick(9);
  return xpuGraphGetNodes(world.graph(in), in.pick(8) ? nodes : nullptr,
                          in.pick(32) ? &count : nullptr);
}

xpuError_t edges_of(World& world, Bytes& in) {
  xpuGraphNode_t from[8], to[8];
  xpuGraphEdgeData data[8];
  size_t count = in.pick(9);
  return xpuGraphGetEdges(world.graph(in), in.pick(8) ? from : nullptr, in.pick(8) ? to : nullptr,
                          in.pick(2) ? data : nullptr, in.pick(32) ? &count : nullptr);
}

template <auto kCall>
xpuError_t neighbours(World& world, Bytes& in) {
  xpuGraphNode_t nodes[8];
  xpuGraphEdgeData data[8];
  size_t count = in.pick(9);
  return kCall(world.node(in), in.pick(8) ? nodes : nullptr, in.pick(2) ? data : nullptr, &count);
}

xpuError_t retain_object(World& world, Bytes& in) {
  return xpuGraphRetainUserObject(world.graph(in), world.object(in), in.pick(3), in.pick(4));
}

xpuError_t release_object(World& world, Bytes& in) {
  return xpuGraphReleaseUserObject(world.graph(in), world.object(in), in.pick(3));
}

xpuError_t create_object(World& world, Bytes& in) {
  auto object = static_cast<xpuUserObject_t>(kUntouched);
  const xpuError_t answer =
      xpuUserObjectCreate(&object, &world, in.pick(8) ? +[](void*) {} : nullptr, in.pick(4),
                          in.pick(8) ? 1 : in.pick(4));
  must_hold((answer == xpuSuccess) != (object == kUntouched), "an object is told if there is one");
  if (answer == xpuSuccess) world.objects.add(object);
  return answer;
}

xpuError_t drop_object(World& world, Bytes& in) {
  return xpuUserObjectRelease(world.object(in), in.pick(3));
}

xpuError_t keep_object(World& world, Bytes& in) {
  return xpuUserObjectRetain(world.object(in), in.pick(3));
}

constexpr Call kCalls[] = {
    {"xpuGraphCreate", create},
    {"xpuGraphClone", clone},
    {"xpuGraphDestroy", destroy},
    {"xpuGraphDestroyNode", destroy_node},
    {"xpuGraphAddDependencies", rewire<xpuGraphAddDependencies>},
    {"xpuGraphAddDependencies", rewire<xpuGraphAddDependencies>},
    {"xpuGraphRemoveDependencies", rewire<xpuGraphRemoveDependencies>},
    {"xpuGraphNodeFindInClone", find_in_clone},
    {"xpuGraphGetNodes", nodes_of},
    {"xpuGraphGetEdges", edges_of},
    {"xpuGraphNodeGetDependencies", neighbours<xpuGraphNodeGetDependencies>},
    {"xpuGraphNodeGetDependentNodes", neighbours<xpuGraphNodeGetDependentNodes>},
    {"xpuGraphRetainUserObject", retain_object},
    {"xpuGraphReleaseUserObject", release_object},
    {"xpuUserObjectCreate", create_object},
    {"xpuUserObjectRelease", drop_object},
    {"xpuUserObjectRetain", keep_object},
};

}  // namespace

Calls graph_calls() { return {kCalls, std::size(kCalls)}; }

}  // namespace fuzz
