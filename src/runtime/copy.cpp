// SPDX-License-Identifier: Apache-2.0
// Enqueues copies, fills, launches and host functions on streams.
#include "runtime/copy.h"

#include <string>

#include "base/callback.h"
#include "runtime/across.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace xpu::runtime {

Result<CopyRoute> copy_route(const Memory& memory, const ze::Copy& copy, xpuMemcpyKind kind) {
  const int number = static_cast<int>(kind);
  if (number < xpuMemcpyHostToHost || number > xpuMemcpyDefault)
    return Status::error(xpuErrorInvalidMemcpyDirection,
                         std::to_string(number) + " is no xpuMemcpyKind", "kind");
  return CopyRoute{memory.kind(copy.dst), memory.kind(copy.src)};
}

Status copy(Stream& stream, const ze::Copy& copy, xpuMemcpyKind kind, bool blocking) {
  XPU_TRY_ASSIGN(const CopyRoute route, copy_route(stream.device().memory(), copy, kind));
  XPU_TRY_ASSIGN(const bool done, copied_across(stream, copy));
  if (!done) XPU_TRY(stream.submit([&](ze::List& list) { return list.copy(copy); }));
  const bool on_devices = route.dst == MemoryKind::device && route.src == MemoryKind::device;
  if (route.pageable() || (blocking && !on_devices)) return stream.synchronize();
  return Status();
}

Status fill(Stream& stream, const ze::Fill& fill, bool blocking) {
  XPU_TRY_ASSIGN(const bool done, filled_across(stream, fill));
  if (!done) XPU_TRY(stream.submit([&](ze::List& list) { return list.fill(fill); }));
  if (blocking && stream.device().memory().kind(fill.dst) != MemoryKind::device)
    return stream.synchronize();
  return Status();
}

Status launch(Stream& stream, const Kernel& kernel, xpuDim3 grid, xpuDim3 block, void* const* args,
              size_t shared_mem, Launching how) {
  if (&kernel.device() != &stream.device())
    return Status::error(xpuErrorInvalidResourceHandle,
                         "kernel \"" + kernel.name() + "\" is of device " +
                             std::to_string(kernel.device().index()) + ", the stream of device " +
                             std::to_string(stream.device().index()),
                         "func");
  return stream.submit(
      [&](ze::List& list) { return kernel.append(list, grid, block, args, shared_mem, {}, how); });
}

Status host_function(Stream& stream, xpuHostFn_t function, void* user_data) {
  void* const once = make_once({function, user_data});
  bool may_be_called = false;
  Status status = stream.submit([&](ze::List& list) {
    // The thread that stands in for the driver may call it although a later part fails.
    may_be_called = !list.device().features().host_function;
    return list.host_function(call_back_once, once);
  });
  if (!status.ok() && !may_be_called) drop_once(once);
  return status;
}

}  // namespace xpu::runtime
