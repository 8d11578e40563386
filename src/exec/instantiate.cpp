// SPDX-License-Identifier: Apache-2.0
// From a template to an executable with its first encoding.
#include <string>
#include <utility>

#include "base/log.h"
#include "base/option.h"
#include "base/trace.h"
#include "exec/body.h"
#include "exec/retire.h"
#include "graph/graph.h"
#include "plan/dot.h"

namespace xpu::exec {
namespace {

Status check_flags(uint64_t flags) {
  constexpr uint64_t kKnown =
      kAutoFreeOnLaunch | kUpload | kDeviceLaunch | kUseNodePriority | kAutoFreeOnDestroy;
  if (flags & ~kKnown)
    return invalid_value("the instantiation flags have unknown bits (" + std::to_string(flags) +
                             "); known are AutoFreeOnLaunch 1, Upload 2, DeviceLaunch 4, "
                             "UseNodePriority 8 and AutoFreeOnDestroy 256",
                         "flags");
  if (flags & kUpload)
    return invalid_value(
        "the flag Upload needs a stream, and this call has none; instantiate "
        "without it and call xpuGraphUpload",
        "flags");
  if ((flags & kDeviceLaunch) && (flags & kAutoFreeOnLaunch))
    return invalid_value("the flags DeviceLaunch and AutoFreeOnLaunch exclude each other", "flags");
  if (flags & kDeviceLaunch)
    return Status::error(
        xpuErrorNotSupported,
        "graphs cannot be launched from device code: Level Zero has no such launch", "flags");
  return Status();
}

// A picture that cannot be written is no reason to refuse the graph.
void dump(const graph::Graph& graph, const plan::Plan& plan) {
  if (options().dump.empty()) return;
  const Status status = plan::dump(options().dump, graph, plan);
  if (!status.ok()) XPU_LOG(warn, "XPUGRAPH_DUMP: %s", status.sentence().c_str());
}

}  // namespace

Result<std::unique_ptr<Exec>> Exec::instantiate(const graph::Graph& graph, runtime::Device& device,
                                                uint64_t flags,
                                                std::shared_ptr<runtime::LaunchHook> hook) {
  const Zone zone("instantiate", static_cast<int64_t>(graph.size()));
  XPU_TRY(check_flags(flags));
  free_retired();
  XPU_TRY_ASSIGN(
      std::shared_ptr<Snapshot> snapshot,
      Snapshot::make(graph, device,
                     flags & kUseNodePriority ? Priorities::of_nodes : Priorities::of_stream));
  dump(graph, snapshot->plan);
  Versions versions = snapshot->take_versions();
  auto body =
      std::make_unique<Body>(std::move(snapshot), std::move(versions), flags, std::move(hook));
  if (body->hook) {
    XPU_TRY_ASSIGN(body->generation, body->hook->prepare());
  }
  body->generation += runtime::Device::unmappings();
  XPU_TRY(body->ring.add().take_status());
  std::unique_ptr<Exec> exec(new Exec(std::move(body)));
  exec->body_->handle = OwnedHandle(HandleType::exec, exec.get());
  if (!exec->handle())
    return Status::error(xpuErrorMemoryAllocation,
                         "there are no handles left; destroy graphs and executables");
  return exec;
}

}  // namespace xpu::exec
