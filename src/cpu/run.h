// SPDX-License-Identifier: Apache-2.0
// Executes single instructions for one hardware queue.
//
// Kernels are enqueued and not waited for: the engine's queue is in order, so a streak of kernels
// needs no wait between them. Everything else that touches memory or tells somebody that a kernel
// is complete drains the engine first.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cpu/code.h"
#include "cpu/engine.h"

namespace xpu::cpu {

class Runner {
 public:
  struct Outcome {
    ze_result_t result;
    Ticks ticks;  // if the signal wants them
  };
  // Runs it, host calls excepted; if it has a signal it is complete on return, and the caller
  // publishes. `submission` numbers the submission it belongs to.
  Outcome run(const Instruction& instruction, uint64_t submission);
  // Kernels were enqueued since the last drain.
  bool busy() const noexcept { return enqueued_ != 0; }
  // Waits for the engine.
  ze_result_t drain();
  // A drain failed since the last take_loss(). The engine does not say whose kernel it was.
  bool lost() const noexcept { return loss_ != ZE_RESULT_SUCCESS; }
  ze_result_t take_loss() noexcept { return std::exchange(loss_, ZE_RESULT_SUCCESS); }

 private:
  ze_result_t launch(const char* function, const KernelSnapshot& kernel, const Size3& count);
  ze_result_t act(const char* function, const Operation& operation, uint64_t submission);

  std::unique_ptr<EngineQueue> queue_;  // made by the first kernel
  uint32_t enqueued_ = 0;
  ze_result_t loss_ = ZE_RESULT_SUCCESS;
};

}  // namespace xpu::cpu
