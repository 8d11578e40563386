// SPDX-License-Identifier: Apache-2.0
// The tables' contents: which function answers which entry, and the blocks behind every handle.
#include <array>
#include <cstring>
#include <exception>
#include <new>

#include "cpu/append.h"
#include "cpu/context.h"
#include "cpu/ddi.h"
#include "cpu/device.h"
#include "cpu/driver.h"
#include "cpu/event.h"
#include "cpu/external_semaphore.h"
#include "cpu/fence.h"
#include "cpu/handle.h"
#include "cpu/kernel.h"
#include "cpu/list.h"
#include "cpu/memory.h"
#include "cpu/module.h"
#include "cpu/mutable.h"
#include "cpu/queue.h"
#include "cpu/settings.h"
#include "cpu/strict.h"
#include "cpu/virtual.h"
#include "spec/levelzero.h"

namespace xpu::cpu {
namespace {

constexpr uint32_t kNewestMinor = 17;

// Stands in for every entry we do not have. Its arguments are the caller's business in the C
// calling conventions Level Zero exists for, so one function serves all signatures.
ze_result_t unsupported() noexcept { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

// The door: no exception crosses it.
template <auto function>
struct Door;
template <class... Arguments, ze_result_t (*function)(Arguments...)>
struct Door<function> {
  static ze_result_t ZE_APICALL call(Arguments... arguments) noexcept {
    try {
      return function(arguments...);
    } catch (const std::bad_alloc&) {
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    } catch (...) {
      return ZE_RESULT_ERROR_UNKNOWN;
    }
  }
};

// zeDriverGetDefaultContext, the one that answers a handle.
template <class... Arguments, ze_context_handle_t (*function)(Arguments...)>
struct Door<function> {
  static ze_context_handle_t ZE_APICALL call(Arguments... arguments) noexcept {
    return function(arguments...);
  }
};

struct Entry {
  uint32_t minor;
  uint32_t count;    // entries it stands for
  uint32_t feature;  // a Feature bit that may hide it, or 0
  const char* name;  // nullptr if unsupported
  void* function;

  bool visible() const noexcept { return function && !(settings().without & feature); }
};

// The pointer's type comes from the headers: a wrong signature of ours does not compile.
template <class Pointer>
void* erased(Pointer function) noexcept {
  return reinterpret_cast<void*>(function);
}

#define TABLE(prefix, name) const Entry k_##prefix##_##name[] = {
#define END(prefix, name) \
  }                       \
  ;
#define HERE(minor, name) \
  {minor, 1, 0, "ze" #name, erased<ze_pfn##name##_t>(&Door<&ze##name>::call)},
#define IF(hidden, minor, name)                                  \
  {minor, 1, static_cast<uint32_t>(Feature::hidden), "ze" #name, \
   erased<ze_pfn##name##_t>(&Door<&ze##name>::call)},
#define NONE(minor, name) {minor, 1, 0, nullptr, nullptr},
#define NONES(minor, many) {minor, many, 0, nullptr, nullptr},
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

struct Table {
  const Entry* entries;
  size_t count;
};

const Table kTables[] = {
#define TABLE(prefix, name) {k_##prefix##_##name, std::size(k_##prefix##_##name)},
#define END(prefix, name)
#define HERE(minor, name)
#define IF(feature, minor, name)
#define NONE(minor, name)
#define NONES(minor, count)
#define EXTRA(name)
#define EXTRA_IF(hidden, name)
#include "cpu/tables.inc"
#undef TABLE
#undef EXTRA
#undef EXTRA_IF
};

const Entry kExtras[] = {
    {0, 0, 0, "", nullptr},
#undef HERE
#undef IF
#define TABLE(prefix, name)
#define HERE(minor, name)
#define IF(feature, minor, name)
#define EXTRA(name) {0, 1, 0, #name, erased(&Door<&name>::call)},
#define EXTRA_IF(hidden, name) \
  {0, 1, static_cast<uint32_t>(Feature::hidden), #name, erased(&Door<&name>::call)},
#include "cpu/tables.inc"
};

// The newest form of a table, kept for the blocks below.
const void* whole_table(TableId id) {
  const Table& table = kTables[static_cast<int>(id)];
  size_t size = 0;
  for (size_t i = 0; i < table.count; ++i) size += table.entries[i].count;
  auto* functions = new void*[size]();  // lives as long as the process
  (void)fill_table(id, static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, kNewestMinor)), functions);
  return functions;
}

// What a handle's prefix points to: version, validity, then the tables in the loader's order.
template <size_t n>
struct Block {
  ze_api_version_t version;
  uint8_t is_valid;
  std::array<const void*, n> tables;
};

struct Blocks {
  Block<32> core;
  Block<19> tools;
  Block<24> sysman;
  Block<1> runtime;  // the zer functions: not ours, marked invalid
};

const Blocks& blocks() {
  static const Blocks* const all = [] {
    auto* b = new Blocks{};
    using T = TableId;
    const auto fill = [](auto& block, std::initializer_list<TableId> ids) {
      block.version = api_version();
      block.is_valid = 1;
      size_t at = 0;
      for (const TableId id : ids) block.tables.at(at++) = whole_table(id);
    };
    fill(b->core, {T::ze_RTASBuilder,
                   T::ze_RTASBuilderExp,
                   T::ze_RTASParallelOperation,
                   T::ze_RTASParallelOperationExp,
                   T::ze_Global,
                   T::ze_Driver,
                   T::ze_DriverExp,
                   T::ze_Device,
                   T::ze_DeviceExp,
                   T::ze_Context,
                   T::ze_CommandQueue,
                   T::ze_CommandList,
                   T::ze_CommandListExp,
                   T::ze_Image,
                   T::ze_ImageExp,
                   T::ze_Mem,
                   T::ze_MemExp,
                   T::ze_Fence,
                   T::ze_EventPool,
                   T::ze_Event,
                   T::ze_EventExp,
                   T::ze_Module,
                   T::ze_ModuleBuildLog,
                   T::ze_Kernel,
                   T::ze_KernelExp,
                   T::ze_Sampler,
                   T::ze_PhysicalMem,
                   T::ze_VirtualMem,
                   T::ze_FabricVertexExp,
                   T::ze_FabricEdgeExp,
                   T::ze_Graph,
                   T::ze_ExecutableGraph});
    fill(b->tools,
         {T::zet_MetricProgrammableExp, T::zet_MetricTracerExp, T::zet_MetricDecoderExp,
          T::zet_Device, T::zet_DeviceExp, T::zet_Context, T::zet_CommandList,
          T::zet_CommandListExp, T::zet_Module, T::zet_Kernel, T::zet_Metric, T::zet_MetricExp,
          T::zet_MetricGroup, T::zet_MetricGroupExp, T::zet_MetricStreamer, T::zet_MetricQueryPool,
          T::zet_MetricQuery, T::zet_TracerExp, T::zet_Debug});
    fill(b->sysman,
         {T::zes_Global,      T::zes_Device,      T::zes_DeviceExp,   T::zes_Driver,
          T::zes_DriverExp,   T::zes_Overclock,   T::zes_Scheduler,   T::zes_PerformanceFactor,
          T::zes_Power,       T::zes_Frequency,   T::zes_Engine,      T::zes_Standby,
          T::zes_Firmware,    T::zes_FirmwareExp, T::zes_Memory,      T::zes_FabricPort,
          T::zes_Temperature, T::zes_Psu,         T::zes_Fan,         T::zes_Led,
          T::zes_Ras,         T::zes_RasExp,      T::zes_Diagnostics, T::zes_VFManagementExp});
    b->runtime.version = api_version();
    return b;
  }();
  return *all;
}

}  // namespace

ze_result_t fill_table(TableId id, ze_api_version_t version, void* table) noexcept {
  if (!table) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(static_cast<uint32_t>(version)) != 1)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  auto** out = static_cast<void**>(table);
  const Table& source = kTables[static_cast<int>(id)];
  for (size_t i = 0; i < source.count; ++i) {
    const Entry& entry = source.entries[i];
    // Minors never fall within a table: nothing after this fits either.
    if (entry.minor > ZE_MINOR_VERSION(static_cast<uint32_t>(version))) break;
    for (uint32_t k = 0; k < entry.count; ++k)
      *out++ = entry.visible() ? entry.function : erased(&unsupported);
  }
  return ZE_RESULT_SUCCESS;
}

void* find_function(const char* name) noexcept {
  const auto in = [name](const Entry* entries, size_t count) -> void* {
    for (size_t i = 0; i < count; ++i)
      if (entries[i].name && entries[i].visible() && !std::strcmp(entries[i].name, name))
        return entries[i].function;
    return nullptr;
  };
  for (const Table& table : kTables)
    if (void* found = in(table.entries, table.count)) return found;
  return in(kExtras, std::size(kExtras));
}

ze_api_version_t api_version() noexcept {
  uint32_t minor = kNewestMinor;
  // A core feature that is hidden is one of a specification this driver then does not reach.
  if (!has(Feature::host_function)) minor = 16;
  if (!has(Feature::counter_events)) minor = 14;
  if (!has(Feature::in_order)) minor = 6;
  if (!has(Feature::list_sync)) minor = 5;
  return static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, minor));
}

HandlePrefix ddi_prefix() noexcept {
  const Blocks& b = blocks();
  return {&b.core, &b.tools, &b.sysman, &b.runtime};
}

}  // namespace xpu::cpu
