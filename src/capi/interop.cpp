// SPDX-License-Identifier: Apache-2.0
// Entry points of interop.h.
#include <xpugraph/interop.h>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/spelling.h"
#include "capture/fork.h"
#include "capture/rules.h"
#include "exec/retire.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

// More than any device takes for all parameters of a kernel together.
constexpr size_t kLargestParameter = 65536;

Status adopt(const xpuNativeDesc* user) {
  xpuNativeDesc desc;
  XPU_TRY(copy_in(desc, user, "desc"));
  XPU_TRY(require(desc.driver, "desc->driver"));
  XPU_TRY(require(desc.context, "desc->context"));
  XPU_TRY(require(desc.devices, "desc->devices"));
  if (desc.deviceCount == 0)
    return invalid_value("deviceCount is 0; give at least one device", "desc->deviceCount");
  ze::NativeDriver native;
  native.driver = desc.driver;
  native.context = desc.context;
  for (uint32_t i = 0; i < desc.deviceCount; i++) {
    XPU_TRY(require(desc.devices[i], "desc->devices"));
    native.devices.push_back(desc.devices[i]);
  }
  if (desc.driverPath) native.library = desc.driverPath;
  return spelled_in(runtime::Runtime::adopt(native), "desc",
                    {{"driverPath", "driverPath"},
                     {"driver", "driver"},
                     {"devices", "devices"},
                     {"context", "context"}});
}

// A value of any size and a pointer are set alike, so only local memory is told apart.
Result<std::vector<Parameter>> to_parameters(const size_t* sizes, size_t count) {
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < count; i++) {
    const bool local = sizes[i] == XPU_PARAM_LOCAL;
    if (!local && (sizes[i] == 0 || sizes[i] > kLargestParameter))
      return invalid_value("paramSizes[" + std::to_string(i) + "] is " + std::to_string(sizes[i]) +
                               " bytes; it must be 1 to " + std::to_string(kLargestParameter) +
                               ", or XPU_PARAM_LOCAL",
                           "paramSizes");
    Parameter p;
    p.kind = local ? ParameterKind::local : ParameterKind::value;
    p.size = static_cast<uint32_t>(local ? sizeof(size_t) : sizes[i]);
    parameters.push_back(p);
  }
  return parameters;
}

}  // namespace

xpuError_t xpuInitFromNative(const xpuNativeDesc* desc) {
  return guard(__func__, [&] { return adopt(desc); });
}

xpuError_t xpuDeviceGetNative(int device, ze_driver_handle_t* driver,
                              ze_device_handle_t* device_handle, ze_context_handle_t* context) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const runtime::Device* d, find_device(device));
    if (driver) *driver = d->ze().driver().handle();
    if (device_handle) *device_handle = d->ze().handle();
    if (context) *context = d->ze().context();
    return {};
  });
}

xpuError_t xpuStreamCreateFromNative(xpuStream_t* pStream, int device,
                                     ze_command_list_handle_t command_list) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pStream, "pStream"));
    XPU_TRY(require(command_list, "command_list"));
    XPU_TRY_ASSIGN(runtime::Device * d, find_device(device));
    XPU_TRY_ASSIGN(const runtime::Stream* stream,
                   runtime::Stream::adopt(*d, command_list, xpuStreamNonBlocking));
    *pStream = to_public<xpuStream_t>(stream->handle());
    return {};
  });
}

xpuError_t xpuStreamGetNative(xpuStream_t stream, ze_command_list_handle_t* command_list) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(command_list, "command_list"));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    XPU_TRY(capture::legacy_look(call, *s));
    if (capture::View(*s))
      return Status::error(
          xpuErrorStreamCaptureUnsupported,
          "the stream is being captured, and what is appended to its list would be "
          "missing from the graph",
          "stream");
    XPU_TRY(s->queue().lend());
    *command_list = s->queue().list().get();
    return {};
  });
}

xpuError_t xpuEventGetNative(xpuEvent_t event, ze_event_handle_t* native_event) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY(require(native_event, "native_event"));
    XPU_TRY_ASSIGN(runtime::Event * e, live_event(event));
    if (e->captured()) XPU_TRY(capture::host_use(call, *e));
    const ze_event_handle_t native = e->native();
    if (!native)
      return Status::error(xpuErrorInvalidResourceHandle,
                           "the event was never recorded, so it has no Level Zero event yet",
                           "event");
    *native_event = native;
    return {};
  });
}

xpuError_t xpuKernelCreateFromNative(xpuKernel_t* pKernel, int device, ze_module_handle_t module,
                                     const char* name, size_t numParams, const size_t* paramSizes) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY(require(pKernel, "pKernel"));
    XPU_TRY_ASSIGN(runtime::Device * d, find_device(device));
    XPU_TRY(require(module, "module"));
    XPU_TRY(require(name, "name"));
    XPU_TRY_ASSIGN(std::vector<Parameter> parameters,
                   paramSizes ? to_parameters(paramSizes, numParams)
                              : runtime::native_parameters(*d, module, name));
    if (parameters.size() != numParams)
      return invalid_value("kernel \"" + std::string(name) + "\" takes " +
                               std::to_string(parameters.size()) + " parameters, not " +
                               std::to_string(numParams),
                           "numParams");
    XPU_TRY_ASSIGN(const runtime::Kernel* kernel,
                   runtime::make_native_kernel(*d, module, name, std::move(parameters)));
    *pKernel = to_public<xpuKernel_t>(kernel->handle());
    return {};
  });
}

xpuError_t xpuKernelDestroy(xpuKernel_t kernel) {
  return guard(__func__, [&]() -> Status {
    if (runtime::destroy_native_kernel(from_public(kernel))) {
      // It waited for the device. Encodings whose executables are gone hold the kernel, too, and
      // must not outlive the module, which the program may destroy next.
      exec::free_retired();
      return {};
    }
    return no_such(xpuErrorInvalidResourceHandle, kernel, "kernel of xpuKernelCreateFromNative",
                   "kernel");
  });
}
