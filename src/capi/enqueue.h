// SPDX-License-Identifier: Apache-2.0
// Work given to a stream: it becomes a node if the stream is captured, and runs otherwise.
#pragma once

#include "capture/rules.h"
#include "capture/view.h"

namespace xpu::capi {

// `record` makes the node's parameters (a Result<graph::ParamsRef>), `run` gives the work to the
// driver (a Status). One of them is called.
template <class Record, class Run>
Status enqueue(const char* call, runtime::Stream& stream, Record&& record, Run&& run) {
  XPU_TRY(capture::legacy_use(call, stream));
  capture::View view(stream);
  if (view) return view.add(call, record());
  return run();
}

}  // namespace xpu::capi
