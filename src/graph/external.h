// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes that work with what others look at, too: external semaphores, and values in
// memory.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graph/params.h"

namespace xpu::graph {

// What they have in common: the command itself is the runtime's.
class ExternalParams : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept {
    return kind == NodeKind::semaphore_signal || kind == NodeKind::semaphore_wait ||
           kind == NodeKind::batch;
  }
  // A runtime::External, opaque here.
  const std::shared_ptr<const void>& use() const noexcept { return use_; }
  // Whether it may hold up what comes behind it until somebody else does something.
  virtual bool waits() const noexcept = 0;

 protected:
  ExternalParams(NodeKind kind, std::shared_ptr<const void> use) noexcept
      : NodeParams(kind), use_(std::move(use)) {}

 private:
  std::shared_ptr<const void> use_;
};

class SemaphoreParams final : public ExternalParams {
 public:
  static bool is(NodeKind kind) noexcept {
    return kind == NodeKind::semaphore_signal || kind == NodeKind::semaphore_wait;
  }
  // The arrays are what the program gave, for the getter and for comparing.
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

  bool waits() const noexcept override { return kind() == NodeKind::semaphore_wait; }
  const std::vector<xpuExternalSemaphore_t>& semaphores() const noexcept { return semaphores_; }
  // One of them is empty, by the kind of the node.
  const std::vector<xpuExternalSemaphoreSignalParams>& signals() const noexcept { return signals_; }
  const std::vector<xpuExternalSemaphoreWaitParams>& awaited() const noexcept { return awaited_; }
  uint64_t value(size_t index) const noexcept {
    return waits() ? awaited_[index].params.fence.value : signals_[index].params.fence.value;
  }

 private:
  SemaphoreParams(NodeKind kind, std::shared_ptr<const void> use,
                  std::vector<xpuExternalSemaphore_t> semaphores,
                  std::vector<xpuExternalSemaphoreSignalParams> signals,
                  std::vector<xpuExternalSemaphoreWaitParams> awaited) noexcept
      : ExternalParams(kind, std::move(use)),
        semaphores_(std::move(semaphores)),
        signals_(std::move(signals)),
        awaited_(std::move(awaited)) {}

  std::vector<xpuExternalSemaphore_t> semaphores_;
  std::vector<xpuExternalSemaphoreSignalParams> signals_;
  std::vector<xpuExternalSemaphoreWaitParams> awaited_;
};

// Writes of values and waits for them, one after the other.
class BatchParams final : public ExternalParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::batch; }
  static ParamsRef make(std::shared_ptr<const void> use,
                        std::vector<xpuStreamBatchMemOpParams> operations) {
    return ParamsRef::adopt(new BatchParams(std::move(use), std::move(operations)));
  }

  static bool is_wait(xpuStreamBatchMemOpType type) noexcept {
    return type == xpuStreamMemOpWaitValue32 || type == xpuStreamMemOpWaitValue64;
  }
  bool waits() const noexcept override {
    return std::any_of(operations_.begin(), operations_.end(),
                       [](const auto& one) { return is_wait(one.operation); });
  }
  const std::vector<xpuStreamBatchMemOpParams>& operations() const noexcept { return operations_; }

 private:
  BatchParams(std::shared_ptr<const void> use,
              std::vector<xpuStreamBatchMemOpParams> operations) noexcept
      : ExternalParams(NodeKind::batch, std::move(use)), operations_(std::move(operations)) {}
  std::vector<xpuStreamBatchMemOpParams> operations_;
};

}  // namespace xpu::graph
