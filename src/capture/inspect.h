// SPDX-License-Identifier: Apache-2.0
// Looking at a capture from outside, and changing what comes next in one of its streams.
#pragma once

#include "capture/view.h"

namespace xpu::capture {

xpuStreamCaptureStatus status_of(const View& view) noexcept;

// What comes before the stream's next node, in the caller's form. The arrays belong to the
// participant and stay until the next call of this function for the stream.
struct Shown {
  const xpuGraphNode_t* nodes = nullptr;
  const xpuGraphEdgeData* data = nullptr;
  size_t count = 0;
  bool plain = true;  // no edge carries data
};
Shown show_frontier(const View& view);

// Adds nodes of the captured graph to what comes before the stream's next node, or puts them in its
// place; what is dropped then no longer counts as unjoined.
Status update_frontier(const View& view, std::span<graph::Node* const> nodes,
                       const xpuGraphEdgeData* data, bool replace);

}  // namespace xpu::capture
