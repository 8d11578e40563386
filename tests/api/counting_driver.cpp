// SPDX-License-Identifier: Apache-2.0
// A Level Zero driver that passes everything on to the one that XPU_TEST_DRIVER names, and counts
// the objects that were made and not destroyed.
#include <dlfcn.h>
#include <level_zero/ze_ddi.h>
#include <stdlib.h>

#include <atomic>
#include <cstring>
#include <type_traits>

namespace {

enum {
  kLists,
  kQueues,
  kPools,
  kEvents,
  kFences,
  kModules,
  kKernels,
  kMemory,
  kPhysical,
  kReserved,
  kMapped,
  kKindCount,
  kCooperative = kKindCount,  // no objects, but launches that were appended
  kUrgent,                    // immediate lists ever made with a high priority
  kCountCount
};
std::atomic<long> live[kCountCount];

void* real(const char* name) {
  static void* const driver = dlopen(getenv("XPU_TEST_DRIVER"), RTLD_NOW | RTLD_LOCAL);
  return driver ? dlsym(driver, name) : nullptr;
}

// The function behind one entry of a table, with its successful calls counted. `Tag` is another
// type for each entry, since many entries have functions of the same type.
template <int kind, long step, class Tag, class Function>
struct Counted;
template <int kind, long step, class Tag, class... A>
struct Counted<kind, step, Tag, ze_result_t (*)(A...)> {
  static inline ze_result_t (*next)(A...);
  static ze_result_t call(A... args) {
    const ze_result_t result = next(args...);
    if (result == ZE_RESULT_SUCCESS) live[kind] += step;
    return result;
  }
};

template <int kind, long step, class Function, class Tag>
void count(Function& entry, Tag) {
  using Entry = Counted<kind, step, Tag, Function>;
  if (!entry) return;
  Entry::next = entry;
  entry = Entry::call;
}

#define COUNT(entry, kind, step) count<kind, step>(entry, [] {})

ze_pfnCommandListCreateImmediate_t create_immediate;
ze_result_t count_urgent(ze_context_handle_t context, ze_device_handle_t device,
                         const ze_command_queue_desc_t* desc, ze_command_list_handle_t* list) {
  if (desc && desc->priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH) live[kUrgent]++;
  return create_immediate(context, device, desc, list);
}

void hook(ze_command_list_dditable_t& t) {
  create_immediate = t.pfnCreateImmediate;
  t.pfnCreateImmediate = count_urgent;
  COUNT(t.pfnCreate, kLists, 1);
  COUNT(t.pfnCreateImmediate, kLists, 1);
  COUNT(t.pfnDestroy, kLists, -1);
  COUNT(t.pfnAppendLaunchCooperativeKernel, kCooperative, 1);
}
void hook(ze_command_queue_dditable_t& t) {
  COUNT(t.pfnCreate, kQueues, 1);
  COUNT(t.pfnDestroy, kQueues, -1);
}
void hook(ze_event_pool_dditable_t& t) {
  COUNT(t.pfnCreate, kPools, 1);
  COUNT(t.pfnDestroy, kPools, -1);
}
void hook(ze_event_dditable_t& t) {
  COUNT(t.pfnCreate, kEvents, 1);
  COUNT(t.pfnDestroy, kEvents, -1);
}
// zeEventCounterBasedCreate, which specification 1.15 put behind what older headers know.
void hook_counter_events(void* table) {
  using Create =
      ze_result_t (*)(ze_context_handle_t, ze_device_handle_t, const void*, ze_event_handle_t*);
  constexpr size_t kSlot = 11;
  char* const at = static_cast<char*>(table) + kSlot * sizeof(Create);
  Create entry;
  std::memcpy(&entry, at, sizeof entry);
  COUNT(entry, kEvents, 1);
  std::memcpy(at, &entry, sizeof entry);
}
void hook(ze_fence_dditable_t& t) {
  COUNT(t.pfnCreate, kFences, 1);
  COUNT(t.pfnDestroy, kFences, -1);
}
void hook(ze_module_dditable_t& t) {
  COUNT(t.pfnCreate, kModules, 1);
  COUNT(t.pfnDestroy, kModules, -1);
}
void hook(ze_kernel_dditable_t& t) {
  COUNT(t.pfnCreate, kKernels, 1);
  COUNT(t.pfnDestroy, kKernels, -1);
}
void hook(ze_mem_dditable_t& t) {
  COUNT(t.pfnAllocShared, kMemory, 1);
  COUNT(t.pfnAllocDevice, kMemory, 1);
  COUNT(t.pfnAllocHost, kMemory, 1);
  COUNT(t.pfnFree, kMemory, -1);
}
void hook(ze_physical_mem_dditable_t& t) {
  COUNT(t.pfnCreate, kPhysical, 1);
  COUNT(t.pfnDestroy, kPhysical, -1);
}
void hook(ze_virtual_mem_dditable_t& t) {
  COUNT(t.pfnReserve, kReserved, 1);
  COUNT(t.pfnFree, kReserved, -1);
  COUNT(t.pfnMap, kMapped, 1);
  COUNT(t.pfnUnmap, kMapped, -1);
}
template <class Table>
void hook(Table&) {}

template <class Table>
ze_result_t pass(const char* name, ze_api_version_t version, Table* table) {
  using Getter = ze_result_t (*)(ze_api_version_t, Table*);
  const auto getter = reinterpret_cast<Getter>(real(name));
  if (!getter) return ZE_RESULT_ERROR_UNINITIALIZED;
  const ze_result_t result = getter(version, table);
  if constexpr (!std::is_void_v<Table>)
    if (result == ZE_RESULT_SUCCESS && table) hook(*table);
  if constexpr (std::is_same_v<Table, ze_event_dditable_t>)
    if (result == ZE_RESULT_SUCCESS && version >= ZE_MAKE_VERSION(1, 15))
      hook_counter_events(table);
  return result;
}

}  // namespace

