// SPDX-License-Identifier: Apache-2.0
// Signals of external semaphores and waits for them; immediate lists alone take them.
#include "cpu/append.h"
#include "cpu/external_semaphore.h"
#include "cpu/strict.h"

namespace xpu::cpu {
namespace {

template <class Params>
std::vector<SemaphorePoint> read_points(Append& append, uint32_t count,
                                        ze_external_semaphore_ext_handle_t* semaphores,
                                        const Params* params) {
  std::vector<SemaphorePoint> points;
  if (!append.ok()) return points;
  if (!append.list().immediate()) {
    append.refuse(misuse(append.function(), ZE_RESULT_ERROR_INVALID_ARGUMENT,
                         Handles::describe(append.list().handle()), " is not an immediate list"));
    return points;
  }
  if (!semaphores || !params) {
    append.refuse(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    return points;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const Semaphore* semaphore = cast<Semaphore>(semaphores[i]);
    if (!semaphore) {
      append.refuse(misuse(append.function(), refused(semaphores[i]), "semaphore ", i, " is ",
                           Handles::describe(semaphores[i])));
      return points;
    }
    points.push_back({semaphore->counter(), params[i].value});
  }
  return points;
}

}  // namespace

ze_result_t zeCommandListAppendSignalExternalSemaphoreExt(
    ze_command_list_handle_t list, uint32_t count, ze_external_semaphore_ext_handle_t* semaphores,
    ze_external_semaphore_signal_params_ext_t* params, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append.commit(op::SignalSemaphores{read_points(append, count, semaphores, params)},
                       kAfterEarlier);
}

ze_result_t zeCommandListAppendWaitExternalSemaphoreExt(
    ze_command_list_handle_t list, uint32_t count, ze_external_semaphore_ext_handle_t* semaphores,
    ze_external_semaphore_wait_params_ext_t* params, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append.commit(op::WaitSemaphores{read_points(append, count, semaphores, params)},
                       kBeforeLater);
}

}  // namespace xpu::cpu
