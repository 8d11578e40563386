// SPDX-License-Identifier: Apache-2.0
// What tests of the exec floor stand on beside the world of the runtime floor: short ways to say
// graphs.
#pragma once

#include <utility>
#include <vector>

#include "exec/exec.h"
#include "exec/retire.h"
#include "graph/graph.h"
#include "runtime_world.h"

namespace xpu::test {

// Ends main: what still is in flight would be reported as leaked.
inline int finish_execs(int code) {
  must(world().device->synchronize(), "synchronising");
  if (const size_t kept = exec::free_retired(); kept) {
    fprintf(stderr, "%zu encodings are still in flight\n", kept);
    code = 1;
  }
  return finish(code);
}

// A graph that grows by nodes named by their position.
class Sketch {
 public:
  Sketch() : graph_(graph::Graph::make()) {}

  uint32_t copy(void* dst, const void* src, size_t bytes, std::vector<uint32_t> after = {}) {
    return add(graph::CopyParams::make_linear(dst, src, bytes, xpuMemcpyDefault), after);
  }
  uint32_t copy(const graph::CopyShape& shape, std::vector<uint32_t> after = {}) {
    return add(graph::CopyParams::make(shape), after);
  }
  uint32_t fill(uint32_t* dst, uint32_t value, size_t count, std::vector<uint32_t> after = {}) {
    graph::FillShape shape;
    shape.dst = dst;
    shape.value = value;
    shape.element_size = 4;
    shape.width = count;
    return add(graph::FillParams::make(shape), after);
  }
  uint32_t fill(const graph::FillShape& shape, std::vector<uint32_t> after = {}) {
    return add(graph::FillParams::make(shape), after);
  }
  uint32_t host(xpuHostFn_t function, void* user, std::vector<uint32_t> after = {}) {
    return add(graph::HostParams::make(function, user), after);
  }
  uint32_t add(Result<graph::ParamsRef> params, const std::vector<uint32_t>& after) {
    std::vector<graph::Node*> before;
    for (const uint32_t i : after) before.push_back(nodes_[i]);
    nodes_.push_back(must(graph_->add(must(std::move(params), "parameters"), before), "a node"));
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  graph::Graph& graph() const { return *graph_; }
  std::unique_ptr<exec::Exec> instantiate() const {
    return must(exec::Exec::instantiate(*graph_, device(), 0), "instantiating");
  }

 private:
  std::shared_ptr<graph::Graph> graph_;
  std::vector<graph::Node*> nodes_;
};

}  // namespace xpu::test
