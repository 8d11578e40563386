// SPDX-License-Identifier: Apache-2.0
// Reads and checks arrays of semaphores.
#include "capi/semaphore_params.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/spelling.h"
#include "graph/external.h"

namespace xpu::capi {
namespace {

template <class Params>
constexpr bool kSignals = std::is_same_v<Params, xpuExternalSemaphoreSignalParams>;

std::string entry(const char* array, size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

bool only_zeroes(std::span<const unsigned int> all) noexcept {
  return std::all_of(all.begin(), all.end(), [](unsigned int word) { return word == 0; });
}

template <class Params>
Status check_entry(const Params& params, size_t index) {
  if (!params.flags && only_zeroes(params.reserved) && only_zeroes(params.params.reserved))
    return {};
  return invalid_value("flags and reserved members must be 0; zero the struct before filling it in",
                       entry("paramsArray", index));
}

Result<runtime::Semaphore*> live_semaphore(xpuExternalSemaphore_t handle, size_t index,
                                           xpuError_t dead) {
  return live<runtime::Semaphore>(HandleType::semaphore, handle, "external semaphore",
                                  entry("extSemArray", index).c_str(), dead);
}

template <class NodeParams>
Result<graph::ParamsRef> read_node(const NodeParams* user, const char* argument) {
  NodeParams known;
  XPU_TRY(copy_in(known, user, argument));
  auto read = spelled_in(
      read_semaphores(known.extSemArray, known.paramsArray, known.numExtSems, xpuErrorInvalidValue),
      argument,
      {{"extSemArray", "extSemArray"},
       {"paramsArray", "paramsArray"},
       {"numExtSems", "numExtSems"}});
  if (!read.ok()) return read.take_status();
  return read.value().take_params();
}

template <class Struct, class Params>
Struct show(const graph::SemaphoreParams& params, const std::vector<Params>& array) {
  Struct told = {};
  told.struct_size = sizeof told;
  told.numExtSems = static_cast<unsigned int>(params.semaphores().size());
  told.extSemArray = const_cast<xpuExternalSemaphore_t*>(params.semaphores().data());
  told.paramsArray = array.data();
  return told;
}

}  // namespace

template <class Params>
Result<SemaphoreArrays<Params>> read_semaphores(const xpuExternalSemaphore_t* semaphores,
                                                const Params* params, unsigned int count,
                                                xpuError_t dead) {
  if (!count)
    return invalid_value("numExtSems is 0; at least one semaphore is needed", "numExtSems");
  XPU_TRY(require(semaphores, "extSemArray"));
  XPU_TRY(require(params, "paramsArray"));
  std::vector<runtime::Semaphore*> found;
  std::vector<uint64_t> values;
  for (size_t i = 0; i < count; i++) {
    XPU_TRY_ASSIGN(runtime::Semaphore * semaphore, live_semaphore(semaphores[i], i, dead));
    XPU_TRY(check_entry(params[i], i));
    if (!found.empty() && &semaphore->device() != &found[0]->device())
      return invalid_value(
          "the semaphore was imported on device " + std::to_string(semaphore->device().index()) +
              ", those before it on device " + std::to_string(found[0]->device().index()),
          entry("extSemArray", i));
    found.push_back(semaphore);
    values.push_back(params[i].params.fence.value);
  }
  using runtime::SemaphoreUse;
  const auto what = kSignals<Params> ? SemaphoreUse::What::signal : SemaphoreUse::What::wait;
  return SemaphoreArrays<Params>{{semaphores, semaphores + count},
                                 {params, params + count},
                                 std::make_shared<SemaphoreUse>(what, found, values)};
}

template <class Params>
graph::ParamsRef SemaphoreArrays<Params>::take_params() {
  return graph::SemaphoreParams::make(std::move(use), std::move(semaphores), std::move(params));
}

template struct SemaphoreArrays<xpuExternalSemaphoreSignalParams>;
template struct SemaphoreArrays<xpuExternalSemaphoreWaitParams>;
template Result<SemaphoreArrays<xpuExternalSemaphoreSignalParams>> read_semaphores(
    const xpuExternalSemaphore_t*, const xpuExternalSemaphoreSignalParams*, unsigned int,
    xpuError_t);
template Result<SemaphoreArrays<xpuExternalSemaphoreWaitParams>> read_semaphores(
    const xpuExternalSemaphore_t*, const xpuExternalSemaphoreWaitParams*, unsigned int, xpuError_t);

Result<graph::ParamsRef> to_params(const xpuExternalSemaphoreSignalNodeParams* params,
                                   const char* argument) {
  return read_node(params, argument);
}

Result<graph::ParamsRef> to_params(const xpuExternalSemaphoreWaitNodeParams* params,
                                   const char* argument) {
  return read_node(params, argument);
}

xpuExternalSemaphoreSignalNodeParams show_signals(const graph::SemaphoreParams& params) {
  return show<xpuExternalSemaphoreSignalNodeParams>(params, params.signals());
}

xpuExternalSemaphoreWaitNodeParams show_waits(const graph::SemaphoreParams& params) {
  return show<xpuExternalSemaphoreWaitNodeParams>(params, params.awaited());
}

}  // namespace xpu::capi
