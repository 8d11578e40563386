// SPDX-License-Identifier: Apache-2.0
// Refuses stream-ordered allocation in a stream that is being captured.
#include "capi/capture_memory.h"

namespace xpu::capi {
namespace {

Status refuse_memory(const char* call, capture::View& view) {
  if (!view.session().ok()) return view.session().invalidated();
  return view.refuse(call, Status::error(xpuErrorStreamCaptureUnsupported,
                                         "memory cannot be allocated or freed by a stream that is "
                                         "being captured; do it before or after the capture",
                                         "stream"));
}

}  // namespace

Status capture_malloc(const char* call, capture::View& view, void**, size_t, memory::StreamPool&) {
  return refuse_memory(call, view);
}

Status capture_free(const char* call, capture::View& view, void*) {
  return refuse_memory(call, view);
}

}  // namespace xpu::capi
