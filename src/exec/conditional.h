// SPDX-License-Identifier: Apache-2.0
// A conditional node made ready: its bodies as closed lists, and a thread's part of each launch,
// which looks at the value, submits the body that it chooses, and waits for that.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "exec/loops.h"
#include "exec/snapshot.h"
#include "graph/conditional.h"
#include "runtime/stream.h"
#include "ze/list.h"

namespace xpu::exec {

class Conditional : public std::enable_shared_from_this<Conditional> {
 public:
  // Of a segment of kind conditional. Everything that it will use is made and held here, apart from
  // what encodes the rest of the launch: if a launch fails half-way, the thread may be the last one
  // that is still in it.
  static Result<std::shared_ptr<Conditional>> encode(const Snapshot& snapshot, uint32_t segment,
                                                     const Versions& versions);

  // Appends to a list of `stream`: when the list gets there a thread runs the node, and the list
  // goes on when that is over. Not while the same object is still in a list. One small allocation:
  // what a launch needs must not be shared with the next one, which a driver that never waits (see
  // docs/design/intel-driver.md) lets begin at once.
  Status append(ze::List& list, runtime::Stream& stream, ze::Sync sync);

 private:
  // A body is one list, cut where nodes inside it are conditional themselves.
  struct Part {
    ze::List list;
    std::shared_ptr<Conditional> inner;
  };
  using Parts = std::vector<Part>;

  Conditional(graph::ParamsRef params, std::shared_ptr<Loops> loops) noexcept
      : params_(std::move(params)), loops_(std::move(loops)) {}
  static Result<std::shared_ptr<Conditional>> encode(const Snapshot& snapshot, uint32_t segment,
                                                     const Versions& versions,
                                                     const std::shared_ptr<Loops>& loops);
  Result<Parts> encode_body(const graph::Graph& graph, runtime::Device& device);
  const graph::ConditionalParams& params() const noexcept {
    return *params_.as<graph::ConditionalParams>();
  }

  // What the thread gets. It may be all that is left of the executable, and the stream cannot go
  // before its list is past this node.
  struct Run {
    std::shared_ptr<Conditional> node;
    runtime::Stream& stream;
  };
  static void run_on_thread(void* run, ze_result_t before) noexcept;
  Status run();
  Status run(const Parts& body);
  Status submit(const ze::List& closed);

  // Of the bodies; before the lists, so that they go after them.
  std::vector<std::shared_ptr<const Snapshot>> snapshots_;
  const graph::ParamsRef params_;
  const std::shared_ptr<Loops> loops_;
  std::vector<Parts> bodies_;
};

}  // namespace xpu::exec
