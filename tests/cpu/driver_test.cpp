// SPDX-License-Identifier: Apache-2.0
// The driver's door: tables, versions, extensions, functions by name.
#include "xpu_test.h"
#include "ze_direct.h"

#include <string.h>

namespace {

ze_api_version_t spec(uint32_t minor) {
  return static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, minor));
}

// The 46 tables without which loaders 1.8 and 1.20 refuse a driver.
const char* const kMandatory[] = {"zeGetGlobal",
                                  "zeGetDriver",
                                  "zeGetDevice",
                                  "zeGetContext",
                                  "zeGetCommandQueue",
                                  "zeGetCommandList",
                                  "zeGetImage",
                                  "zeGetMem",
                                  "zeGetFence",
                                  "zeGetEventPool",
                                  "zeGetEvent",
                                  "zeGetModule",
                                  "zeGetModuleBuildLog",
                                  "zeGetKernel",
                                  "zeGetSampler",
                                  "zeGetPhysicalMem",
                                  "zeGetVirtualMem",
                                  "zetGetDevice",
                                  "zetGetContext",
                                  "zetGetCommandList",
                                  "zetGetModule",
                                  "zetGetKernel",
                                  "zetGetMetric",
                                  "zetGetMetricGroup",
                                  "zetGetMetricStreamer",
                                  "zetGetMetricQueryPool",
                                  "zetGetMetricQuery",
                                  "zetGetTracerExp",
                                  "zetGetDebug",
                                  "zesGetDevice",
                                  "zesGetDriver",
                                  "zesGetScheduler",
                                  "zesGetPerformanceFactor",
                                  "zesGetPower",
                                  "zesGetFrequency",
                                  "zesGetEngine",
                                  "zesGetStandby",
                                  "zesGetFirmware",
                                  "zesGetMemory",
                                  "zesGetFabricPort",
                                  "zesGetTemperature",
                                  "zesGetPsu",
                                  "zesGetFan",
                                  "zesGetLed",
                                  "zesGetRas",
                                  "zesGetDiagnostics"};

void every_table_that_old_loaders_need_is_there_and_without_holes(void**) {
  for (const char* name : kMandatory) {
    void* table[128] = {};
    char getter[64];
    snprintf(getter, sizeof getter, "%sProcAddrTable", name);

    assert_int_equal(ze_table(getter, spec(4), table), ZE_RESULT_SUCCESS);

    assert_non_null(table[0]);
    size_t end = 128;
    while (end > 0 && !table[end - 1]) --end;
    for (size_t i = 0; i < end; ++i) assert_non_null(table[i]);
  }
  assert_int_equal(sizeof kMandatory / sizeof *kMandatory, 46);
}

void a_table_is_not_written_past_what_the_loader_knows(void**) {
  void* table[128];
  memset(table, 0x5a, sizeof table);

  assert_int_equal(ze_table("zeGetCommandListProcAddrTable", spec(4), table), ZE_RESULT_SUCCESS);

  const size_t known = sizeof(ze_command_list_dditable_t) / sizeof(void*);
  // 28 entries in the tables of 1.4; newer headers have more.
  assert_true(known >= 28);
  const auto* bytes = reinterpret_cast<const unsigned char*>(table);
  for (size_t i = 28 * sizeof(void*); i < sizeof table; ++i) assert_int_equal(bytes[i], 0x5a);
}

