// SPDX-License-Identifier: Apache-2.0
// What tests of the runtime floor stand on: the driver under test behind a recording table, and one
// device. Destroyed by finish() alone, so that it may be used in frames that assert.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/option.h"
#include "recording_table.h"
#include "runtime/copy.h"
#include "runtime/device.h"
#include "runtime/event.h"
#include "runtime/memory.h"
#include "runtime/module.h"
#include "runtime/stream.h"
#include "xpu_test.h"
#include "ze/driver.h"

namespace xpu::test {

struct World {
  std::unique_ptr<ze::Driver> real;
  std::unique_ptr<ze::Driver> driver;  // the same, recorded
  std::unique_ptr<runtime::Memory> memory;
  std::unique_ptr<runtime::Device> device;
};

template <class T>
T must(Result<T> result, const char* what) {
  if (result.ok()) return result.take();
  fprintf(stderr, "%s: %s\n", what, result.status().sentence().c_str());
  exit(1);
}
inline void must(Status status, const char* what) {
  if (status.ok()) return;
  fprintf(stderr, "%s: %s\n", what, status.sentence().c_str());
  exit(1);
}

// XPUGRAPH_DRIVER names the driver under test, ZE_CPU_WITHOUT what it lacks.
inline World& world() {
  static World* const made = [] {
    auto* w = new World;
    w->real = must(ze::Driver::open(options().driver), "opening the driver");
    w->driver = must(ze::Driver::over(recording(w->real->table()), w->real->handle(),
                                      w->real->devices(), w->real->context(), "recording"),
                     "recording the driver");
    w->memory = std::make_unique<runtime::Memory>(*w->driver);
    w->device = must(runtime::Device::make(0, *w->driver, w->driver->devices()[0], *w->memory),
                     "making the device");
    Recorder::mine = true;
    return w;
  }();
  return *made;
}

// Ends main. Leak checkers do not see into the driver's range of handles, so what it still held
// would be reported, and what the runtime lost is.
inline int finish(int code) {
  must(world().device->synchronize(), "synchronising");
  world().device.reset();
  world().memory.reset();
  world().driver.reset();
  world().real.reset();
  return code;
}

inline runtime::Device& device() { return *world().device; }
inline runtime::Memory& memory() { return *world().memory; }

inline runtime::Stream& new_stream(unsigned flags = xpuStreamNonBlocking) {
  return *must(runtime::Stream::create(device(), flags, 0), "creating a stream");
}
inline void destroy(runtime::Stream& stream) { (void)runtime::Stream::destroy(stream.handle()); }

inline runtime::Event& new_event(unsigned flags = xpuEventDisableTiming) {
  return *must(runtime::Event::create(device(), flags), "creating an event");
}
inline void destroy(runtime::Event& event) { (void)runtime::Event::destroy(event.handle()); }

// Managed memory, so that host and device see the same bytes; zeroed.
template <class T>
T* managed(size_t count) {
  void* at = must(memory().allocate_managed(device(), count * sizeof(T)), "allocating memory");
  for (size_t i = 0; i < count * sizeof(T); i++) static_cast<char*>(at)[i] = 0;
  return static_cast<T*>(at);
}
inline void free_managed(void* at) { must(memory().free(at), "freeing memory"); }

inline void fill_words(runtime::Stream& stream, uint32_t* at, uint32_t value, size_t count) {
  ze::Fill fill;
  fill.dst = at;
  fill.value = value;
  fill.element_size = 4;
  fill.width = count;
  must(runtime::fill(stream, fill, false), "filling");
}
inline void copy_words(runtime::Stream& stream, uint32_t* to, const uint32_t* from, size_t count) {
  must(runtime::copy(stream, {.dst = to, .src = from, .width = count * 4}, xpuMemcpyDefault, false),
       "copying");
}

// A host function that holds its stream back until the gate opens.
struct Gate {
  std::atomic<bool> open{false};
  std::atomic<int> passed{0};
  static void wait(void* self) {
    auto* gate = static_cast<Gate*>(self);
    while (!gate->open) {
      const timespec pause = {0, 100'000};
      nanosleep(&pause, nullptr);
    }
    gate->passed++;
  }
  void hold(runtime::Stream& stream) {
    open = false;
    must(runtime::host_function(stream, wait, this), "holding a stream");
  }
};

}  // namespace xpu::test
