// SPDX-License-Identifier: Apache-2.0
// The executable graph: a deep snapshot of a template, encoded into command lists, launched any
// number of times.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/handle.h"
#include "base/status.h"
#include "graph/conditional.h"

namespace xpu::graph {
class Graph;
}
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

// Launch and upload may be called from several threads at once; destruction must come after the
// last call, but not after the last run: what is still in flight is retired and freed when it is
// done.
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

  // As given to instantiate, without kUpload.
  uint64_t flags() const noexcept;
  // Of HandleType::exec; the object handle names `this`.
  uint64_t handle() const noexcept;

  // The template as it was when the exec was made: launched into a captured stream, an exec becomes
  // that graph as a child graph node. Parameters are shared versions, so it costs nodes and edges.
  // References to user objects of the one before last until the launches made so far are over.
  void keep_source(std::shared_ptr<const graph::Graph> source) noexcept;
  const graph::Graph& source() const noexcept { return *source_; }
  // What the template has lent to it, until it is destroyed.
  void keep_conditions(graph::Conditions conditions) noexcept {
    conditions_ = std::move(conditions);
  }

 private:
  struct Body;
  explicit Exec(std::unique_ptr<Body> body) noexcept;

  std::unique_ptr<Body> body_;
  std::shared_ptr<const graph::Graph> source_;
  graph::Conditions conditions_;
};

}  // namespace xpu::exec
