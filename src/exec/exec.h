// SPDX-License-Identifier: Apache-2.0
// The executable graph: a deep snapshot of a template, encoded into command lists, launched any
// number of times.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "base/status.h"
#include "exec/outcome.h"
#include "graph/conditional.h"
#include "graph/params.h"

namespace xpu::graph {
class Graph;
class Node;
}  // namespace xpu::graph
namespace xpu::runtime {
class Device;
class LaunchHook;
class Stream;
}  // namespace xpu::runtime

namespace xpu::exec {

struct Profile;

// Instantiation flags, with the numbers of the public header. The two of AutoFree are the memory
// floor's; the others are refused with a reason.
inline constexpr uint64_t kAutoFreeOnLaunch = 1;
inline constexpr uint64_t kUpload = 2;
inline constexpr uint64_t kDeviceLaunch = 4;
inline constexpr uint64_t kUseNodePriority = 8;
inline constexpr uint64_t kAutoFreeOnDestroy = 256;

// Nodes of other kinds are always enabled.
bool can_be_disabled(graph::NodeKind kind) noexcept;

// Launch, upload and updates may be called from several threads at once; destruction must come
// after the last call, but not after the last run: what is still in flight is retired and freed
// when it is done.
class Exec {
 public:
  // The template may be edited or destroyed afterwards. On failure nothing is left behind.
  // `hook` stands around each launch; it may be null.
  static Result<std::unique_ptr<Exec>> instantiate(const graph::Graph& graph,
                                                   runtime::Device& device, uint64_t flags,
                                                   std::shared_ptr<runtime::LaunchHook> hook = {});
  ~Exec();

  // Prepares what a launch would otherwise prepare at its first use; runs nothing.
  Status upload(runtime::Stream& stream);
  // Ordered after earlier work of the stream and after earlier launches of this exec in any stream.
  Status launch(runtime::Stream& stream);

  // One run in an encoding of its own that reads the device's clock around every node; waits for
  // its end. Ordered as a launch is, and what it computes is the same.
  Result<Profile> profile(runtime::Stream& stream);
  // How many rows that has.
  size_t profile_size() const;

  // As given to instantiate, without kUpload.
  uint64_t flags() const noexcept;
  // Of HandleType::exec; the object handle names `this`.
  uint64_t handle() const noexcept;

  // The template as it was when the exec was made, which updates keep up to date. Parameters are
  // shared versions, so it costs nodes and edges. Before the first use of what follows.
  void keep_source(std::shared_ptr<graph::Graph> source) noexcept;
  // Other threads may give its nodes other parameters meanwhile: only what is the graph's own may
  // be looked at.
  const graph::Graph& source() const noexcept { return *source_; }
  // What the template has lent to it, until it is destroyed.
  void keep_conditions(graph::Conditions conditions) noexcept {
    conditions_ = std::move(conditions);
  }
  // What a launch into a captured stream becomes: a graph of its own that does what a launch would
  // do now.
  std::shared_ptr<graph::Graph> as_child() const;

  // ---- updates. They hold from the next launch on; launches in flight keep what they have. A
  // refused one changes nothing. `node` is one of the template, or of a child graph in it.

  // The node is of that kind.
  Status set_params(const graph::Node& node, graph::ParamsRef params);
  // A child graph node, from a graph of the same form.
  Status set_child(const graph::Node& node, const graph::Graph& graph);
  // A kernel, copy or fill: it keeps its parameters and its place in the order.
  Status enable(const graph::Node& node, bool on);
  Result<bool> is_enabled(const graph::Node& node) const;

  // Why a graph was refused; nodes of that graph, or nullptr.
  struct Refused {
    Outcome outcome = Outcome::success;
    graph::Node* node = nullptr;
    graph::Node* from = nullptr;
  };
  // Every node, from a graph of the same form, and what that graph keeps alive. What was kept goes
  // when the launches made so far are over. A failure with outcome success is no refusal.
  Status update(const graph::Graph& graph, Refused& refused);

 private:
  struct Body;
  struct Found;
  struct Difference;
  explicit Exec(std::unique_ptr<Body> body) noexcept;
  Status know_places() const;
  Result<Found> find(const graph::Node& node) const;
  Status compare(graph::Graph& mine, const graph::Graph& theirs, Difference& difference,
                 Refused& refused) const;
  Status compare_other(graph::Node& node, graph::Node& theirs, Difference& difference,
                       Refused& refused) const;
  void apply(Difference difference);

  std::unique_ptr<Body> body_;
  std::shared_ptr<graph::Graph> source_;
  graph::Conditions conditions_;
};

}  // namespace xpu::exec
