// SPDX-License-Identifier: Apache-2.0
// Enqueues copies, fills, launches and host functions on streams.
#include "runtime/copy.h"

#include <string>

#include "runtime/device.h"
#include "runtime/memory.h"

namespace xpu::runtime {
namespace {

const char* name_of(xpuMemcpyKind kind) noexcept {
  switch (kind) {
    case xpuMemcpyHostToHost:
      return "xpuMemcpyHostToHost";
    case xpuMemcpyHostToDevice:
      return "xpuMemcpyHostToDevice";
    case xpuMemcpyDeviceToHost:
      return "xpuMemcpyDeviceToHost";
    case xpuMemcpyDeviceToDevice:
      return "xpuMemcpyDeviceToDevice";
    default:
      return "xpuMemcpyDefault";
  }
}

// A side called "device" must be memory that devices share in, a side called "host" must not be
// memory that only a device has. Managed and pinned memory are both.
Status check_side(MemoryKind is, bool device, xpuMemcpyKind kind, const char* argument) {
  if (device && is == MemoryKind::unregistered)
    return invalid_value(std::string(name_of(kind)) + " says device memory, but " + argument +
                             " is memory that no xpuMalloc… gave",
                         argument);
  if (!device && is == MemoryKind::device)
    return invalid_value(
        std::string(name_of(kind)) + " says host memory, but " + argument + " is device memory",
        argument);
  return Status();
}

}  // namespace

Result<CopyRoute> copy_route(const Memory& memory, const ze::Copy& copy, xpuMemcpyKind kind) {
  const CopyRoute route{memory.kind(copy.dst), memory.kind(copy.src)};
  switch (kind) {
    case xpuMemcpyDefault:
      return route;
    case xpuMemcpyHostToHost:
    case xpuMemcpyHostToDevice:
    case xpuMemcpyDeviceToHost:
    case xpuMemcpyDeviceToDevice:
      break;
    default:
      return Status::error(xpuErrorInvalidMemcpyDirection,
                           std::to_string(static_cast<int>(kind)) + " is no xpuMemcpyKind", "kind");
  }
  const bool to = kind == xpuMemcpyHostToDevice || kind == xpuMemcpyDeviceToDevice;
  const bool from = kind == xpuMemcpyDeviceToHost || kind == xpuMemcpyDeviceToDevice;
  XPU_TRY(check_side(route.dst, to, kind, "dst"));
  XPU_TRY(check_side(route.src, from, kind, "src"));
  return route;
}

Status copy(Stream& stream, const ze::Copy& copy, xpuMemcpyKind kind, bool blocking) {
  XPU_TRY_ASSIGN(const CopyRoute route, copy_route(stream.device().memory(), copy, kind));
  XPU_TRY(stream.submit([&](ze::List& list) { return list.copy(copy); }));
  const bool on_devices = route.dst == MemoryKind::device && route.src == MemoryKind::device;
  if (route.pageable() || (blocking && !on_devices)) return stream.synchronize();
  return Status();
}

Status fill(Stream& stream, const ze::Fill& fill, bool blocking) {
  XPU_TRY(stream.submit([&](ze::List& list) { return list.fill(fill); }));
  if (blocking && stream.device().memory().kind(fill.dst) != MemoryKind::device)
    return stream.synchronize();
  return Status();
}

Status launch(Stream& stream, const Kernel& kernel, xpuDim3 grid, xpuDim3 block, void* const* args,
              size_t shared_mem) {
  if (&kernel.device() != &stream.device())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "kernel \"" + kernel.name() + "\" is of device " +
                             std::to_string(kernel.device().index()) + ", the stream of device " +
                             std::to_string(stream.device().index()),
                         "func");
  return stream.submit(
      [&](ze::List& list) { return kernel.append(list, grid, block, args, shared_mem); });
}

Status host_function(Stream& stream, xpuHostFn_t function, void* user_data) {
  return stream.submit([&](ze::List& list) { return list.host_function(function, user_data); });
}

}  // namespace xpu::runtime
