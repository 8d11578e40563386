// SPDX-License-Identifier: Apache-2.0
// The driver opened directly, with what every test needs: a context, a device, memory, a module.
// All of it is plain data or lives as long as the process, so tests may assert while it exists.
#pragma once

#include "xpu_test.h"

#include "spec/levelzero.h"

#include <cstdint>

namespace world {

// Any function of the driver by name, with its type: ze(EventCreate)(pool, &desc, &event).
void* find(const char* name);
#define ze(name)                                                     \
  ([] {                                                              \
    static const auto ze_found_##name =                              \
        reinterpret_cast<ze_pfn##name##_t>(world::find("ze" #name)); \
    return ze_found_##name;                                          \
  }())

ze_driver_handle_t driver();
ze_context_handle_t context();
ze_device_handle_t device(uint32_t index = 0);
ze_module_handle_t module();

// What the driver reports for misuse so far.
uint32_t strict_reports();

// Fails the test with the call's text if it is not SUCCESS.
void good(ze_result_t result, const char* call, const char* file, int line);
#define GOOD(call) world::good((call), #call, __FILE__, __LINE__)

// USM memory of `count` words, all `value`.
uint32_t* words(size_t count, uint32_t value = 0);
void give_back(void* pointer);

ze_kernel_handle_t kernel(const char* name, uint32_t group_size = 1);
void set_word(ze_kernel_handle_t kernel, uint32_t index, uint32_t value);
void set_pointer(ze_kernel_handle_t kernel, uint32_t index, void* pointer);

// `flags` are queue flags (in-order) for immediate lists, list flags for regular ones.
ze_command_list_handle_t immediate(
    uint32_t flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER, uint32_t index = 0, uint32_t ordinal = 0,
    ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
ze_command_list_handle_t regular(uint32_t flags = 0, uint32_t ordinal = 0, bool is_mutable = false);
ze_command_queue_handle_t queue(uint32_t index = 0, uint32_t ordinal = 0);

// A pool of its own for each; destroy_event ends both.
ze_event_handle_t event(uint32_t pool_flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
ze_event_handle_t counter_event(uint32_t flags = ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                                 ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE);
void destroy_event(ze_event_handle_t event);

// Launches kernel `name`(data, value) over `count` items.
void launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups,
            ze_event_handle_t signal = nullptr, uint32_t wait_count = 0,
            ze_event_handle_t* waits = nullptr);
void launch_add(ze_command_list_handle_t list, uint32_t* data, uint32_t count, uint32_t value,
                ze_event_handle_t signal = nullptr, uint32_t wait_count = 0,
                ze_event_handle_t* waits = nullptr);
void launch_times(ze_command_list_handle_t list, uint32_t* data, uint32_t count, uint32_t factor,
                  ze_event_handle_t signal = nullptr, uint32_t wait_count = 0,
                  ze_event_handle_t* waits = nullptr);
// Keeps its hardware queue busy for about `milliseconds`.
void launch_spin(ze_command_list_handle_t list, uint32_t* data, uint32_t milliseconds,
                 ze_event_handle_t signal = nullptr);
void sync(ze_command_list_handle_t immediate);
void run(ze_command_queue_handle_t queue, ze_command_list_handle_t list);

uint64_t now_ns();

// Gives back what the functions above keep, so that a leak checker reports only what a test forgot.
void end();

}  // namespace world

// The value for main to return.
#define WORLD_RUN_TESTS(tests)                   \
  ([&] {                                         \
    const int world_code = XPU_RUN_TESTS(tests); \
    world::end();                                \
    return world_code;                           \
  }())