void newer_versions_get_more_entries_and_other_majors_none(void**) {
  void* at_6[128] = {};
  void* at_17[128] = {};
  void* at_99[128] = {};
  assert_int_equal(ze_table("zeGetCommandListProcAddrTable", spec(6), at_6), 0);
  assert_int_equal(ze_table("zeGetCommandListProcAddrTable", spec(17), at_17), 0);
  assert_int_equal(ze_table("zeGetCommandListProcAddrTable", spec(99), at_99), 0);

  assert_non_null(at_6[28]);
  assert_null(at_6[29]);
  assert_non_null(at_17[51]);
  assert_memory_equal(at_17, at_99, sizeof at_17);
  assert_int_equal(ze_table("zeGetCommandListProcAddrTable",
                            static_cast<ze_api_version_t>(ZE_MAKE_VERSION(2, 0)), at_6),
                   ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
  assert_int_equal(ze_table<void*>("zeGetCommandListProcAddrTable", spec(4), nullptr),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

void an_unsupported_function_answers_instead_of_crashing(void**) {
  ze_image_dditable_t image{};
  void* power[32] = {};
  assert_int_equal(ze_table("zeGetImageProcAddrTable", spec(3), &image), 0);
  assert_int_equal(ze_table("zesGetPowerProcAddrTable", spec(4), power), 0);

  assert_int_equal(image.pfnDestroy(nullptr), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  assert_int_equal(reinterpret_cast<ze_result_t (*)(void*)>(power[0])(nullptr),
                   ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

void initialisation_takes_gpu_flags_and_refuses_others(void**) {
  const auto init = ZE(Init);
  const auto init_drivers = ZE(InitDrivers);
  ze_init_driver_type_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC;
  uint32_t count = 0;

  assert_int_equal(init(0), ZE_RESULT_SUCCESS);
  assert_int_equal(init(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
  assert_int_equal(init(ZE_INIT_FLAG_VPU_ONLY), ZE_RESULT_ERROR_UNINITIALIZED);
  assert_int_equal(init(0x40), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  desc.flags = UINT32_MAX;
  assert_int_equal(init_drivers(&count, nullptr, &desc), ZE_RESULT_SUCCESS);
  assert_int_equal(count, 1);
  ze_driver_handle_t driver = nullptr;
  assert_int_equal(init_drivers(&count, &driver, &desc), ZE_RESULT_SUCCESS);
  assert_ptr_equal(driver, ze_direct().driver);
  desc.flags = ZE_INIT_DRIVER_TYPE_FLAG_NPU;
  assert_int_equal(init_drivers(&count, nullptr, &desc), ZE_RESULT_ERROR_UNINITIALIZED);
}

void functions_of_every_age_are_found_by_name(void**) {
  const char* const names[] = {"zeMemAllocDevice",
                               "zeCommandListHostSynchronize",
                               "zeInitDrivers",
                               "zeCommandListImmediateAppendCommandListsExp",
                               "zeCommandListGetNextCommandIdWithKernelsExp",
                               "zeEventCounterBasedCreate",
                               "zeCommandListAppendHostFunction",
                               "zeCommandListAppendLaunchKernelWithArguments",
                               "zeKernelGetAllocationPropertiesExp",
                               "zeCpuGetStrictReportCount"};
  for (const char* name : names) assert_non_null(ze_function(name));

  void* function = &function;
  assert_int_equal(ze_direct().address(ze_direct().driver, "zeNoSuchThing", &function),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_null(function);
}

bool lists_extension(const char* name) {
  uint32_t count = 64;
  static ze_driver_extension_properties_t all[64];
  if (ZE(DriverGetExtensionProperties)(ze_direct().driver, &count, all)) return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!strcmp(all[i].name, name)) return true;
  return false;
}

void extensions_are_listed_with_versions(void**) {
  uint32_t count = 0;
  assert_int_equal(ZE(DriverGetExtensionProperties)(ze_direct().driver, &count, nullptr), 0);
  assert_true(count > 5);

  assert_true(lists_extension("ZE_experimental_mutable_command_list"));
  assert_true(lists_extension("ZE_experimental_immediate_command_list_append"));
  assert_true(lists_extension("ZE_extension_driver_ddi_handles"));
  assert_false(lists_extension("ZE_extension_raytracing"));
}

void handles_begin_with_the_loaders_tables(void**) {
  struct Block {
    ze_api_version_t version;
    uint8_t valid;
    void* const* tables[32];
  };
  const Block* core = *reinterpret_cast<const Block* const*>(ze_direct().device);
  ze_driver_ddi_handles_ext_properties_t ddi{};
  ddi.stype = ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES;
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  properties.pNext = &ddi;

  assert_int_equal(ZE(DriverGetProperties)(ze_direct().driver, &properties), 0);
  assert_int_equal(ddi.flags, ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED);
  assert_int_equal(core->valid, 1);
  assert_int_equal(core->version, spec(17));
  // The sixth table is Driver's; its first entry is zeDriverGet.
  assert_ptr_equal(core->tables[5][0], ze_function("zeDriverGet"));
  assert_ptr_equal(core->tables[7][0], ze_function("zeDeviceGet"));
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_table_that_old_loaders_need_is_there_and_without_holes),
      cmocka_unit_test(a_table_is_not_written_past_what_the_loader_knows),
      cmocka_unit_test(newer_versions_get_more_entries_and_other_majors_none),
      cmocka_unit_test(an_unsupported_function_answers_instead_of_crashing),
      cmocka_unit_test(initialisation_takes_gpu_flags_and_refuses_others),
      cmocka_unit_test(functions_of_every_age_are_found_by_name),
      cmocka_unit_test(extensions_are_listed_with_versions),
      cmocka_unit_test(handles_begin_with_the_loaders_tables),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
