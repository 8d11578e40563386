// SPDX-License-Identifier: Apache-2.0
// A program that uses Level Zero by itself and owns all it has: driver, device, context, immediate
// list, module, memory. It finds Level Zero through the loader, or opens the driver directly.
#pragma once

#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include "ground.h"

namespace xpu::test {

#define FOREIGN_FUNCTIONS(F)         \
  F(Global, Init)                    \
  F(Driver, Get)                     \
  F(Device, Get)                     \
  F(Context, Create)                 \
  F(Mem, AllocDevice)                \
  F(Mem, AllocHost)                  \
  F(Mem, AllocShared)                \
  F(Mem, Free)                       \
  F(Module, Create)                  \
  F(Module, Destroy)                 \
  F(Kernel, Create)                  \
  F(Kernel, Destroy)                 \
  F(Kernel, SetArgumentValue)        \
  F(Kernel, SetGroupSize)            \
  F(CommandList, CreateImmediate)    \
  F(CommandList, Destroy)            \
  F(CommandList, AppendLaunchKernel) \
  F(CommandList, AppendBarrier)      \
  F(EventPool, Create)               \
  F(EventPool, Destroy)              \
  F(Event, Create)                   \
  F(Event, Destroy)                  \
  F(Event, HostSynchronize)          \
  F(Event, HostReset)                \
  F(Event, HostSignal)               \
  F(Event, QueryStatus)

struct Foreign {
  // Spelled as the tables name them: ze.CommandListDestroy.
#define FOREIGN_POINTER(table, name) ze_pfn##table##name##_t table##name;
#define ze_pfnGlobalInit_t ze_pfnInit_t
  FOREIGN_FUNCTIONS(FOREIGN_POINTER)
#undef FOREIGN_POINTER

