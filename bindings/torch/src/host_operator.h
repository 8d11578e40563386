// SPDX-License-Identifier: Apache-2.0
// A CPU kernel with its arguments, ready to run when the stream comes to it, as often as its graph
// is replayed.
#pragma once

#include <optional>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "operator_facts.h"
#include "philox.h"
#include "work.h"

namespace xpugraph_torch {

/// CPU kernels draw from a Mersenne twister. One that is seeded from seed and offset gives the same
/// numbers for the same draw, whenever and in whatever graph it runs.
at::Generator twister(const PhiloxDraw& draw);

class HostOperator final : public Work {
 public:
  /// @param arguments  on the CPU, over the device's memory.
  HostOperator(c10::OperatorHandle op, const OperatorFacts& facts, torch::jit::Stack arguments,
               std::optional<PhiloxDraw> draw)
      : op_(op), facts_(facts), arguments_(std::move(arguments)), draw_(draw) {}

  /// The result number `result`, or entry `item` of it if that is a list, is to be copied to
  /// `target`.
  void add_target(size_t result, std::optional<size_t> item, at::Tensor target) {
    targets_.push_back({result, item, std::move(target)});
  }

  void run() override;
  const char* name() const override { return op_.schema().name().c_str(); }

 private:
  struct Target {
    size_t result;
    std::optional<size_t> item;
    at::Tensor tensor;
  };

  c10::OperatorHandle op_;
  const OperatorFacts& facts_;
  torch::jit::Stack arguments_;
  std::optional<PhiloxDraw> draw_;
  std::vector<Target> targets_;
};

}  // namespace xpugraph_torch
