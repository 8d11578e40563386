// SPDX-License-Identifier: Apache-2.0
// Pointer types of the Level Zero functions that came after specification 1.4.
// Included by levelzero.h only. No guards: a newer header repeats these typedefs and so checks them.
#pragma once

// clang-format off: one function, one line.
typedef ze_result_t (ZE_APICALL *ze_pfnDriverGetLastErrorDescription_t)(ze_driver_handle_t, const char**);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListHostSynchronize_t)(ze_command_list_handle_t, uint64_t);
typedef ze_result_t (ZE_APICALL *ze_pfnEventQueryKernelTimestampsExt_t)(ze_event_handle_t, ze_device_handle_t, uint32_t*, ze_event_query_kernel_timestamps_results_ext_properties_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnDeviceGetRootDevice_t)(ze_device_handle_t, ze_device_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandQueueGetOrdinal_t)(ze_command_queue_handle_t, uint32_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandQueueGetIndex_t)(ze_command_queue_handle_t, uint32_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetDeviceHandle_t)(ze_command_list_handle_t, ze_device_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetContextHandle_t)(ze_command_list_handle_t, ze_context_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetOrdinal_t)(ze_command_list_handle_t, uint32_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateGetIndex_t)(ze_command_list_handle_t, uint32_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListIsImmediate_t)(ze_command_list_handle_t, ze_bool_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateAppendCommandListsExp_t)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetNextCommandIdExp_t)(ze_command_list_handle_t, const ze_mutable_command_id_exp_desc_t*, uint64_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListUpdateMutableCommandsExp_t)(ze_command_list_handle_t, const ze_mutable_commands_exp_desc_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListUpdateMutableCommandSignalEventExp_t)(ze_command_list_handle_t, uint64_t, ze_event_handle_t);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListUpdateMutableCommandWaitEventsExp_t)(ze_command_list_handle_t, uint64_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventPoolGetContextHandle_t)(ze_event_pool_handle_t, ze_context_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventPoolGetFlags_t)(ze_event_pool_handle_t, ze_event_pool_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventGetEventPool_t)(ze_event_handle_t, ze_event_pool_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventGetSignalScope_t)(ze_event_handle_t, ze_event_scope_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventGetWaitScope_t)(ze_event_handle_t, ze_event_scope_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnInitDrivers_t)(uint32_t*, ze_driver_handle_t*, ze_init_driver_type_desc_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetNextCommandIdWithKernelsExp_t)(ze_command_list_handle_t, const ze_mutable_command_id_exp_desc_t*, uint32_t, ze_kernel_handle_t*, uint64_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListUpdateMutableCommandKernelsExp_t)(ze_command_list_handle_t, uint32_t, uint64_t*, ze_kernel_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnKernelGetBinaryExp_t)(ze_kernel_handle_t, size_t*, uint8_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnDeviceImportExternalSemaphoreExt_t)(ze_device_handle_t, const ze_external_semaphore_ext_desc_t*, ze_external_semaphore_ext_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnDeviceReleaseExternalSemaphoreExt_t)(ze_external_semaphore_ext_handle_t);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendSignalExternalSemaphoreExt_t)(ze_command_list_handle_t, uint32_t, ze_external_semaphore_ext_handle_t*, ze_external_semaphore_signal_params_ext_t*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendWaitExternalSemaphoreExt_t)(ze_command_list_handle_t, uint32_t, ze_external_semaphore_ext_handle_t*, ze_external_semaphore_wait_params_ext_t*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_context_handle_t (ZE_APICALL *ze_pfnDriverGetDefaultContext_t)(ze_driver_handle_t);
typedef ze_result_t (ZE_APICALL *ze_pfnDeviceSynchronize_t)(ze_device_handle_t);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendLaunchKernelWithParameters_t)(ze_command_list_handle_t, ze_kernel_handle_t, const ze_group_count_t*, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendLaunchKernelWithArguments_t)(ze_command_list_handle_t, ze_kernel_handle_t, const ze_group_count_t, const ze_group_size_t, void**, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnKernelGetAllocationPropertiesExp_t)(ze_kernel_handle_t, uint32_t*, ze_kernel_allocation_exp_properties_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventCounterBasedCreate_t)(ze_context_handle_t, ze_device_handle_t, const ze_event_counter_based_desc_t*, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventCounterBasedGetDeviceAddress_t)(ze_event_handle_t, uint64_t*, uint64_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendMemoryCopyWithParameters_t)(ze_command_list_handle_t, void*, const void*, size_t, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendMemoryFillWithParameters_t)(ze_command_list_handle_t, void*, const void*, size_t, size_t, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateAppendCommandListsWithParameters_t)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t*, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnDeviceGetCounterBasedEventMaxValue_t)(ze_device_handle_t, uint64_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandQueueGetFlags_t)(ze_command_queue_handle_t, ze_command_queue_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandQueueGetMode_t)(ze_command_queue_handle_t, ze_command_queue_mode_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandQueueGetPriority_t)(ze_command_queue_handle_t, ze_command_queue_priority_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListGetFlags_t)(ze_command_list_handle_t, ze_command_list_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateGetFlags_t)(ze_command_list_handle_t, ze_command_queue_flags_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateGetMode_t)(ze_command_list_handle_t, ze_command_queue_mode_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListImmediateGetPriority_t)(ze_command_list_handle_t, ze_command_queue_priority_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListAppendHostFunction_t)(ze_command_list_handle_t, ze_host_function_callback_t, void*, const void*, ze_event_handle_t, uint32_t, ze_event_handle_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnCommandListIsMutableExp_t)(ze_command_list_handle_t, ze_bool_t*);
typedef ze_result_t (ZE_APICALL *ze_pfnEventGetCounterBasedFlags_t)(ze_event_handle_t, ze_event_counter_based_flags_t*);
// clang-format on
