// SPDX-License-Identifier: Apache-2.0
// torch.distributed on this device.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace xpugraph_torch {

/// What DistributedDataParallel needs. Each call copies to the CPU, waits for the other backend and
/// copies back: it cannot be captured, which the copies say. What is not here is refused by PyTorch
/// by name.
class Collectives final : public c10d::Backend {
 public:
  explicit Collectives(c10::intrusive_ptr<c10d::Backend> inner);
  const std::string getBackendName() const override { return "xpuref"; }

  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options) override;
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options) override;
  c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                           std::vector<at::Tensor>& inputs,
                                           const c10d::AllgatherOptions& options) override;
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options) override;

 private:
  c10::intrusive_ptr<c10d::Backend> inner_;
};

}  // namespace xpugraph_torch
