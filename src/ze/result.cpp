// SPDX-License-Identifier: Apache-2.0
// The table of Level Zero results.
#include "ze/result.h"

#include <cstdio>

namespace xpu::ze {
namespace {

struct Row {
  ze_result_t result;
  const char* name;
  xpuError_t error;
};

#define ROW(name, error) \
  { ZE_RESULT_##name, "ZE_RESULT_" #name, xpuError##error }
constexpr Row kRows[] = {
    {ZE_RESULT_SUCCESS, "ZE_RESULT_SUCCESS", xpuSuccess},
    ROW(NOT_READY, NotReady),
    ROW(ERROR_DEVICE_LOST, LaunchFailure),
    ROW(ERROR_OUT_OF_HOST_MEMORY, MemoryAllocation),
    ROW(ERROR_OUT_OF_DEVICE_MEMORY, MemoryAllocation),
    ROW(ERROR_MODULE_BUILD_FAILURE, InvalidKernelImage),
    ROW(ERROR_MODULE_LINK_FAILURE, InvalidKernelImage),
    ROW(ERROR_DEVICE_REQUIRES_RESET, DevicesUnavailable),
    ROW(ERROR_DEVICE_IN_LOW_POWER_STATE, SystemNotReady),
    ROW(EXP_ERROR_DEVICE_IS_NOT_VERTEX, InvalidValue),
    ROW(EXP_ERROR_VERTEX_IS_NOT_DEVICE, InvalidValue),
    ROW(EXP_ERROR_REMOTE_DEVICE, InvalidDevice),
    ROW(EXP_ERROR_OPERANDS_INCOMPATIBLE, InvalidValue),
    ROW(EXP_RTAS_BUILD_RETRY, NotReady),
    ROW(EXP_RTAS_BUILD_DEFERRED, NotReady),
    ROW(ERROR_INSUFFICIENT_PERMISSIONS, NotPermitted),
    ROW(ERROR_NOT_AVAILABLE, DevicesUnavailable),
    ROW(ERROR_DEPENDENCY_UNAVAILABLE, SystemNotReady),
    ROW(WARNING_DROPPED_DATA, Unknown),
    ROW(ERROR_UNINITIALIZED, InitializationError),
    ROW(ERROR_UNSUPPORTED_VERSION, InsufficientDriver),
    ROW(ERROR_UNSUPPORTED_FEATURE, NotSupported),
    ROW(ERROR_INVALID_ARGUMENT, InvalidValue),
    ROW(ERROR_INVALID_NULL_HANDLE, InvalidResourceHandle),
    ROW(ERROR_HANDLE_OBJECT_IN_USE, IllegalState),
    ROW(ERROR_INVALID_NULL_POINTER, InvalidValue),
    ROW(ERROR_INVALID_SIZE, InvalidValue),
    ROW(ERROR_UNSUPPORTED_SIZE, InvalidValue),
    ROW(ERROR_UNSUPPORTED_ALIGNMENT, InvalidValue),
    ROW(ERROR_INVALID_SYNCHRONIZATION_OBJECT, InvalidResourceHandle),
    ROW(ERROR_INVALID_ENUMERATION, InvalidValue),
    ROW(ERROR_UNSUPPORTED_ENUMERATION, NotSupported),
    ROW(ERROR_UNSUPPORTED_IMAGE_FORMAT, NotSupported),
    ROW(ERROR_INVALID_NATIVE_BINARY, NoKernelImageForDevice),
    ROW(ERROR_INVALID_GLOBAL_NAME, InvalidSymbol),
    ROW(ERROR_INVALID_KERNEL_NAME, SymbolNotFound),
    ROW(ERROR_INVALID_FUNCTION_NAME, SymbolNotFound),
    ROW(ERROR_INVALID_GROUP_SIZE_DIMENSION, InvalidConfiguration),
    ROW(ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, InvalidConfiguration),
    ROW(ERROR_INVALID_KERNEL_ARGUMENT_INDEX, InvalidValue),
    ROW(ERROR_INVALID_KERNEL_ARGUMENT_SIZE, InvalidValue),
    ROW(ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE, InvalidValue),
    ROW(ERROR_INVALID_MODULE_UNLINKED, InvalidKernelImage),
    ROW(ERROR_INVALID_COMMAND_LIST_TYPE, InvalidResourceHandle),
    ROW(ERROR_OVERLAPPING_REGIONS, InvalidValue),
    ROW(WARNING_ACTION_REQUIRED, Unknown),
    ROW(ERROR_INVALID_KERNEL_HANDLE, InvalidResourceHandle),
    ROW(EXT_RTAS_BUILD_RETRY, NotReady),
    ROW(EXT_RTAS_BUILD_DEFERRED, NotReady),
    ROW(EXT_ERROR_OPERANDS_INCOMPATIBLE, InvalidValue),
    ROW(ERROR_SURVIVABILITY_MODE_DETECTED, SystemNotReady),
    ROW(ERROR_ADDRESS_NOT_FOUND, InvalidValue),
    ROW(QUERY_TRUE, Unknown),
    ROW(QUERY_FALSE, Unknown),
    ROW(ERROR_INVALID_GRAPH, InvalidResourceHandle),
    ROW(ERROR_GRAPH_CAPTURE_UNSUPPORTED, StreamCaptureUnsupported),
    ROW(ERROR_GRAPH_CAPTURE_INVALIDATED, StreamCaptureInvalidated),
    ROW(ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT, StreamCaptureMerge),
    ROW(ERROR_COMMAND_LIST_NOT_CAPTURING, IllegalState),
    ROW(ERROR_GRAPH_UNJOINED_FORKS, StreamCaptureUnjoined),
    ROW(ERROR_GRAPH_INTERNAL_EVENT, StreamCaptureIsolation),
    ROW(ERROR_UNKNOWN, Unknown),
};
#undef ROW

const Row* find(ze_result_t result) noexcept {
  for (const Row& row : kRows) {
    if (row.result == result) return &row;
  }
  return nullptr;
}

}  // namespace

const char* result_name(ze_result_t result) noexcept {
  const Row* row = find(result);
  return row ? row->name : "an unknown ze_result_t";
}

xpuError_t error_of(ze_result_t result) noexcept {
  const Row* row = find(result);
  return row ? row->error : xpuErrorUnknown;
}

Status failure(ze_result_t result, const char* function) {
  char text[160];
  std::snprintf(text, sizeof text, "%s answered %s (0x%x)", function, result_name(result),
                static_cast<unsigned>(result));
  return Status::error(error_of(result), text, {}, static_cast<uint32_t>(result));
}

}  // namespace xpu::ze
