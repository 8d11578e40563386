// SPDX-License-Identifier: Apache-2.0
// One struct of Level Zero function pointers, and the two ways to fill it: from a loader's exported
// names, or from the tables of a driver opened directly.
#pragma once

#include <string>

#include "base/status.h"
#include "spec/levelzero.h"

namespace xpu::ze {

// Members are named like the functions, without the "ze". One that is not `must` in functions.inc
// may be NULL.
struct Table {
#define FUNCTION(table, name, slot, minor, need) ze_pfn##name##_t name = nullptr;
#include "ze/functions.inc"
#undef FUNCTION
};

// Where names are looked up; a plain function, so that a test can hand in symbols of its own.
struct Symbols {
  void* (*find)(void* library, const char* name) = nullptr;
  void* library = nullptr;

  void* operator()(const char* name) const { return find(library, name); }
};

// The loader's exported names. An exported name does not mean that the driver behind it has the
// function; add_extension_functions and the features decide that.
Result<Table> table_of_loader(const Symbols& loader);

// A driver's own tables, asked for at the newest version first. Initialises nothing.
Result<Table> table_of_driver(const Symbols& driver);

// Fills what is still missing from the driver's zeDriverGetExtensionFunctionAddress.
void add_extension_functions(Table& table, ze_driver_handle_t driver) noexcept;

// True if the driver itself has a function newer than 1.4: its version says so, or it gives an
// address.
bool driver_has(const Table& table, ze_driver_handle_t driver, uint32_t api_minor,
                const char* function, uint32_t since_minor) noexcept;

}  // namespace xpu::ze
