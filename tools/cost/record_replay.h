// SPDX-License-Identifier: Apache-2.0
// The driver's own graphs, ZE_extension_record_replay_graph of specification 1.17, by name.
//
// The handles have types of our own: they are only passed on, and installed headers may or may not
// declare them.
#pragma once

#include "ze/driver.h"

namespace cost {

struct DriverGraph;
struct DriverExecutable;

// Members are named like the functions, without the "ze".
struct RecordReplay {
  ze_result_t(ZE_APICALL* CommandListBeginGraphCaptureExt)(ze_command_list_handle_t,
                                                           const void*) = nullptr;
  ze_result_t(ZE_APICALL* CommandListEndGraphCaptureExt)(ze_command_list_handle_t, const void*,
                                                         DriverGraph**) = nullptr;
  ze_result_t(ZE_APICALL* GraphInstantiateExt)(DriverGraph*, const void*,
                                               DriverExecutable**) = nullptr;
  ze_result_t(ZE_APICALL* CommandListAppendGraphExt)(ze_command_list_handle_t, DriverExecutable*,
                                                     const void*, ze_event_handle_t, uint32_t,
                                                     ze_event_handle_t*) = nullptr;
  ze_result_t(ZE_APICALL* ExecutableGraphDestroyExt)(DriverExecutable*) = nullptr;
  ze_result_t(ZE_APICALL* GraphDestroyExt)(DriverGraph*) = nullptr;

  // The first name that the driver does not have; empty if all are there.
  std::string missing;

  explicit RecordReplay(const xpu::ze::Driver& driver);
};

}  // namespace cost
