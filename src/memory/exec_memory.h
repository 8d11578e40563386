// SPDX-License-Identifier: Apache-2.0
// What an executable has to do with memory: it holds that of its graph, and each launch allocates
// and frees.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/graph_memory.h"
#include "memory/ledger.h"
#include "runtime/launch_hook.h"

namespace xpu::memory {

class ExecMemory final : public runtime::LaunchHook {
 public:
  struct Flags {
    bool auto_free_on_launch = false;   // what the last launch left allocated is freed by the next
    bool auto_free_on_destroy = false;  // and by the executable's end
  };
  // Null if the graph has no memory nodes, nor a child graph in it. Refuses a graph that has an
  // executable already.
  static Result<std::shared_ptr<ExecMemory>> claim(const graph::Graph& graph, Flags flags);
  ~ExecMemory() override;

  Result<uint64_t> prepare() override;
  Result<uint64_t> begin(runtime::Stream& stream) override;
  void end(runtime::Stream& stream, bool submitted) noexcept override;

 private:
  explicit ExecMemory(Flags flags) noexcept : flags_(flags) {}
  void find_loose_ends(const graph::Graph& graph);
  Status check() const;
  Result<uint64_t> back();

  std::vector<std::shared_ptr<GraphMemory>> memories_;  // of the graph and of child graphs in it
  const Flags flags_;
  bool launched_ = false;
  std::vector<Allocation*> kept_;                       // allocated and not freed by a launch
  std::vector<std::shared_ptr<Allocation>> elsewhere_;  // freed, of other graphs
  std::unique_lock<std::mutex> held_;                   // the ledger, between begin() and end()
};

}  // namespace xpu::memory
