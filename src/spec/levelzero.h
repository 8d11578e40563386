// SPDX-License-Identifier: Apache-2.0
// Level Zero as this project knows it: the installed headers, plus what specifications 1.5 to 1.17
// added and a header of specification 1.4 lacks.
//
// The newer parts are facts of the ABI (numbers, layouts, signatures) in our own words. Each is
// declared only if the installed headers do not: an extension by its own macro, a core part by
// XPU_ZE_HEADER_MINOR. Function-pointer types carry no guard: C++ lets an identical typedef be
// repeated, so every newer header checks our signatures.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <cstddef>
#include <cstdint>

// The minor version of the installed headers. They say it in a macro only since 1.11; before that
// the extensions that arrived with a version tell it.
#if defined(ZE_API_VERSION_CURRENT_M)
#define XPU_ZE_HEADER_MINOR (ZE_API_VERSION_CURRENT_M & 0xffff)
#elif defined(ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME)
#define XPU_ZE_HEADER_MINOR 9
#elif defined(ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME)
#define XPU_ZE_HEADER_MINOR 8
#elif defined(ZE_RTAS_BUILDER_EXP_NAME)
#define XPU_ZE_HEADER_MINOR 7
#elif defined(ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME)
#define XPU_ZE_HEADER_MINOR 6
#else
#define XPU_ZE_HEADER_MINOR 4
#endif

// clang-format off: tables read better in columns.

// An enumerator that an older header's enumeration lacks.
#define XPU_ZE_VALUE(type, name, value) constexpr type name = static_cast<type>(value)

// -- 1.6: list host synchronisation, kernel timestamps query -------------------------------------
#if XPU_ZE_HEADER_MINOR < 6
XPU_ZE_VALUE(ze_event_pool_flag_t, ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP, 8);
#endif
#ifndef ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME
#define ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME "ZE_extension_event_query_kernel_timestamps"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES, 0x10011);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES, 0x10012);
typedef uint32_t ze_event_query_kernel_timestamps_ext_flags_t;
enum ze_event_query_kernel_timestamps_ext_flag_t : uint32_t {
  ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL = 1,
  ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED = 2,
};
struct ze_event_query_kernel_timestamps_ext_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_event_query_kernel_timestamps_ext_flags_t flags;
};
struct ze_synchronized_timestamp_data_ext_t {
  uint64_t kernelStart;
  uint64_t kernelEnd;
};
struct ze_synchronized_timestamp_result_ext_t {
  ze_synchronized_timestamp_data_ext_t global;
  ze_synchronized_timestamp_data_ext_t context;
};
typedef struct _ze_event_query_kernel_timestamps_results_ext_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_kernel_timestamp_result_t* pKernelTimestampsBuffer;
  ze_synchronized_timestamp_result_ext_t* pSynchronizedTimestampsBuffer;
} ze_event_query_kernel_timestamps_results_ext_properties_t;
#endif

// -- 1.7: in-order lists and queues ---------------------------------------------------------------
#if XPU_ZE_HEADER_MINOR < 7
XPU_ZE_VALUE(ze_command_list_flag_t, ZE_COMMAND_LIST_FLAG_IN_ORDER, 8);
XPU_ZE_VALUE(ze_command_queue_flag_t, ZE_COMMAND_QUEUE_FLAG_IN_ORDER, 2);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXP_ERROR_OPERANDS_INCOMPATIBLE, 0x7ff00004);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXP_RTAS_BUILD_RETRY, 0x7ff00005);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXP_RTAS_BUILD_DEFERRED, 0x7ff00006);
#endif
#if XPU_ZE_HEADER_MINOR < 9
XPU_ZE_VALUE(ze_command_list_flag_t, ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE, 16);
#endif
// 1.14 (queues) and a later 1.15 (lists), under names of our own: the version does not tell them apart.
constexpr uint32_t kZeCommandQueueFlagCopyOffloadHint = 4;
constexpr uint32_t kZeCommandListFlagCopyOffloadHint = 32;

