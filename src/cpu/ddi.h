// SPDX-License-Identifier: Apache-2.0
// The driver's function tables, as the loader, extension lookups and handle prefixes need them.
#pragma once

#include <level_zero/ze_api.h>

namespace xpu::cpu {

enum class TableId : int {
#define TABLE(prefix, name) prefix##_##name,
#define END(prefix, name)
#define HERE(minor, name)
#define IF(feature, minor, name)
#define NONE(minor, name)
#define NONES(minor, count)
#define EXTRA(name)
#define EXTRA_IF(hidden, name)
#include "cpu/tables.inc"
#undef TABLE
#undef END
#undef HERE
#undef IF
#undef NONE
#undef NONES
#undef EXTRA
#undef EXTRA_IF
  count
};

// Writes the entries a loader of `version` knows, and nothing after them.
ze_result_t fill_table(TableId id, ze_api_version_t version, void* table) noexcept;

// A function of this driver by its exported name, nullptr if there is none or it is hidden.
void* find_function(const char* name) noexcept;

// The specification this driver answers for: 1.17, less where ZE_CPU_WITHOUT hides a core feature.
ze_api_version_t api_version() noexcept;

}  // namespace xpu::cpu
