// SPDX-License-Identifier: Apache-2.0
// What stands in a node of the picture.
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "graph/dot.h"
#include "graph/external.h"

namespace xpu::graph {
namespace {

// Longer arguments are shown by their beginning.
constexpr size_t kMostArgumentBytes = 32;

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

// A value of 1, 2, 4 or 8 bytes as one hexadecimal number of that many digits, others byte by byte
// in the order of memory.
std::string argument_value(const std::byte* at, size_t size) {
  uint64_t number = 0;
  if (size == 1 || size == 2 || size == 4 || size == 8) {
    std::memcpy(&number, at, size);
    return print("0x%0*" PRIx64, static_cast<int>(2 * size), number);
  }
  std::string text;
  for (size_t i = 0; i < size && i < kMostArgumentBytes; i++) {
    text += print(i ? " %02x" : "%02x", std::to_integer<unsigned>(at[i]));
  }
  return size > kMostArgumentBytes ? text + " ..." : text;
}

std::string kernel_label(const KernelParams& kernel, unsigned flags) {
  std::string text = "KERNEL\n" + kernel.signature().name() + "\n";
  if (flags & kDotAttributes && kernel.cooperative()) text += "cooperative\n";
  if (flags & kDotAttributes && kernel.priority())
    text += print("priority %d\n", kernel.priority());
  if (!(flags & kDotKernels)) return text;
  const xpuDim3 &g = kernel.grid(), &b = kernel.block();
  text += print("grid (%u, %u, %u) block (%u, %u, %u) shared %zu\n", g.x, g.y, g.z, b.x, b.y, b.z,
                kernel.shared_mem());
  const auto& parameters = kernel.signature().parameters();
  for (size_t i = 0; i < parameters.size(); i++) {
    const std::byte* at = kernel.argument(i);
    if (parameters[i].kind == ParameterKind::local) {
      size_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      text += print("arg %zu: local memory, %zu bytes\n", i, bytes);
    } else {
      text += print("arg %zu: ", i) + argument_value(at, parameters[i].size) + "\n";
    }
  }
  return text;
}

const char* direction(xpuMemcpyKind kind) {
  switch (kind) {
    case xpuMemcpyHostToHost:
      return "HtoH";
    case xpuMemcpyHostToDevice:
      return "HtoD";
    case xpuMemcpyDeviceToHost:
      return "DtoH";
    case xpuMemcpyDeviceToDevice:
      return "DtoD";
    default:
      return "default";
  }
}

std::string side_label(const char* name, const CopySide& side, bool linear) {
  if (linear) return print("%s %p\n", name, side.base);
  return print("%s %p pitch %zu rows %zu at (%zu, %zu, %zu)\n", name, side.base, side.pitch,
               side.ysize, side.x, side.y, side.z);
}

std::string copy_label(const CopyParams& copy, unsigned flags) {
  const CopyShape& s = copy.shape();
  std::string text = print("MEMCPY\n(%s)\n", direction(s.kind));
  if (!(flags & kDotCopies)) return text;
  text += side_label("dst", s.dst, s.linear) + side_label("src", s.src, s.linear);
  return text + (s.linear ? print("%zu bytes\n", s.width)
                          : print("extent (%zu, %zu, %zu)\n", s.width, s.height, s.depth));
}

std::string fill_label(const FillParams& fill, unsigned flags) {
  std::string text = "MEMSET\n";
  if (!(flags & kDotFills)) return text;
  const FillShape& s = fill.shape();
  return text + print("dst %p pitch %zu\nvalue 0x%0*x (%u bytes)\nwidth %zu height %zu\n", s.dst,
                      s.pitch, static_cast<int>(2 * s.element_size), s.value, s.element_size,
                      s.width, s.height);
}

std::string host_label(const HostParams& host, unsigned flags) {
  if (!(flags & kDotHosts)) return "HOST\n";
  return print("HOST\nfn 0x%" PRIxPTR "\nuserData %p\n",
               reinterpret_cast<uintptr_t>(host.function()), host.user_data());
}

std::string event_label(const EventParams& event, unsigned flags) {
  std::string text = event.kind() == NodeKind::event_record ? "EVENT_RECORD\n" : "EVENT_WAIT\n";
  return flags & kDotEvents ? text + print("event 0x%" PRIx64 "\n", event.handle()) : text;
}

std::string semaphore_label(const SemaphoreParams& params, unsigned flags) {
  const bool signals = params.kind() == NodeKind::semaphore_signal;
  std::string text = signals ? "EXT_SEMAS_SIGNAL\n" : "EXT_SEMAS_WAIT\n";
  if (!(flags & (signals ? kDotSemaphoreSignals : kDotSemaphoreWaits))) return text;
  for (size_t i = 0; i < params.semaphores().size(); i++)
    text += print("semaphore 0x%" PRIxPTR ", value %" PRIu64 "\n",
                  reinterpret_cast<uintptr_t>(params.semaphores()[i]), params.value(i));
  return text;
}

std::string batch_label(const BatchParams& params, unsigned flags) {
  std::string text = "BATCH_MEM_OP\n";
  if (!(flags & kDotBatches)) return text;
  for (const xpuStreamBatchMemOpParams& one : params.operations()) {
    const xpuStreamMemOpValueParams& value = one.writeValue;
    const bool waits = BatchParams::is_wait(one.operation);
    const char* const sign = !waits ? "=" : value.flags == xpuStreamWaitValueEq ? "==" : ">=";
    text += print("%s %p %s %llu\n", waits ? "wait" : "write", value.address, sign, value.value64);
  }
  return text;
}

std::string alloc_label(const AllocParams& alloc, unsigned flags) {
  if (!(flags & kDotAllocs)) return "MEM_ALLOC\n";
  return print("MEM_ALLOC\naddress %p\n%zu bytes on device %d\n", alloc.address(), alloc.size(),
               alloc.device());
}

std::string free_label(const FreeParams& end, unsigned flags) {
  if (!(flags & kDotFrees)) return "MEM_FREE\n";
  return print("MEM_FREE\naddress %p\n", end.address());
}

std::string conditional_label(const ConditionalParams& node, unsigned flags) {
  static constexpr const char* const names[] = {"IF", "WHILE", "SWITCH"};
  std::string text = print("CONDITIONAL\n%s\n", names[static_cast<size_t>(node.choice())]);
  for (size_t i = 0; i < node.bodies().size(); i++)
    text += print("body %zu: graph %" PRIu64 "\n", i, node.bodies()[i]->id());
  if (!(flags & kDotConditionals)) return text;
  const std::optional<uint32_t>& at_launch = node.condition()->at_launch();
  text += print("handle 0x%" PRIx64 "\n", node.condition()->handle());
  return at_launch ? text + print("%u at launch\n", *at_launch) : text;
}

}  // namespace

std::string node_label(const NodeParams& params, unsigned flags) {
  switch (params.kind()) {
    case NodeKind::kernel:
      return kernel_label(static_cast<const KernelParams&>(params), flags);
    case NodeKind::copy:
      return copy_label(static_cast<const CopyParams&>(params), flags);
    case NodeKind::fill:
      return fill_label(static_cast<const FillParams&>(params), flags);
    case NodeKind::host:
      return host_label(static_cast<const HostParams&>(params), flags);
    case NodeKind::child:
      return "GRAPH\ngraph " +
             std::to_string(static_cast<const ChildParams&>(params).graph()->id()) + "\n";
    case NodeKind::empty:
      return "EMPTY\n";
    case NodeKind::event_wait:
    case NodeKind::event_record:
      return event_label(static_cast<const EventParams&>(params), flags);
    case NodeKind::semaphore_signal:
    case NodeKind::semaphore_wait:
      return semaphore_label(static_cast<const SemaphoreParams&>(params), flags);
    case NodeKind::mem_alloc:
      return alloc_label(static_cast<const AllocParams&>(params), flags);
    case NodeKind::mem_free:
      return free_label(static_cast<const FreeParams&>(params), flags);
    case NodeKind::batch:
      return batch_label(static_cast<const BatchParams&>(params), flags);
    case NodeKind::conditional:
      return conditional_label(static_cast<const ConditionalParams&>(params), flags);
  }
  return "unknown\n";
}

}  // namespace xpu::graph