// -- 1.8: counter-based events from a pool --------------------------------------------------------
#ifndef ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME
#define ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME "ZE_experimental_event_pool_counter_based"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC, 0x20014);
typedef uint32_t ze_event_pool_counter_based_exp_flags_t;
enum ze_event_pool_counter_based_exp_flag_t : uint32_t {
  ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE = 1,
  ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE = 2,
};
struct ze_event_pool_counter_based_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_event_pool_counter_based_exp_flags_t flags;
};
#endif

// -- 1.9: closed lists appended to an immediate one, mutable lists --------------------------------
#ifndef ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME
#define ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME "ZE_experimental_immediate_command_list_append"
#endif
#ifndef ZE_MUTABLE_COMMAND_LIST_EXP_NAME
#define ZE_MUTABLE_COMMAND_LIST_EXP_NAME "ZE_experimental_mutable_command_list"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES, 0x20015);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC, 0x20016);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC, 0x20017);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC, 0x20018);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC, 0x20019);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC, 0x2001a);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC, 0x2001b);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC, 0x2001c);
typedef uint32_t ze_mutable_command_exp_flags_t;
typedef enum _ze_mutable_command_exp_flag_t : uint32_t {
  ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS = 1,
  ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_COUNT = 2,
  ZE_MUTABLE_COMMAND_EXP_FLAG_GROUP_SIZE = 4,
  ZE_MUTABLE_COMMAND_EXP_FLAG_GLOBAL_OFFSET = 8,
  ZE_MUTABLE_COMMAND_EXP_FLAG_SIGNAL_EVENT = 16,
  ZE_MUTABLE_COMMAND_EXP_FLAG_WAIT_EVENTS = 32,
} ze_mutable_command_exp_flag_t;
typedef uint32_t ze_mutable_command_list_exp_flags_t;
typedef struct _ze_mutable_command_id_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_mutable_command_exp_flags_t flags;
} ze_mutable_command_id_exp_desc_t;
struct ze_mutable_command_list_exp_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_mutable_command_list_exp_flags_t mutableCommandListFlags;
  ze_mutable_command_exp_flags_t mutableCommandFlags;
};
struct ze_mutable_command_list_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_mutable_command_list_exp_flags_t flags;
};
typedef struct _ze_mutable_commands_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint32_t flags;
} ze_mutable_commands_exp_desc_t;
struct ze_mutable_kernel_argument_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t commandId;
  uint32_t argIndex;
  size_t argSize;
  const void* pArgValue;
};
struct ze_mutable_group_count_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t commandId;
  const ze_group_count_t* pGroupCount;
};
struct ze_mutable_group_size_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t commandId;
  uint32_t groupSizeX, groupSizeY, groupSizeZ;
};
struct ze_mutable_global_offset_exp_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t commandId;
  uint32_t offsetX, offsetY, offsetZ;
};
#endif

// -- 1.11: initialisation by driver type, mutable lists 1.1, physical memory on the host ----------
#if XPU_ZE_HEADER_MINOR < 11
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, 0x20021);
typedef uint32_t ze_init_driver_type_flags_t;
enum ze_init_driver_type_flag_t : uint32_t {
  ZE_INIT_DRIVER_TYPE_FLAG_GPU = 1,
  ZE_INIT_DRIVER_TYPE_FLAG_NPU = 2,
};
typedef struct _ze_init_driver_type_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_init_driver_type_flags_t flags;
} ze_init_driver_type_desc_t;
XPU_ZE_VALUE(ze_mutable_command_exp_flag_t, ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_INSTRUCTION, 64);
XPU_ZE_VALUE(ze_mutable_command_exp_flag_t, ZE_MUTABLE_COMMAND_EXP_FLAG_GRAPH_ARGUMENTS, 128);
constexpr uint32_t ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE = 1;
constexpr uint32_t ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST = 2;
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE, 0x7800001c);
#endif

