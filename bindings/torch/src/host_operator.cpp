// SPDX-License-Identifier: Apache-2.0
// Calls CPU kernels on the driver's threads.
#include "host_operator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/CPUAllocator.h>

namespace xpugraph_torch {
namespace {

uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Kernels may resize what they are given as `out`, also to the size that it has, which memory of
/// others does not allow: they get a storage that looks as if it could.
at::Tensor resizable(const at::Tensor& tensor) {
  size_t bytes =
      at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.dtype().itemsize());
  c10::Storage storage(c10::Storage::use_byte_size_t(), bytes,
                       c10::DataPtr(tensor.mutable_data_ptr(), at::kCPU), c10::GetCPUAllocator(),
                       true);
  at::Tensor own = at::empty({0}, tensor.options());
  own.set_(storage, 0, tensor.sizes(), tensor.strides());
  return own;
}

}  // namespace

at::Generator twister(const PhiloxDraw& draw) {
  PhiloxCell now = draw.read();
  return at::detail::createCPUGenerator(
      scramble(now.seed + scramble(now.offset + 0x9e3779b97f4a7c15u)));
}

void HostOperator::run() {
  torch::jit::Stack stack = arguments_;
  if (draw_) stack[*facts_.generator] = twister(*draw_);
  std::vector<std::pair<at::Tensor, at::Tensor>> outs;
  for (size_t i : facts_.outs) {
    if (!stack[i].isTensor() || !stack[i].toTensor().defined()) continue;
    at::Tensor given = stack[i].toTensor();
    stack[i] = resizable(given);
    outs.emplace_back(stack[i].toTensor(), std::move(given));
  }
  op_.callBoxed(&stack);
  for (auto& [out, given] : outs) {
    if (out.data_ptr() != given.data_ptr()) given.copy_(out.view_as(given));
  }
  for (const Target& target : targets_) {
    const c10::IValue& result = stack[target.result];
    at::Tensor made = target.item ? result.toTensorList().get(*target.item) : result.toTensor();
    if (!made.defined()) continue;
    // What a CPU kernel leaves out because only other devices' backward passes read it.
    const bool left_out = made.numel() == 0 && target.tensor.numel() > 0;
    if (left_out)
      target.tensor.zero_();
    else
      target.tensor.copy_(made);
  }
}

}  // namespace xpugraph_torch
