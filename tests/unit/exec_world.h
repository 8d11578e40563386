// SPDX-License-Identifier: Apache-2.0
// What tests of the exec floor stand on: the CPU driver behind a recording table, one device, and
// short ways to say graphs. Destroyed by finish() alone, so that it may be used in frames that
// assert.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "base/option.h"
#include "exec/exec.h"
#include "exec/retire.h"
#include "graph/graph.h"
#include "recording_table.h"
#include "runtime/device.h"
#include "runtime/memory.h"
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

// XPUGRAPH_DRIVER names the driver under test.
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

// Ends main: what the driver's tables still hold would be reported as leaked, and then is.
inline int finish(int code) {
  (void)world().device->synchronize();
  if (const size_t kept = exec::free_retired(); kept) {
    fprintf(stderr, "%zu encodings are still in flight\n", kept);
    code = 1;
  }
  world().device.reset();
  world().memory.reset();
  world().driver.reset();
  world().real.reset();
  return code;
}

inline runtime::Device& device() { return *world().device; }

inline runtime::Stream& new_stream() {
  return *must(runtime::Stream::create(device(), xpuStreamNonBlocking, 0), "creating a stream");
}

// Shared memory, so that host and device see the same bytes; zeroed.
template <class T>
T* shared(size_t count) {
  void* at =
      must(world().memory->allocate_managed(device(), count * sizeof(T)), "allocating memory");
  for (size_t i = 0; i < count * sizeof(T); i++) static_cast<char*>(at)[i] = 0;
  return static_cast<T*>(at);
}
inline void free_shared(void* at) {
  if (!world().memory->free(at).ok()) fprintf(stderr, "freeing %p failed\n", at);
}

// A graph that grows by nodes named by their position.
class Sketch {
 public:
  Sketch() : graph_(graph::Graph::make()) {}

  uint32_t copy(void* dst, const void* src, size_t bytes, std::vector<uint32_t> after = {}) {
    return add(graph::CopyParams::make_linear(dst, src, bytes, xpuMemcpyDefault), after);
  }
  uint32_t copy(const graph::CopyShape& shape, std::vector<uint32_t> after = {}) {
    return add(graph::CopyParams::make(shape), after);
  }
  uint32_t fill(uint32_t* dst, uint32_t value, size_t count, std::vector<uint32_t> after = {}) {
    graph::FillShape shape;
    shape.dst = dst;
    shape.value = value;
    shape.element_size = 4;
    shape.width = count;
    return add(graph::FillParams::make(shape), after);
  }
  uint32_t fill(const graph::FillShape& shape, std::vector<uint32_t> after = {}) {
    return add(graph::FillParams::make(shape), after);
  }
  uint32_t host(xpuHostFn_t function, void* user, std::vector<uint32_t> after = {}) {
    return add(graph::HostParams::make(function, user), after);
  }
  uint32_t add(Result<graph::ParamsRef> params, const std::vector<uint32_t>& after) {
    std::vector<graph::Node*> before;
    for (const uint32_t i : after) before.push_back(nodes_[i]);
    nodes_.push_back(must(graph_->add(must(std::move(params), "parameters"), before), "a node"));
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  graph::Graph& graph() const { return *graph_; }
  std::unique_ptr<exec::Exec> instantiate() const {
    return must(exec::Exec::instantiate(*graph_, device(), 0), "instantiating");
  }

 private:
  std::shared_ptr<graph::Graph> graph_;
  std::vector<graph::Node*> nodes_;
};

// A flag that a host function waits for, to hold a stream back.
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
};

}  // namespace xpu::test
