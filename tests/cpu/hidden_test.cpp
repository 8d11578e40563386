// SPDX-License-Identifier: Apache-2.0
// ZE_CPU_WITHOUT: what is hidden is gone from versions, lists, addresses and properties alike. Run
// with everything hidden.
#include "xpu_test.h"
#include "ze_direct.h"

#include <string.h>

namespace {

void hidden_functions_have_no_address(void**) {
  assert_null(ze_function("zeCommandListImmediateAppendCommandListsExp"));
  assert_null(ze_function("zeCommandListGetNextCommandIdExp"));
  assert_null(ze_function("zeEventCounterBasedCreate"));
  assert_null(ze_function("zeCommandListAppendHostFunction"));
  assert_null(ze_function("zeCommandListHostSynchronize"));
  assert_null(ze_function("zeVirtualMemReserve"));
  assert_null(ze_function("zeDeviceImportExternalSemaphoreExt"));
  assert_null(ze_function("zexCommandListAppendWaitOnMemory"));
  assert_non_null(ze_function("zeMemAllocDevice"));
}

void hidden_entries_of_a_table_answer_unsupported(void**) {
  ze_virtual_mem_dditable_t table{};
  size_t page = 0;
  assert_int_equal(ze_table("zeGetVirtualMemProcAddrTable",
                            static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 4)), &table),
                   0);

  assert_int_equal(table.pfnQueryPageSize(ze_direct().context, ze_direct().device, 65536, &page),
                   ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

void hidden_extensions_are_not_listed(void**) {
  static ze_driver_extension_properties_t all[64];
  uint32_t count = 64;
  assert_int_equal(ZE(DriverGetExtensionProperties)(ze_direct().driver, &count, all), 0);

  for (uint32_t i = 0; i < count; ++i) {
    assert_null(strstr(all[i].name, "mutable"));
    assert_null(strstr(all[i].name, "immediate_command_list_append"));
    assert_null(strstr(all[i].name, "counter_based"));
    assert_null(strstr(all[i].name, "semaphores"));
  }
}

void the_version_is_one_that_lacked_the_hidden_core_features(void**) {
  ze_api_version_t version{};
  assert_int_equal(ZE(DriverGetApiVersion)(ze_direct().driver, &version), 0);

  assert_int_equal(version, ZE_MAKE_VERSION(1, 5));
}

void mutable_properties_are_empty(void**) {
  ze_mutable_command_list_exp_properties_t list{};
  list.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES;
  list.mutableCommandFlags = 0xff;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &list;
  assert_int_equal(ZE(DeviceGetProperties)(ze_direct().device, &properties), 0);

  assert_int_equal(list.mutableCommandFlags, 0);
}

}  // namespace

int main() {
  ze_open();
  const CMUnitTest tests[] = {
      cmocka_unit_test(hidden_functions_have_no_address),
      cmocka_unit_test(hidden_entries_of_a_table_answer_unsupported),
      cmocka_unit_test(hidden_extensions_are_not_listed),
      cmocka_unit_test(the_version_is_one_that_lacked_the_hidden_core_features),
      cmocka_unit_test(mutable_properties_are_empty),
  };
  return ze_close(XPU_RUN_TESTS(tests));
}
