// SPDX-License-Identifier: Apache-2.0
// Fills the function table.
#include "ze/table.h"

#include <array>
#include <cstring>
#include <map>

namespace xpu::ze {
namespace {

constexpr bool must = true;
constexpr bool may = false;

template <class Function>
void put(Function& to, void* address) noexcept {
  std::memcpy(&to, &address, sizeof to);
}

Status missing(const std::string& names, const char* where) {
  return Status::error(xpuErrorInsufficientDriver, std::string(where) + " lacks " + names);
}

using Slots = std::array<void*, spec::kTableSlots>;
using GetTable = ze_result_t(ZE_APICALL*)(ze_api_version_t, void*);

// The newest version a driver takes; one that refuses what is newer than itself is asked again.
bool read_slots(const Symbols& driver, const char* table, Slots& slots) {
  GetTable get = nullptr;
  put(get, driver((std::string("zeGet") + table + "ProcAddrTable").c_str()));
  if (!get) return false;
  for (uint32_t minor = 17;; minor--) {
    slots.fill(nullptr);
    const auto version = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, minor));
    if (get(version, slots.data()) == ZE_RESULT_SUCCESS) return true;
    if (minor == 0) return false;
  }
}

}  // namespace

Result<Table> table_of_loader(const Symbols& loader) {
  Table table;
  std::string lacks;
#define FUNCTION(group, name, slot, minor, need) \
  put(table.name, loader("ze" #name));           \
  if (need == must && !table.name) lacks += lacks.empty() ? "ze" #name : ", ze" #name;
#include "ze/functions.inc"
#undef FUNCTION
  if (!lacks.empty()) return missing(lacks, "the loader");
  return table;
}

Result<Table> table_of_driver(const Symbols& driver) {
  std::map<std::string, Slots> tables;
  auto slots_of = [&](const char* name) -> const Slots& {
    auto [at, fresh] = tables.try_emplace(name);
    if (fresh && !read_slots(driver, name, at->second)) at->second.fill(nullptr);
    return at->second;
  };
  Table table;
  std::string lacks;
#define FUNCTION(group, name, slot, minor, need) \
  put(table.name, slots_of(#group)[slot]);       \
  if (need == must && !table.name) lacks += lacks.empty() ? "ze" #name : ", ze" #name;
#include "ze/functions.inc"
#undef FUNCTION
  if (!lacks.empty()) return missing(lacks, "the driver");
  return table;
}

void add_extension_functions(Table& table, ze_driver_handle_t driver) noexcept {
  if (!table.DriverGetExtensionFunctionAddress) return;
  auto add = [&](auto& function, const char* name) {
    void* address = nullptr;
    if (!function &&
        table.DriverGetExtensionFunctionAddress(driver, name, &address) == ZE_RESULT_SUCCESS)
      put(function, address);
  };
#define FUNCTION(group, name, slot, minor, need) add(table.name, "ze" #name);
#include "ze/functions.inc"
#undef FUNCTION
}

bool driver_has(const Table& table, ze_driver_handle_t driver, uint32_t api_minor,
                const char* function, uint32_t since_minor) noexcept {
  if (api_minor >= since_minor) return true;
  void* address = nullptr;
  return table.DriverGetExtensionFunctionAddress &&
         table.DriverGetExtensionFunctionAddress(driver, function, &address) == ZE_RESULT_SUCCESS &&
         address != nullptr;
}

}  // namespace xpu::ze
