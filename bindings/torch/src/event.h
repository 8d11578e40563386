// SPDX-License-Identifier: Apache-2.0
// Marks in streams: the library's events, and in which capture each was recorded.
#pragma once

#include <memory>

#include <c10/core/Stream.h>

#include <xpugraph/event.h>

namespace xpugraph_torch {

class Recording;

class Event {
 public:
  /// @param timing  whether elapsed time can be asked for.
  /// @param external  whether a record or a wait in a capture becomes a node of the graph, which is
  ///     then done at each replay, instead of an order within the capture.
  Event(c10::DeviceIndex index, bool timing, bool external = false);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(c10::Stream stream);
  /// Makes what is queued in `stream` from now on wait. A stream that waits for an event of a
  /// capture joins the capture. A captured stream can wait only for what is over or in the same
  /// capture.
  void make_wait(c10::Stream stream);
  bool is_over();
  void synchronize();
  float milliseconds_until(Event& later);

 private:
  /// Throws if it was last recorded in a capture: what it stands for runs at replay only.
  void need_eager(const char* wish) const;

  const bool external_;
  xpuEvent_t handle_ = nullptr;
  bool recorded_ = false;
  std::shared_ptr<Recording> captured_in_;
};

}  // namespace xpugraph_torch
