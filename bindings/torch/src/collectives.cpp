// SPDX-License-Identifier: Apache-2.0
// torch.distributed on this device: another backend's collectives, Gloo's, on copies on the CPU.
#include "collectives.h"

#include <ATen/core/jit_type.h>

#include "device.h"

namespace xpugraph_torch {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Work that is over when its call returns.
class Over final : public c10d::Work {
 public:
  Over(c10d::OpType type, const Tensors& results) : Work(-1, type) {
    std::vector<c10::Device> places;
    if (!results.empty()) places.push_back(results[0].device());
    future_ = c10::make_intrusive<c10::ivalue::Future>(c10::ListType::ofTensors(), places);
    future_->markCompleted(c10::IValue(results));
    finish();
  }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }

 private:
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

Tensors on_cpu(const Tensors& tensors) {
  Tensors copies;
  for (const at::Tensor& tensor : tensors) copies.push_back(tensor.to(at::kCPU));
  return copies;
}

void copy_back(const Tensors& copies, Tensors& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) tensors[i].copy_(copies[i]);
}

}  // namespace

Collectives::Collectives(c10::intrusive_ptr<c10d::Backend> inner)
    : Backend(inner->getRank(), inner->getSize()), inner_(std::move(inner)) {}

c10::intrusive_ptr<c10d::Work> Collectives::allreduce(Tensors& tensors,
                                                      const c10d::AllreduceOptions& options) {
  Tensors copies = on_cpu(tensors);
  inner_->allreduce(copies, options)->wait();
  copy_back(copies, tensors);
  return c10::make_intrusive<Over>(c10d::OpType::ALLREDUCE, tensors);
}

c10::intrusive_ptr<c10d::Work> Collectives::broadcast(Tensors& tensors,
                                                      const c10d::BroadcastOptions& options) {
  Tensors copies = on_cpu(tensors);
  inner_->broadcast(copies, options)->wait();
  copy_back(copies, tensors);
  return c10::make_intrusive<Over>(c10d::OpType::BROADCAST, tensors);
}

c10::intrusive_ptr<c10d::Work> Collectives::allgather(std::vector<Tensors>& outputs,
                                                      Tensors& inputs,
                                                      const c10d::AllgatherOptions& options) {
  std::vector<Tensors> copies;
  for (const Tensors& list : outputs) copies.push_back(on_cpu(list));
  Tensors given = on_cpu(inputs);
  inner_->allgather(copies, given, options)->wait();
  Tensors results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    copy_back(copies[i], outputs[i]);
    results.insert(results.end(), outputs[i].begin(), outputs[i].end());
  }
  return c10::make_intrusive<Over>(c10d::OpType::ALLGATHER, results);
}

c10::intrusive_ptr<c10d::Work> Collectives::barrier(const c10d::BarrierOptions& options) {
  inner_->barrier(options)->wait();
  return c10::make_intrusive<Over>(c10d::OpType::BARRIER, Tensors());
}

}  // namespace xpugraph_torch
