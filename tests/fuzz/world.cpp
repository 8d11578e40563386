// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of a random program's world.
#include "fuzz/world.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/program.h"

namespace fuzz {
namespace {

constexpr size_t kMemory = 256;

// Compiled once: that takes longer than most programs.
xpuModule_t kernels_module() {
  static const xpuModule_t module = [] {
    const char* path = std::getenv("XPU_TEST_KERNELS");
    std::ifstream file(path ? path : "", std::ios::binary);
    const std::string image(std::istreambuf_iterator<char>(file), {});
    xpuModule_t loaded = nullptr;
    must(xpuModuleLoadData(&loaded, image.data(), image.size()));
    std::atexit([] { (void)xpuModuleUnload(kernels_module()); });
    return loaded;
  }();
  return module;
}

// A timeline at 0: what waits for more than others have signalled would never end.
xpuExternalSemaphore_t new_timeline() {
  xpuExternalSemaphoreHandleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.type = xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  desc.handle.fd = memfd_create("timeline", MFD_CLOEXEC);
  must_hold(ftruncate(desc.handle.fd, sizeof(uint64_t)) == 0, "a file has room for a value");
  xpuExternalSemaphore_t semaphore = nullptr;
  must(xpuImportExternalSemaphore(&semaphore, &desc));
  return semaphore;
}

}  // namespace

World::World() {
  for (const char* name : {"noop", "store", "add", "axpb"}) {
    xpuKernel_t kernel = nullptr;
    must(xpuModuleGetKernel(&kernel, kernels_module(), name));
    kernels.add(kernel);
  }
  for (int i = 0; i < 2; i++) {
    xpuStream_t stream = nullptr;
    must(i ? xpuStreamCreate(&stream) : xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking));
    streams.add(stream);
    xpuEvent_t event = nullptr;
    must(xpuEventCreate(&event));
    events.add(event);
    semaphores.add(new_timeline());
    void* address = nullptr;
    must(i ? xpuMallocHost(&address, kMemory) : xpuMalloc(&address, kMemory));
    memories.push_back({address, kMemory, i == 1});
    xpuGraph_t graph = nullptr;
    must(xpuGraphCreate(&graph, 0));
    graphs.add(graph);
  }
}

World::~World() {
  for (const xpuStream_t stream : streams.live) {
    xpuGraph_t graph = nullptr;
    // Whatever state it is in: the end of a capture gives the stream back.
    if (xpuStreamEndCapture(stream, &graph) == xpuSuccess && graph) graphs.add(graph);
  }
  for (const xpuStream_t stream : streams.live) must(xpuStreamSynchronize(stream));
  must(xpuDeviceSynchronize());
  for (const xpuGraphExec_t exec : execs.live) must(xpuGraphExecDestroy(exec));
  std::sort(graphs.live.begin(), graphs.live.end());
  graphs.live.erase(std::unique(graphs.live.begin(), graphs.live.end()), graphs.live.end());
  for (const xpuGraph_t graph : graphs.live) (void)xpuGraphDestroy(graph);  // some belong to nodes
  for (const xpuStream_t stream : streams.live) must(xpuStreamDestroy(stream));
  for (const xpuEvent_t event : events.live) must(xpuEventDestroy(event));
  for (const xpuExternalSemaphore_t semaphore : semaphores.live)
    must(xpuDestroyExternalSemaphore(semaphore));
  for (const xpuUserObject_t object : objects.live)
    while (xpuUserObjectRelease(object, 1) == xpuSuccess) continue;
  for (const Memory& memory : memories)
    must(memory.host ? xpuFreeHost(memory.address) : xpuFree(memory.address));
  must(xpuDeviceGraphMemTrim(0));
}

void* World::stranger() const { return streams.live.empty() ? nullptr : streams.live[0]; }

std::vector<xpuGraphNode_t> World::some_nodes(Bytes& in) {
  std::vector<xpuGraphNode_t> chosen;
  for (unsigned n = in.pick(5); n > 0; n--) chosen.push_back(node(in));
  return chosen;
}

void World::forget(void* address) {
  std::erase_if(memories, [&](const Memory& memory) { return memory.address == address; });
}

void World::look_at(xpuGraph_t graph) {
  size_t count = 0;
  if (xpuGraphGetNodes(graph, nullptr, &count) != xpuSuccess) return;
  std::vector<xpuGraphNode_t> all(count);
  if (count) must(xpuGraphGetNodes(graph, all.data(), &count));
  for (const xpuGraphNode_t node : all)
    if (std::find(nodes.live.begin(), nodes.live.end(), node) == nodes.live.end()) nodes.add(node);
}

}  // namespace fuzz