// Named by the assembler: headers newer than these tables declare some with types that older ones
// lack.
#define TABLE(name, type)                                                            \
  extern "C" __attribute__((visibility("default"))) ze_result_t get_##name(          \
      ze_api_version_t version, type* table) __asm__("zeGet" #name "ProcAddrTable"); \
  ze_result_t get_##name(ze_api_version_t version, type* table) {                    \
    return pass("zeGet" #name "ProcAddrTable", version, table);                      \
  }
TABLE(Global, ze_global_dditable_t)
TABLE(Driver, ze_driver_dditable_t)
TABLE(Device, ze_device_dditable_t)
TABLE(DeviceExp, ze_device_exp_dditable_t)
TABLE(Context, ze_context_dditable_t)
TABLE(CommandQueue, ze_command_queue_dditable_t)
TABLE(CommandList, ze_command_list_dditable_t)
TABLE(Image, ze_image_dditable_t)
TABLE(ImageExp, ze_image_exp_dditable_t)
TABLE(Mem, ze_mem_dditable_t)
TABLE(Fence, ze_fence_dditable_t)
TABLE(EventPool, ze_event_pool_dditable_t)
TABLE(Event, ze_event_dditable_t)
TABLE(EventExp, ze_event_exp_dditable_t)
TABLE(Module, ze_module_dditable_t)
TABLE(ModuleBuildLog, ze_module_build_log_dditable_t)
TABLE(Kernel, ze_kernel_dditable_t)
TABLE(KernelExp, ze_kernel_exp_dditable_t)
TABLE(Sampler, ze_sampler_dditable_t)
TABLE(PhysicalMem, ze_physical_mem_dditable_t)
TABLE(VirtualMem, ze_virtual_mem_dditable_t)
// Newer than the headers of Debian 12.
TABLE(DriverExp, void)
TABLE(CommandListExp, void)
TABLE(MemExp, void)

// The counts in the order of the enumeration above; the number of them.
extern "C" __attribute__((visibility("default"))) int counting_driver_read(long* counts) {
  for (int i = 0; i < kKindCount; i++) counts[i] = live[i];
  return kKindCount;
}
extern "C" __attribute__((visibility("default"))) long counting_driver_cooperative() {
  return live[kCooperative];
}
extern "C" __attribute__((visibility("default"))) long counting_driver_urgent() {
  return live[kUrgent];
}