// -- 1.12: handles that carry their driver's tables, external semaphores --------------------------
#ifndef ZE_DRIVER_DDI_HANDLES_EXT_NAME
#define ZE_DRIVER_DDI_HANDLES_EXT_NAME "ZE_extension_driver_ddi_handles"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES, 0x20027);
typedef uint32_t ze_driver_ddi_handle_ext_flags_t;
constexpr uint32_t ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED = 1;
struct ze_driver_ddi_handles_ext_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  ze_driver_ddi_handle_ext_flags_t flags;
};
#endif

#ifndef ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME
#define ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME "ZE_extension_external_semaphores"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC, 0x20022);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC, 0x20024);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT, 0x20025);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, 0x20026);
typedef struct _ze_external_semaphore_ext_handle_t* ze_external_semaphore_ext_handle_t;
typedef uint32_t ze_external_semaphore_ext_flags_t;
enum ze_external_semaphore_ext_flag_t : uint32_t {
  ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD = 1,
  ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD = 128,
};
typedef struct _ze_external_semaphore_ext_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_external_semaphore_ext_flags_t flags;
} ze_external_semaphore_ext_desc_t;
struct ze_external_semaphore_fd_ext_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  int fd;
};
typedef struct _ze_external_semaphore_signal_params_ext_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t value;
} ze_external_semaphore_signal_params_ext_t;
typedef struct _ze_external_semaphore_wait_params_ext_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t value;
} ze_external_semaphore_wait_params_ext_t;
#endif

// -- 1.13 and 1.14: more results, launches with everything in one call, kernel allocations --------
#if XPU_ZE_HEADER_MINOR < 13
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXT_RTAS_BUILD_RETRY, 0x7800001d);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXT_RTAS_BUILD_DEFERRED, 0x7800001e);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_EXT_ERROR_OPERANDS_INCOMPATIBLE, 0x7800001f);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_SURVIVABILITY_MODE_DETECTED, 0x78000020);
#endif
#if XPU_ZE_HEADER_MINOR < 14
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_ADDRESS_NOT_FOUND, 0x78000021);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, 0x20036);
typedef struct _ze_group_size_t {
  uint32_t groupSizeX, groupSizeY, groupSizeZ;
} ze_group_size_t;
struct ze_command_list_append_launch_kernel_param_cooperative_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_bool_t isCooperative;
};
#endif
#ifndef ZE_GET_KERNEL_ALLOCATION_PROPERTIES_EXP_NAME
#define ZE_GET_KERNEL_ALLOCATION_PROPERTIES_EXP_NAME "ZE_experimental_kernel_allocation_properties"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES, 0x20039);
typedef struct _ze_kernel_allocation_exp_properties_t {
  ze_structure_type_t stype;
  void* pNext;
  uint64_t base;
  size_t size;
  ze_memory_type_t type;
  uint32_t argIndex;
} ze_kernel_allocation_exp_properties_t;
#endif

// -- 1.15: counter-based events without a pool ----------------------------------------------------
#if XPU_ZE_HEADER_MINOR < 15
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, 0x2003a);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC, 0x2003b);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_SYNC_MODE_DESC, 0x2003c);
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC, 0x2003f);
typedef uint32_t ze_event_counter_based_flags_t;
enum ze_event_counter_based_flag_t : uint32_t {
  ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE = 1,
  ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE = 2,
  ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE = 4,
  ZE_EVENT_COUNTER_BASED_FLAG_IPC = 8,
  ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP = 16,
  ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP = 32,
};
typedef struct _ze_event_counter_based_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_event_counter_based_flags_t flags;
  ze_event_scope_flags_t signal;
  ze_event_scope_flags_t wait;
} ze_event_counter_based_desc_t;
typedef uint32_t ze_event_sync_mode_flags_t;
enum ze_event_sync_mode_flag_t : uint32_t {
  ZE_EVENT_SYNC_MODE_FLAG_LOW_POWER_WAIT = 1,
  ZE_EVENT_SYNC_MODE_FLAG_SIGNAL_INTERRUPT = 2,
  ZE_EVENT_SYNC_MODE_FLAG_EXTERNAL_INTERRUPT_WAIT = 4,
};
struct ze_event_sync_mode_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_event_sync_mode_flags_t syncModeFlags;
  uint32_t externalInterruptId;
};
struct ze_event_counter_based_external_sync_allocation_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t* deviceAddress;
  uint64_t* hostAddress;
  uint64_t completionValue;
};
struct ze_event_counter_based_external_aggregate_storage_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  uint64_t* deviceAddress;
  uint64_t incrementValue;
  uint64_t completionValue;
};
#endif

