// SPDX-License-Identifier: Apache-2.0
// The function table: where entries stand, how it is filled, what is refused.
#include <cstddef>
#include <cstring>
#include <string>

#include "ze/table.h"

#include "xpu_test.h"  // last: cmocka has a macro named fail

namespace {

using xpu::ze::Symbols;
using xpu::ze::Table;

size_t slot_of(const char* function) {
#define FUNCTION(group, name, slot, minor, need) \
  if (!std::strcmp(function, #name)) return slot;
#include "ze/functions.inc"
#undef FUNCTION
  return SIZE_MAX;
}

// The installed header's own tables say where an entry of specification 1.4 stands.
struct Expected {
  const char* function;
  size_t slot;
};
#define ROW(table, member, function) \
  { #function, offsetof(table, member) / sizeof(void*) }
constexpr Expected kExpected[] = {
    // clang-format off
    ROW(ze_global_dditable_t, pfnInit, Init),
    ROW(ze_driver_dditable_t, pfnGet, DriverGet),
    ROW(ze_driver_dditable_t, pfnGetApiVersion, DriverGetApiVersion),
    ROW(ze_driver_dditable_t, pfnGetProperties, DriverGetProperties),
    ROW(ze_driver_dditable_t, pfnGetExtensionProperties, DriverGetExtensionProperties),
    ROW(ze_driver_dditable_t, pfnGetExtensionFunctionAddress, DriverGetExtensionFunctionAddress),
    ROW(ze_device_dditable_t, pfnGet, DeviceGet),
    ROW(ze_device_dditable_t, pfnGetProperties, DeviceGetProperties),
    ROW(ze_device_dditable_t, pfnGetComputeProperties, DeviceGetComputeProperties),
    ROW(ze_device_dditable_t, pfnGetModuleProperties, DeviceGetModuleProperties),
    ROW(ze_device_dditable_t, pfnGetCommandQueueGroupProperties, DeviceGetCommandQueueGroupProperties),
    ROW(ze_device_dditable_t, pfnGetMemoryProperties, DeviceGetMemoryProperties),
    ROW(ze_device_dditable_t, pfnGetMemoryAccessProperties, DeviceGetMemoryAccessProperties),
    ROW(ze_device_dditable_t, pfnCanAccessPeer, DeviceCanAccessPeer),
    ROW(ze_context_dditable_t, pfnCreate, ContextCreate),
    ROW(ze_context_dditable_t, pfnDestroy, ContextDestroy),
    ROW(ze_command_queue_dditable_t, pfnCreate, CommandQueueCreate),
    ROW(ze_command_queue_dditable_t, pfnDestroy, CommandQueueDestroy),
    ROW(ze_command_queue_dditable_t, pfnExecuteCommandLists, CommandQueueExecuteCommandLists),
    ROW(ze_command_list_dditable_t, pfnCreate, CommandListCreate),
    ROW(ze_command_list_dditable_t, pfnCreateImmediate, CommandListCreateImmediate),
    ROW(ze_command_list_dditable_t, pfnDestroy, CommandListDestroy),
    ROW(ze_command_list_dditable_t, pfnClose, CommandListClose),
    ROW(ze_command_list_dditable_t, pfnReset, CommandListReset),
    ROW(ze_command_list_dditable_t, pfnAppendWriteGlobalTimestamp, CommandListAppendWriteGlobalTimestamp),
    ROW(ze_command_list_dditable_t, pfnAppendBarrier, CommandListAppendBarrier),
    ROW(ze_command_list_dditable_t, pfnAppendMemoryCopy, CommandListAppendMemoryCopy),
    ROW(ze_command_list_dditable_t, pfnAppendMemoryFill, CommandListAppendMemoryFill),
    ROW(ze_command_list_dditable_t, pfnAppendMemoryCopyRegion, CommandListAppendMemoryCopyRegion),
    ROW(ze_command_list_dditable_t, pfnAppendSignalEvent, CommandListAppendSignalEvent),
    ROW(ze_command_list_dditable_t, pfnAppendWaitOnEvents, CommandListAppendWaitOnEvents),
    ROW(ze_command_list_dditable_t, pfnAppendLaunchKernel, CommandListAppendLaunchKernel),
    ROW(ze_mem_dditable_t, pfnAllocShared, MemAllocShared),
    ROW(ze_mem_dditable_t, pfnAllocDevice, MemAllocDevice),
    ROW(ze_mem_dditable_t, pfnAllocHost, MemAllocHost),
    ROW(ze_mem_dditable_t, pfnFree, MemFree),
    ROW(ze_mem_dditable_t, pfnGetAllocProperties, MemGetAllocProperties),
    ROW(ze_mem_dditable_t, pfnGetAddressRange, MemGetAddressRange),
    ROW(ze_virtual_mem_dditable_t, pfnReserve, VirtualMemReserve),
    ROW(ze_virtual_mem_dditable_t, pfnFree, VirtualMemFree),
    ROW(ze_virtual_mem_dditable_t, pfnQueryPageSize, VirtualMemQueryPageSize),
    ROW(ze_virtual_mem_dditable_t, pfnMap, VirtualMemMap),
    ROW(ze_virtual_mem_dditable_t, pfnUnmap, VirtualMemUnmap),
    ROW(ze_physical_mem_dditable_t, pfnCreate, PhysicalMemCreate),
    ROW(ze_physical_mem_dditable_t, pfnDestroy, PhysicalMemDestroy),
    ROW(ze_event_pool_dditable_t, pfnCreate, EventPoolCreate),
    ROW(ze_event_pool_dditable_t, pfnDestroy, EventPoolDestroy),
    ROW(ze_event_dditable_t, pfnCreate, EventCreate),
    ROW(ze_event_dditable_t, pfnDestroy, EventDestroy),
    ROW(ze_event_dditable_t, pfnHostSignal, EventHostSignal),
    ROW(ze_event_dditable_t, pfnHostSynchronize, EventHostSynchronize),
    ROW(ze_event_dditable_t, pfnQueryStatus, EventQueryStatus),
    ROW(ze_event_dditable_t, pfnHostReset, EventHostReset),
    ROW(ze_module_dditable_t, pfnCreate, ModuleCreate),
    ROW(ze_module_dditable_t, pfnDestroy, ModuleDestroy),
    ROW(ze_module_dditable_t, pfnGetNativeBinary, ModuleGetNativeBinary),
    ROW(ze_module_build_log_dditable_t, pfnDestroy, ModuleBuildLogDestroy),
    ROW(ze_module_build_log_dditable_t, pfnGetString, ModuleBuildLogGetString),
    ROW(ze_kernel_dditable_t, pfnCreate, KernelCreate),
    ROW(ze_kernel_dditable_t, pfnDestroy, KernelDestroy),
    ROW(ze_kernel_dditable_t, pfnSetGroupSize, KernelSetGroupSize),
    ROW(ze_kernel_dditable_t, pfnSetArgumentValue, KernelSetArgumentValue),
    ROW(ze_kernel_dditable_t, pfnGetProperties, KernelGetProperties),
    // clang-format on
};

void slots_are_where_the_header_has_them(void**) {
  for (const Expected& e : kExpected) assert_int_equal(slot_of(e.function), e.slot);
}

// A library of symbols that are addresses of nothing: only pointers are compared.
struct Library {
  const char* without = "";
  static void* find(void* self, const char* name) {
    const auto* library = static_cast<const Library*>(self);
    if (!std::strcmp(name, library->without)) return nullptr;
    static char somewhere[1];
    return somewhere;
  }
};

int loader_refusal_names(const char* lacking) {
  Library library{lacking};
  auto table = xpu::ze::table_of_loader({Library::find, &library});
  return !table.ok() && table.status().code() == xpuErrorInsufficientDriver &&
         table.status().sentence().find(lacking) != std::string::npos;
}

void a_loader_without_a_function_is_refused_by_its_name(void**) {
  assert_true(loader_refusal_names("zeContextCreate"));
  assert_true(loader_refusal_names("zeEventHostReset"));
}

int loader_without_newer_ones_is_taken() {
  Library library{"zeCommandListHostSynchronize"};
  auto table = xpu::ze::table_of_loader({Library::find, &library});
  return table.ok() && !table.value().CommandListHostSynchronize &&
         table.value().CommandListClose && table.value().InitDrivers;
}

void a_loader_without_a_newer_function_is_taken(void**) {
  assert_true(loader_without_newer_ones_is_taken());
}

// A driver of specification 1.`newest`, which refuses what is newer. It writes all slots of a
// table, as a loader of 1.12 asked for an older version did.
uint32_t newest = 17, times_asked = 0;
ze_result_t ZE_APICALL get_table(ze_api_version_t version, void* table) {
  times_asked++;
  if ((static_cast<uint32_t>(version) & 0xffff) > newest)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  auto** slots = static_cast<void**>(table);
  for (size_t i = 0; i < 64; i++) slots[i] = reinterpret_cast<void*>(0x1000 + i * 8);
  return ZE_RESULT_SUCCESS;
}
void* find_getter(void*, const char* name) {
  if (!std::strcmp(name, "zeGetCommandListExpProcAddrTable")) return nullptr;
  const size_t length = std::strlen(name);
  return length > 13 && !std::strcmp(name + length - 13, "ProcAddrTable")
             ? reinterpret_cast<void*>(&get_table)
             : nullptr;
}

struct FromDriver {
  bool ok;
  const void* close;
  const void* last;
  const void* optional;
};
FromDriver table_of(uint32_t version) {
  newest = version;
  auto table = xpu::ze::table_of_driver({find_getter, nullptr});
  if (!table.ok()) return {false, nullptr, nullptr, nullptr};
  const Table& t = table.value();
  return {true, reinterpret_cast<const void*>(t.CommandListClose),
          reinterpret_cast<const void*>(t.CommandListAppendHostFunction),
          reinterpret_cast<const void*>(t.CommandListImmediateAppendCommandListsExp)};
}

void a_drivers_tables_are_read_by_slot(void**) {
  const FromDriver table = table_of(17);

  assert_true(table.ok);
  assert_ptr_equal(table.close, 0x1000 + 3 * 8);
  assert_ptr_equal(table.last, 0x1000 + 51 * 8);
  assert_null(table.optional);
}

void an_older_driver_is_asked_for_what_it_knows(void**) {
  const FromDriver table = table_of(4);

  assert_true(table.ok);
  assert_true(times_asked > 13);
}

int a_library_without_getters_is_refused() {
  auto none = [](void*, const char*) -> void* { return nullptr; };
  auto table = xpu::ze::table_of_driver({none, nullptr});
  return !table.ok() && table.status().sentence().find("zeInit") != std::string::npos;
}

void a_library_that_is_no_driver_is_refused(void**) {
  assert_true(a_library_without_getters_is_refused());
}

ze_result_t ZE_APICALL address_of(ze_driver_handle_t, const char* name, void** address) {
  if (std::strcmp(name, "zeCommandListHostSynchronize") != 0)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *address = reinterpret_cast<void*>(0x7000);
  return ZE_RESULT_SUCCESS;
}

void addresses_from_the_driver_fill_only_what_is_missing(void**) {
  Table table;
  table.DriverGetExtensionFunctionAddress = &address_of;

  xpu::ze::add_extension_functions(table, nullptr);
  const void* filled = reinterpret_cast<const void*>(table.CommandListHostSynchronize);
  const bool other = table.CommandListAppendHostFunction != nullptr;
  const bool known = xpu::ze::driver_has(table, nullptr, 4, "zeCommandListHostSynchronize", 6);
  const bool unknown = xpu::ze::driver_has(table, nullptr, 4, "zeInitDrivers", 11);
  const bool by_version = xpu::ze::driver_has(table, nullptr, 12, "zeInitDrivers", 11);

  assert_ptr_equal(filled, 0x7000);
  assert_false(other);
  assert_true(known);
  assert_false(unknown);
  assert_true(by_version);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(slots_are_where_the_header_has_them),
      cmocka_unit_test(a_loader_without_a_function_is_refused_by_its_name),
      cmocka_unit_test(a_loader_without_a_newer_function_is_taken),
      cmocka_unit_test(a_drivers_tables_are_read_by_slot),
      cmocka_unit_test(an_older_driver_is_asked_for_what_it_knows),
      cmocka_unit_test(a_library_that_is_no_driver_is_refused),
      cmocka_unit_test(addresses_from_the_driver_fill_only_what_is_missing),
  };
  return XPU_RUN_TESTS(tests);
}
