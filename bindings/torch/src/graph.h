// SPDX-License-Identifier: Apache-2.0
// A captured graph as PyTorch sees it: capture, instantiate, replay, reset.
#pragma once

#include <optional>

#include <ATen/core/GraphImplInterface.h>

#include <xpugraph/exec.h>

#include "event.h"
#include "recording.h"

namespace xpugraph_torch {

/// Every failure leaves the graph as it was, except that a capture which cannot be ended well
/// leaves it empty. Calls on one graph must not overlap.
class Graph final : public at::GraphImplInterface {
 public:
  explicit Graph(const at::GraphImplArgs& args = {}) : keep_graph_(args.keep_graph) {}
  ~Graph() override;

  void capture_begin(c10::MempoolId_t pool, at::GraphCaptureMode mode) override;
  void capture_end() override;
  void instantiate() override;
  void replay() override;
  void reset() override;
  c10::MempoolId_t pool() const override;
  /// Keeps the template for debug_dump(); of this graph only.
  void enable_debug_mode() override { debug_ = true; }
  void debug_dump(const std::string& path) override;

  uintptr_t raw_graph() const;
  uintptr_t raw_exec() const;
  bool capturing() const { return recording_ && !captured_; }

 private:
  void end_recording(Recording::State state);
  void drop_graph();
  void drop_exec();

  const bool keep_graph_;
  bool debug_ = false;
  /// Of the capture under way, or the one that was made into this graph.
  std::shared_ptr<Recording> recording_;
  bool captured_ = false;
  xpuGraph_t graph_ = nullptr;
  xpuGraphExec_t exec_ = nullptr;
  std::optional<c10::Stream> replayed_in_;
};

}  // namespace xpugraph_torch
