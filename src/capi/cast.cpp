// SPDX-License-Identifier: Apache-2.0
// The words of a refused handle.
#include "capi/cast.h"

namespace xpu::capi {

Status no_such(xpuError_t code, const void* handle, const char* what, const char* argument) {
  std::string sentence = argument;
  if (handle)
    sentence += std::string(" is not a live ") + what +
                ": it was destroyed, or is a handle of something else";
  else
    sentence += std::string(" is NULL; it must be a live ") + what;
  return Status::error(code, std::move(sentence), argument);
}

Result<runtime::Device*> find_device(int index) {
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  return runtime->device(index);
}

Result<runtime::Stream*> default_stream(xpuStream_t handle) {
  if (handle && handle != xpuStreamLegacy && handle != xpuStreamPerThread)
    return no_such(xpuErrorInvalidResourceHandle, handle, "stream", "stream");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  return runtime->stream(handle);
}

}  // namespace xpu::capi
