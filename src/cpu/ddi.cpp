// SPDX-License-Identifier: Apache-2.0
// The exported getters, all that a loader looks up by name. ze_ddi.h is not included here: older
// ones lack the types of newer tables, and to us every table is an array of function pointers.
#include "cpu/ddi.h"

#define TABLE(prefix, name)                                                                        \
  extern "C" __attribute__((visibility("default")))                                                \
  ze_result_t ZE_APICALL prefix##Get##name##ProcAddrTable(ze_api_version_t version, void* table) { \
    return xpu::cpu::fill_table(xpu::cpu::TableId::prefix##_##name, version, table);               \
  }
#define END(prefix, name)
#define HERE(minor, name)
#define IF(feature, minor, name)
#define NONE(minor, name)
#define NONES(minor, count)
#define EXTRA(name)
#define EXTRA_IF(hidden, name)
#include "cpu/tables.inc"