// -- 1.17: host functions, relaxed limits as an extension, questions answered by a result ---------
#if XPU_ZE_HEADER_MINOR < 17
typedef void (*ze_host_function_callback_t)(void* pUserData);
constexpr uint32_t ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL = 64;
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_QUERY_TRUE, 0x78000022);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_QUERY_FALSE, 0x78000023);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_INVALID_GRAPH, 0x78000024);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED, 0x78000025);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED, 0x78000026);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT, 0x78000027);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING, 0x78000028);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS, 0x78000029);
XPU_ZE_VALUE(ze_result_t, ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT, 0x7800002a);
#endif
#ifndef ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME
#define ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME "ZE_extension_relaxed_allocation_limits"
XPU_ZE_VALUE(ze_structure_type_t, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXT_DESC, 0x10016);
typedef uint32_t ze_relaxed_allocation_limits_ext_flags_t;
constexpr uint32_t ZE_RELAXED_ALLOCATION_LIMITS_EXT_FLAG_MAX_SIZE = 1;
struct ze_relaxed_allocation_limits_ext_desc_t {
  ze_structure_type_t stype;
  const void* pNext;
  ze_relaxed_allocation_limits_ext_flags_t flags;
};
#endif

// Accepted by Intel's driver and never in a public header: OpenCL C source.
constexpr ze_module_format_t kZeModuleFormatOpenclC = static_cast<ze_module_format_t>(3);

// Intel's own, by zeDriverGetExtensionFunctionAddress, in a header that it does not install: waits
// for values in memory.
constexpr uint32_t ZE_WAIT_ON_MEMORY_EQUAL = 1;
constexpr uint32_t ZE_WAIT_ON_MEMORY_GREATER_OR_EQUAL = 8;
constexpr uint32_t ZE_WAIT_ON_MEMORY_LESS_OR_EQUAL = 32;  // the last of six
constexpr uint32_t ZE_MEMORY_SCOPE_HOST = 4;
struct ze_wait_on_memory_desc_t {
  uint32_t action;
  uint32_t scope;
};
typedef ze_result_t (ZE_APICALL *ze_pfnxCommandListAppendWaitOnMemory_t)(ze_command_list_handle_t, const ze_wait_on_memory_desc_t*, void*, uint32_t, ze_event_handle_t);
typedef ze_result_t (ZE_APICALL *ze_pfnxCommandListAppendWaitOnMemory64_t)(ze_command_list_handle_t, const ze_wait_on_memory_desc_t*, void*, uint64_t, ze_event_handle_t);

// Our CPU driver's own, by zeDriverGetExtensionFunctionAddress: what a kernel's parameter is (a value
// of base/signature.h's ParameterKind) and its size in bytes.
typedef ze_result_t (ZE_APICALL *ze_pfnCpuKernelGetParameter_t)(ze_kernel_handle_t, uint32_t index, uint32_t* kind, uint32_t* size);

#undef XPU_ZE_VALUE

#include "spec/levelzero_functions.h"
#include "spec/levelzero_tables.h"
// clang-format on
