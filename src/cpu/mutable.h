// SPDX-License-Identifier: Apache-2.0
// Mutable command lists (ZE_experimental_mutable_command_list 1.1): commands that were given an id
// may be changed after the list was closed; it must be closed again afterwards.
#pragma once

#include "spec/levelzero.h"

#include <cstdint>

#include "cpu/list.h"

namespace xpu::cpu {

// May this instruction be the command the id was given out for?
ze_result_t check_mutable(const Instruction& instruction, const MutableCommand& command);
// Is every command complete again, so that the list may be closed?
ze_result_t check_updated(const char* function, List& list);

ze_result_t zeCommandListIsMutableExp(ze_command_list_handle_t, ze_bool_t*);
ze_result_t zeCommandListGetNextCommandIdExp(ze_command_list_handle_t,
                                             const ze_mutable_command_id_exp_desc_t*, uint64_t*);
ze_result_t zeCommandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t,
                                                        const ze_mutable_command_id_exp_desc_t*,
                                                        uint32_t, ze_kernel_handle_t*, uint64_t*);
ze_result_t zeCommandListUpdateMutableCommandsExp(ze_command_list_handle_t,
                                                  const ze_mutable_commands_exp_desc_t*);
ze_result_t zeCommandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t, uint64_t,
                                                            ze_event_handle_t);
ze_result_t zeCommandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t, uint64_t,
                                                           uint32_t, ze_event_handle_t*);
ze_result_t zeCommandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t, uint32_t,
                                                        uint64_t*, ze_kernel_handle_t*);

}  // namespace xpu::cpu
