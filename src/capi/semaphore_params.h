// SPDX-License-Identifier: Apache-2.0
// The public arrays of semaphores and their values, checked and copied: for streams and for nodes.
#pragma once

#include <xpugraph/external_semaphore.h>

#include <memory>
#include <vector>

#include "graph/external.h"
#include "runtime/external_semaphore.h"

namespace xpu::capi {

// `Params` is the public struct of a signal or of a wait.
template <class Params>
struct SemaphoreArrays {
  std::vector<xpuExternalSemaphore_t> semaphores;
  std::vector<Params> params;
  std::shared_ptr<const runtime::External> use;

  graph::ParamsRef take_params();
};

// `dead` is what a handle of no live semaphore is refused with.
template <class Params>
Result<SemaphoreArrays<Params>> read_semaphores(const xpuExternalSemaphore_t* semaphores,
                                                const Params* params, unsigned int count,
                                                xpuError_t dead);

Result<graph::ParamsRef> to_params(const xpuExternalSemaphoreSignalNodeParams* params,
                                   const char* argument);
Result<graph::ParamsRef> to_params(const xpuExternalSemaphoreWaitNodeParams* params,
                                   const char* argument);

// The arrays are those of `params`.
xpuExternalSemaphoreSignalNodeParams show_signals(const graph::SemaphoreParams& params);
xpuExternalSemaphoreWaitNodeParams show_waits(const graph::SemaphoreParams& params);

}  // namespace xpu::capi