  const char* library;  // nullptr if it is the loader
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_list_handle_t list;  // immediate, in order
  ze_module_handle_t module;
  ze_event_pool_handle_t pool;
  // One that lists signal and one that the host signals: an event is not both on Intel's driver.
  ze_event_handle_t done, go;
};
inline Foreign foreign;

#define assert_ze(call) assert_int_equal(ZE_RESULT_SUCCESS, (call))

template <class Function>
void take(Function& to, void* address) {
  assert_non_null(address);
  memcpy(&to, &address, sizeof to);
}

inline void find_in_loader() {
  void* loader = dlopen("libze_loader.so.1", RTLD_NOW);
  assert_non_null(loader);
#define FOREIGN_FIND(table, name) \
  take(foreign.table##name,       \
       dlsym(loader, strcmp(#table, "Global") ? "ze" #table #name : "ze" #name));
  FOREIGN_FUNCTIONS(FOREIGN_FIND)
#undef FOREIGN_FIND
}

// The table of a driver that `getter` fills, for one function.
inline void* entry(void* driver, const char* getter, size_t offset) {
  static void* table[256];
  using Getter = ze_result_t (*)(ze_api_version_t, void*);
  Getter get = nullptr;
  take(get, dlsym(driver, getter));
  memset(table, 0, sizeof table);
  assert_ze(get(ZE_API_VERSION_CURRENT, table));
  return table[offset / sizeof(void*)];
}

inline void find_in_driver(const char* path) {
  void* driver = dlopen(path, RTLD_NOW);
  assert_non_null(driver);
  foreign.library = path;
#define FOREIGN_FIND(table, name) \
  take(foreign.table##name,       \
       entry(driver, "zeGet" #table "ProcAddrTable", offsetof(FOREIGN_TABLE_##table, pfn##name)));
#define FOREIGN_TABLE_Global ze_global_dditable_t
#define FOREIGN_TABLE_Driver ze_driver_dditable_t
#define FOREIGN_TABLE_Device ze_device_dditable_t
#define FOREIGN_TABLE_Context ze_context_dditable_t
#define FOREIGN_TABLE_Mem ze_mem_dditable_t
#define FOREIGN_TABLE_Module ze_module_dditable_t
#define FOREIGN_TABLE_Kernel ze_kernel_dditable_t
#define FOREIGN_TABLE_CommandList ze_command_list_dditable_t
#define FOREIGN_TABLE_EventPool ze_event_pool_dditable_t
#define FOREIGN_TABLE_Event ze_event_dditable_t
  FOREIGN_FUNCTIONS(FOREIGN_FIND)
#undef FOREIGN_FIND
}

inline ze_command_list_handle_t new_foreign_list() {
  ze_command_queue_desc_t desc = {};
  ze_command_list_handle_t list = nullptr;
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.flags = 1u << 1;  // ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers do not have
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  assert_ze(foreign.CommandListCreateImmediate(foreign.context, foreign.device, &desc, &list));
  return list;
}

inline ze_module_handle_t new_foreign_module() {
  ze_module_desc_t desc = {};
  ze_module_handle_t module = nullptr;
  const Image image = kernels_image();
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = image.size;
  desc.pInputModule = static_cast<const uint8_t*>(image.bytes);
  assert_ze(foreign.ModuleCreate(foreign.context, foreign.device, &desc, &module, nullptr));
  return module;
}

inline void open_foreign() {
  uint32_t one = 1;
  assert_ze(foreign.GlobalInit(0));
  assert_ze(foreign.DriverGet(&one, &foreign.driver));
  one = 1;
  assert_ze(foreign.DeviceGet(foreign.driver, &one, &foreign.device));
  ze_context_desc_t context = {};
  context.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  assert_ze(foreign.ContextCreate(foreign.driver, &context, &foreign.context));
  foreign.list = new_foreign_list();

  foreign.module = new_foreign_module();
  ze_event_pool_desc_t pool = {};
  pool.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool.count = 2;
  assert_ze(foreign.EventPoolCreate(foreign.context, &pool, 1, &foreign.device, &foreign.pool));
  ze_event_desc_t event = {};
  event.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  event.signal = event.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  assert_ze(foreign.EventCreate(foreign.pool, &event, &foreign.done));
  event.index = 1;
  assert_ze(foreign.EventCreate(foreign.pool, &event, &foreign.go));
}

// What the program destroys itself; each must still be there.
inline void close_foreign() {
  assert_ze(foreign.EventDestroy(foreign.done));
  assert_ze(foreign.EventDestroy(foreign.go));
  assert_ze(foreign.EventPoolDestroy(foreign.pool));
  assert_ze(foreign.ModuleDestroy(foreign.module));
  assert_ze(foreign.CommandListDestroy(foreign.list));
}

inline int* foreign_memory(size_t bytes, xpuMemoryType type) {
  ze_device_mem_alloc_desc_t for_device = {};
  ze_host_mem_alloc_desc_t for_host = {};
  void* memory = nullptr;
  for_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  for_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  const ze_result_t result =
      type == xpuMemoryTypeDevice
          ? foreign.MemAllocDevice(foreign.context, &for_device, bytes, 64, foreign.device, &memory)
      : type == xpuMemoryTypeHost
          ? foreign.MemAllocHost(foreign.context, &for_host, bytes, 64, &memory)
          : foreign.MemAllocShared(foreign.context, &for_device, &for_host, bytes, 64,
                                   foreign.device, &memory);
  assert_ze(result);
  return static_cast<int*>(memory);
}

// The program's own launch of store(p, index, value) into its list.
inline void foreign_store(ze_kernel_handle_t store, int* p, int index, int value) {
  const ze_group_count_t one = {1, 1, 1};
  assert_ze(foreign.KernelSetGroupSize(store, 1, 1, 1));
  assert_ze(foreign.KernelSetArgumentValue(store, 0, sizeof p, &p));
  assert_ze(foreign.KernelSetArgumentValue(store, 1, sizeof index, &index));
  assert_ze(foreign.KernelSetArgumentValue(store, 2, sizeof value, &value));
  assert_ze(foreign.CommandListAppendLaunchKernel(foreign.list, store, &one, nullptr, 0, nullptr));
}

inline ze_kernel_handle_t foreign_kernel(const char* name) {
  ze_kernel_desc_t desc = {};
  ze_kernel_handle_t kernel = nullptr;
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  assert_ze(foreign.KernelCreate(foreign.module, &desc, &kernel));
  return kernel;
}

// The program waits for its list by its own means.
inline void foreign_wait() {
  assert_ze(foreign.CommandListAppendBarrier(foreign.list, foreign.done, 0, nullptr));
  assert_ze(foreign.EventHostSynchronize(foreign.done, 20000000000ull));
  assert_ze(foreign.EventHostReset(foreign.done));
}

}  // namespace xpu::test
