// SPDX-License-Identifier: Apache-2.0
// The two kinds of descriptors that this driver takes: an eventfd for a semaphore whose signals are
// used up by waits, and a file of memory that begins with a 64-bit value for a timeline.
//
// A GPU driver takes descriptors of the kernel's synchronisation objects, which need a GPU.
#include "cpu/external_semaphore.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "cpu/device.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {
namespace {

// How long a waiting thread sleeps before it looks whether the process ends, and whether somebody
// has written a timeline without waking those who wait for it.
constexpr int kLookAgainMs = 10;

class EventFd final : public SharedCounter {
 public:
  // Takes the descriptor over.
  explicit EventFd(int fd) noexcept : fd_(fd) {}
  ~EventFd() override { close(fd_); }

  // One signal more than the counter can hold is none, or it would block the whole queue.
  void signal(uint64_t) noexcept override {
    const uint64_t one = 1;
    struct pollfd room = {fd_, POLLOUT, 0};
    int writable;
    while ((writable = poll(&room, 1, 0)) < 0 && errno == EINTR) {
    }
    if (writable != 1) return;
    while (::write(fd_, &one, sizeof one) < 0 && errno == EINTR) {
    }
  }
  // The value means nothing: a signal is there or not.
  void wait(uint64_t) noexcept override {
    while (!Workers::stopped()) {
      struct pollfd ready = {fd_, POLLIN, 0};
      if (poll(&ready, 1, kLookAgainMs) == 1 && take()) return;
    }
  }

 private:
  // Another waiter may have been faster. A plain read() would then block, and with it the end of
  // the process; whether descriptors block is the other program's to say.
  bool take() noexcept {
    uint64_t taken = 0;
    struct iovec to = {&taken, sizeof taken};
    const ssize_t got = preadv2(fd_, &to, 1, -1, RWF_NOWAIT);
    // Linux before 5.9 has no such reads of an eventfd.
    if (got < 0 && errno == EOPNOTSUPP) return ::read(fd_, &taken, sizeof taken) == sizeof taken;
    return got == sizeof taken;
  }

  const int fd_;
};

class Timeline final : public SharedCounter {
 public:
  static std::shared_ptr<SharedCounter> map(int fd) {
    void* page = mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) return nullptr;
    return std::make_shared<Timeline>(static_cast<uint64_t*>(page));
  }
  explicit Timeline(uint64_t* value) noexcept : value_(value) {}
  ~Timeline() override { munmap(value_, sizeof *value_); }

  // It never goes back.
  void signal(uint64_t value) noexcept override {
    std::atomic_ref now(*value_);
    uint64_t seen = now.load(std::memory_order_relaxed);
    while (seen < value && !now.compare_exchange_weak(seen, value, std::memory_order_acq_rel)) {
    }
    syscall(SYS_futex, low_half(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  void wait(uint64_t value) noexcept override {
    const struct timespec most = {0, kLookAgainMs * 1000000L};
    for (;;) {
      const uint64_t now = std::atomic_ref(*value_).load(std::memory_order_acquire);
      if (now >= value || Workers::stopped()) return;
      syscall(SYS_futex, low_half(), FUTEX_WAIT, static_cast<uint32_t>(now), &most, nullptr, 0);
    }
  }

 private:
  // What changes first; a futex has 32 bits.
  uint32_t* low_half() noexcept { return reinterpret_cast<uint32_t*>(value_); }

  uint64_t* const value_;
};

// An eventfd is told from other descriptors by its name alone.
bool is_eventfd(int fd) noexcept {
  char path[64], name[64] = {};
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return readlink(path, name, sizeof name - 1) > 0 && !std::strcmp(name, "anon_inode:[eventfd]");
}

bool holds_value(int fd) noexcept {
  struct stat facts = {};
  return fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_size >= static_cast<off_t>(sizeof(uint64_t));
}

std::shared_ptr<SharedCounter> open_counter(uint32_t type, int fd) {
  if (type == ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD)
    return holds_value(fd) ? Timeline::map(fd) : nullptr;
  if (!is_eventfd(fd)) return nullptr;
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return own < 0 ? nullptr : std::make_shared<EventFd>(own);
}

}  // namespace

ze_result_t zeDeviceImportExternalSemaphoreExt(ze_device_handle_t device,
                                               const ze_external_semaphore_ext_desc_t* desc,
                                               ze_external_semaphore_ext_handle_t* out) {
  if (!cast<Device>(device)) return refused(device);
  if (!desc || !out) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags != ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD &&
      desc->flags != ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD)
    return ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
  const auto* next = static_cast<const ze_base_desc_t*>(desc->pNext);
  if (!next || next->stype != ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const int fd = reinterpret_cast<const ze_external_semaphore_fd_ext_desc_t*>(next)->fd;
  std::shared_ptr<SharedCounter> counter = open_counter(desc->flags, fd);
  if (!counter) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return publish(std::make_shared<Semaphore>(std::move(counter)), out);
}

ze_result_t zeDeviceReleaseExternalSemaphoreExt(ze_external_semaphore_ext_handle_t semaphore) {
  return retire<Semaphore>(semaphore) ? ZE_RESULT_SUCCESS : refused(semaphore);
}

}  // namespace xpu::cpu
