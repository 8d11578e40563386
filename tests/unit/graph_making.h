// SPDX-License-Identifier: Apache-2.0
// Small graphs for tests of the graph and plan floors, and calls that leave plain data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/external.h"
#include "graph/graph.h"

namespace xpu::test {

using graph::Graph;
using graph::Node;
using graph::ParamsRef;

inline std::shared_ptr<const Signature> signature(const std::string& name,
                                                  std::vector<Parameter> parameters = {}) {
  return std::make_shared<Signature>(name, std::move(parameters));
}

// A kernel without arguments.
inline ParamsRef kernel(const std::string& name = "k_noop") {
  return graph::KernelParams::make(signature(name), {1, 1, 1}, {1, 1, 1}, nullptr, 0).take();
}
inline ParamsRef copy(size_t bytes = 64, xpuMemcpyKind kind = xpuMemcpyDeviceToDevice) {
  void* dst = reinterpret_cast<void*>(uintptr_t{0x10000000});
  void* src = reinterpret_cast<void*>(uintptr_t{0x20000000});
  return graph::CopyParams::make_linear(dst, src, bytes, kind).take();
}
inline ParamsRef fill() {
  graph::FillShape shape;
  shape.dst = reinterpret_cast<void*>(uintptr_t{0x10000000});
  shape.width = 16;
  return graph::FillParams::make(shape).take();
}
inline void host_call(void*) {}
inline ParamsRef host() { return graph::HostParams::make(host_call, nullptr).take(); }
inline ParamsRef empty() { return graph::EmptyParams::make(); }
inline ParamsRef record() {
  return graph::EventParams::make_record(std::make_shared<int>(0), 1).take();
}
inline ParamsRef wait() {
  return graph::EventParams::make_wait(std::make_shared<int>(0), 1).take();
}
inline ParamsRef signal_semaphore() {
  return graph::SemaphoreParams::make(std::make_shared<int>(0), {nullptr},
                                      std::vector<xpuExternalSemaphoreSignalParams>(1));
}
inline ParamsRef wait_for_semaphore() {
  return graph::SemaphoreParams::make(std::make_shared<int>(0), {nullptr},
                                      std::vector<xpuExternalSemaphoreWaitParams>(1));
}
inline ParamsRef child(const Graph& inner) {
  return graph::ChildParams::make(inner.clone()).take();
}

inline Node* add(Graph& g, ParamsRef params, std::vector<Node*> before = {}) {
  Result<Node*> node = g.add(std::move(params), before);
  return node.ok() ? node.value() : nullptr;
}
inline xpuError_t link(Graph& g, Node* from, Node* to, const xpuGraphEdgeData* data = nullptr) {
  return g.add_edges({&from, 1}, {&to, 1}, data).code();
}
inline xpuError_t unlink(Graph& g, Node* from, Node* to) {
  return g.remove_edges({&from, 1}, {&to, 1}).code();
}
inline xpuGraphEdgeData edge_data(int from_port, int to_port, int type) {
  xpuGraphEdgeData d = {};
  d.from_port = static_cast<unsigned char>(from_port);
  d.to_port = static_cast<unsigned char>(to_port);
  d.type = static_cast<unsigned char>(type);
  return d;
}

// The edges as "0>1 0>2", by node and in order of insertion.
inline std::string edges_of(const Graph& g) {
  std::string text;
  for (const Node* node : g.nodes()) {
    for (const graph::Edge& e : node->out()) {
      text += (text.empty() ? "" : " ") + std::to_string(node->local_id()) + ">" +
              std::to_string(e.node->local_id());
    }
  }
  return text;
}

// For a test to return: cmocka copies what it compares, so a fixed buffer outlives the objects.
struct Text {
  char chars[1024];
};
inline Text text(const std::string& s) {
  Text t = {};
  s.copy(t.chars, sizeof t.chars - 1);
  return t;
}

}  // namespace xpu::test
