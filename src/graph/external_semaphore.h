// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes that signal external semaphores or wait for them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/params.h"

namespace xpu::graph {

class SemaphoreParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept {
    return kind == NodeKind::semaphore_signal || kind == NodeKind::semaphore_wait;
  }
  // `use` is the runtime's, opaque here; the arrays are what the program gave, for the getter and
  // for comparing.
  static ParamsRef make(std::shared_ptr<const void> use,
                        std::vector<xpuExternalSemaphore_t> semaphores,
                        std::vector<xpuExternalSemaphoreSignalParams> signals) {
    return ParamsRef::adopt(new SemaphoreParams(NodeKind::semaphore_signal, std::move(use),
                                                std::move(semaphores), std::move(signals), {}));
  }
  static ParamsRef make(std::shared_ptr<const void> use,
                        std::vector<xpuExternalSemaphore_t> semaphores,
                        std::vector<xpuExternalSemaphoreWaitParams> waits) {
    return ParamsRef::adopt(new SemaphoreParams(NodeKind::semaphore_wait, std::move(use),
                                                std::move(semaphores), {}, std::move(waits)));
  }

  const std::shared_ptr<const void>& use() const noexcept { return use_; }
  const std::vector<xpuExternalSemaphore_t>& semaphores() const noexcept { return semaphores_; }
  // One of them is empty, by the kind of the node.
  const std::vector<xpuExternalSemaphoreSignalParams>& signals() const noexcept { return signals_; }
  const std::vector<xpuExternalSemaphoreWaitParams>& waits() const noexcept { return waits_; }
  uint64_t value(size_t index) const noexcept {
    return kind() == NodeKind::semaphore_signal ? signals_[index].params.fence.value
                                                : waits_[index].params.fence.value;
  }

 private:
  SemaphoreParams(NodeKind kind, std::shared_ptr<const void> use,
                  std::vector<xpuExternalSemaphore_t> semaphores,
                  std::vector<xpuExternalSemaphoreSignalParams> signals,
                  std::vector<xpuExternalSemaphoreWaitParams> waits) noexcept
      : NodeParams(kind),
        use_(std::move(use)),
        semaphores_(std::move(semaphores)),
        signals_(std::move(signals)),
        waits_(std::move(waits)) {}

  std::shared_ptr<const void> use_;
  std::vector<xpuExternalSemaphore_t> semaphores_;
  std::vector<xpuExternalSemaphoreSignalParams> signals_;
  std::vector<xpuExternalSemaphoreWaitParams> waits_;
};

}  // namespace xpu::graph
