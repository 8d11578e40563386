// SPDX-License-Identifier: Apache-2.0
// Descriptors of both kinds that the CPU driver takes for external semaphores, and the same seen by
// another program: what it signals and what it can tell.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ground.h"

namespace xpu::test {

inline xpuExternalSemaphore_t import(xpuExternalSemaphoreHandleType type, int fd) {
  xpuExternalSemaphoreHandleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.type = type;
  desc.handle.fd = fd;
  xpuExternalSemaphore_t semaphore = nullptr;
  assert_ok(xpuImportExternalSemaphore(&semaphore, &desc));
  assert_non_null(semaphore);
  return semaphore;
}

// A semaphore that counts signals; `fd` is the other program's descriptor of it.
struct Counted {
  xpuExternalSemaphore_t handle = nullptr;
  int fd = -1;

  void open() {
    fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    handle = import(xpuExternalSemaphoreHandleTypeOpaqueFd, dup(fd));
  }
  void close() {
    assert_ok(xpuDestroyExternalSemaphore(handle));
    assert_int_equal(0, ::close(fd));
  }
  void signal() { assert_int_equal(0, eventfd_write(fd, 1)); }
  // Takes a signal if there is one.
  bool take() {
    struct pollfd ready = {fd, POLLIN, 0};
    eventfd_t taken = 0;
    return poll(&ready, 1, 0) == 1 && eventfd_read(fd, &taken) == 0;
  }
};

// A timeline; `value` is the other program's view of it.
struct Timeline {
  xpuExternalSemaphore_t handle = nullptr;
  std::atomic<uint64_t>* value = nullptr;

  void open(uint64_t first = 0) {
    const int fd = memfd_create("timeline", MFD_CLOEXEC);
    assert_int_equal(0, ftruncate(fd, sizeof *value));
    void* page = mmap(nullptr, sizeof *value, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(page != MAP_FAILED);
    value = static_cast<std::atomic<uint64_t>*>(page);
    *value = first;
    handle = import(xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd, fd);
  }
  void close() {
    assert_ok(xpuDestroyExternalSemaphore(handle));
    munmap(static_cast<void*>(value), sizeof *value);
  }
};

inline xpuExternalSemaphoreSignalParams signal_of(uint64_t value = 0) {
  xpuExternalSemaphoreSignalParams params = {};
  params.params.fence.value = value;
  return params;
}
inline xpuExternalSemaphoreWaitParams wait_of(uint64_t value = 0) {
  xpuExternalSemaphoreWaitParams params = {};
  params.params.fence.value = value;
  return params;
}

inline void signal(xpuExternalSemaphore_t semaphore, xpuStream_t stream, uint64_t value = 0) {
  const xpuExternalSemaphoreSignalParams params = signal_of(value);
  assert_ok(xpuSignalExternalSemaphoresAsync(&semaphore, &params, 1, stream));
}
inline void wait(xpuExternalSemaphore_t semaphore, xpuStream_t stream, uint64_t value = 0) {
  const xpuExternalSemaphoreWaitParams params = wait_of(value);
  assert_ok(xpuWaitExternalSemaphoresAsync(&semaphore, &params, 1, stream));
}

inline xpuGraphNode_t add_signal(xpuGraph_t graph, xpuGraphNode_t after,
                                 xpuExternalSemaphore_t semaphore, uint64_t value = 0) {
  const xpuExternalSemaphoreSignalParams what = signal_of(value);
  const xpuExternalSemaphoreSignalNodeParams params = {sizeof params, 1, &semaphore, &what};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddExternalSemaphoresSignalNode(&node, graph, &after, after ? 1 : 0, &params));
  return node;
}
inline xpuGraphNode_t add_wait(xpuGraph_t graph, xpuGraphNode_t after,
                               xpuExternalSemaphore_t semaphore, uint64_t value = 0) {
  const xpuExternalSemaphoreWaitParams what = wait_of(value);
  const xpuExternalSemaphoreWaitNodeParams params = {sizeof params, 1, &semaphore, &what};
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddExternalSemaphoresWaitNode(&node, graph, &after, after ? 1 : 0, &params));
  return node;
}

}  // namespace xpu::test
