// SPDX-License-Identifier: Apache-2.0
// XPUGRAPH_CHECK=2: refuses launches of executables whose nodes point into memory that was freed
// since they were given the pointer.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/graph_memory.h"
#include "runtime/freed_memory.h"
#include "runtime/launch_hook.h"
#include "runtime/memory.h"

namespace xpu::memory {

// Looks at what the library can know: pointer arguments of kernels, both sides of copies, what
// fills write, in child graphs too. Pointers inside values that kernels take, and memory that the
// library did not allocate, are left alone.
class FreedCheck final : public runtime::LaunchHook {
 public:
  // Around `inner`, which may be null. `graph` is the executable's own, which follows its updates.
  FreedCheck(std::shared_ptr<const graph::Graph> graph, const runtime::Memory& memory,
             std::shared_ptr<runtime::LaunchHook> inner)
      : graph_(std::move(graph)),
        own_(memories_of(*graph_)),
        memory_(memory),
        inner_(std::move(inner)) {}

  Result<uint64_t> prepare() override;
  Result<uint64_t> begin(runtime::Stream& stream) override;
  void end(runtime::Stream& stream, bool submitted) noexcept override;
  void changed() noexcept override;

 private:
  Status check(const graph::Graph& graph) const;
  Status check(const graph::Node& node) const;
  Status check_pointer(const graph::Node& node, const std::string& argument,
                       const void* pointer) const;

  bool is_back(const runtime::FreedRange& range, const void* pointer) const;

  const std::shared_ptr<const graph::Graph> graph_;
  const std::vector<std::shared_ptr<GraphMemory>> own_;
  const runtime::Memory& memory_;
  const std::shared_ptr<runtime::LaunchHook> inner_;
  // FreedMemory::count() when nothing was found. Calls of begin() never overlap.
  uint64_t looked_ = 0;
  bool changed_ = false;  // the nodes, since then
};

// `inner` itself unless XPUGRAPH_CHECK asks for the check.
std::shared_ptr<runtime::LaunchHook> check_freed(std::shared_ptr<const graph::Graph> graph,
                                                 const runtime::Memory& memory,
                                                 std::shared_ptr<runtime::LaunchHook> inner);

}  // namespace xpu::memory
