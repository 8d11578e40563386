// SPDX-License-Identifier: Apache-2.0
// External semaphores at the driver's own level: which descriptors are taken, which lists, and that
// another process is the other side.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>

#include "world.h"

using namespace world;

static ze_result_t import(uint32_t type, int fd, ze_external_semaphore_ext_handle_t* out) {
  ze_external_semaphore_fd_ext_desc_t descriptor{};
  descriptor.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC;
  descriptor.fd = fd;
  ze_external_semaphore_ext_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC;
  desc.pNext = &descriptor;
  desc.flags = type;
  return ze(DeviceImportExternalSemaphoreExt)(device(), &desc, out);
}
constexpr uint32_t kOpaque = ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD;
constexpr uint32_t kTimeline = ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD;

static ze_result_t wait_in(ze_command_list_handle_t list, ze_external_semaphore_ext_handle_t what,
                           uint64_t value = 0, ze_event_handle_t signal = nullptr) {
  ze_external_semaphore_wait_params_ext_t params{};
  params.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT;
  params.value = value;
  return ze(CommandListAppendWaitExternalSemaphoreExt)(list, 1, &what, &params, signal, 0, nullptr);
}
static ze_result_t signal_in(ze_command_list_handle_t list, ze_external_semaphore_ext_handle_t what,
                             uint64_t value = 0, ze_event_handle_t after = nullptr) {
  ze_external_semaphore_signal_params_ext_t params{};
  params.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT;
  params.value = value;
  return ze(CommandListAppendSignalExternalSemaphoreExt)(list, 1, &what, &params, nullptr,
                                                         after ? 1 : 0, after ? &after : nullptr);
}

static void only_descriptors_of_the_type_are_taken(void**) {
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const int counter = eventfd(0, EFD_CLOEXEC), empty = memfd_create("empty", MFD_CLOEXEC);

  assert_int_equal(import(kOpaque, ends[0], &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(import(kOpaque, -1, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(import(kTimeline, counter, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  // A file that is too short for a value would end the process at the first look.
  assert_int_equal(import(kTimeline, empty, &semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(import(2, counter, &semaphore), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  assert_int_equal(import(kOpaque | kTimeline, counter, &semaphore),
                   ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  ze_external_semaphore_ext_desc_t desc{};
  desc.flags = kOpaque;
  assert_int_equal(ze(DeviceImportExternalSemaphoreExt)(device(), &desc, &semaphore),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ze(DeviceImportExternalSemaphoreExt)(device(), nullptr, &semaphore),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_int_equal(ze(DeviceImportExternalSemaphoreExt)(nullptr, &desc, &semaphore),
                   ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_null(semaphore);
  for (int fd : {ends[0], ends[1], counter, empty}) assert_int_equal(close(fd), 0);
}

static void only_immediate_lists_and_live_semaphores_are_taken(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kOpaque, fd, &semaphore));
  ze_command_list_handle_t closed = regular(), list = immediate();

  assert_int_equal(wait_in(closed, semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(signal_in(closed, semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(signal_in(list, nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(ze(CommandListAppendSignalExternalSemaphoreExt)(list, 1, nullptr, nullptr,
                                                                   nullptr, 0, nullptr),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  assert_int_equal(wait_in(list, semaphore), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ze(DeviceReleaseExternalSemaphoreExt)(semaphore),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  sync(list);
  GOOD(ze(CommandListDestroy)(closed));
  GOOD(ze(CommandListDestroy)(list));
  assert_int_equal(close(fd), 0);
}

static void a_wait_holds_its_list_and_signals_its_event(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kOpaque, fd, &semaphore));
  uint32_t* data = words(1, 1);
  ze_event_handle_t done = event();
  // Both are of one hardware queue.
  ze_command_list_handle_t waiting = immediate(), other = immediate();
  GOOD(wait_in(waiting, semaphore, 0, done));
  launch_add(waiting, data, 1, 10);
  launch_add(other, data, 1, 1);
  sync(other);

  assert_int_equal(data[0], 2);
  assert_int_equal(ze(EventQueryStatus)(done), ZE_RESULT_NOT_READY);
  GOOD(signal_in(other, semaphore));
  sync(waiting);
  assert_int_equal(data[0], 12);
  GOOD(ze(EventQueryStatus)(done));
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  GOOD(ze(CommandListDestroy)(waiting));
  GOOD(ze(CommandListDestroy)(other));
  destroy_event(done);
  give_back(data);
  assert_int_equal(close(fd), 0);
}

static void a_signal_waits_for_its_event(void**) {
  const int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kOpaque, fd, &semaphore));
  ze_event_handle_t before = event();
  ze_command_list_handle_t list = immediate();
  eventfd_t count = 0;
  GOOD(signal_in(list, semaphore, 0, before));

  assert_int_equal(ze(CommandListHostSynchronize)(list, 20000000), ZE_RESULT_NOT_READY);
  assert_int_equal(eventfd_read(fd, &count), -1);
  GOOD(ze(EventHostSignal)(before));
  sync(list);
  assert_int_equal(eventfd_read(fd, &count), 0);
  assert_int_equal(count, 1);
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  GOOD(ze(CommandListDestroy)(list));
  destroy_event(before);
  assert_int_equal(close(fd), 0);
}

static void a_full_counter_blocks_nobody(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kOpaque, fd, &semaphore));
  const eventfd_t most = UINT64_MAX - 1;
  assert_int_equal(eventfd_write(fd, most), 0);
  ze_command_list_handle_t list = immediate();
  GOOD(signal_in(list, semaphore));
  sync(list);

  eventfd_t count = 0;
  assert_int_equal(eventfd_read(fd, &count), 0);
  assert_true(count == most);
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  GOOD(ze(CommandListDestroy)(list));
  assert_int_equal(close(fd), 0);
}

// The driver's calls, too: a signal that it sees is taken by somebody else before it can.
static std::atomic<int> thief{-1}, looks{0};
extern "C" __attribute__((visibility("default"))) int poll(struct pollfd* all, nfds_t count,
                                                           int milliseconds) {
  const struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  const int ready = ppoll(all, count, milliseconds < 0 ? nullptr : &most, nullptr);
  looks++;
  const int fd = ready == 1 ? thief.exchange(-1) : -1;
  eventfd_t stolen = 0;
  if (fd >= 0) (void)eventfd_read(fd, &stolen);
  return ready;
}

static void a_wait_whose_signal_another_one_takes_looks_again(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kOpaque, fd, &semaphore));
  ze_command_list_handle_t list = immediate();
  thief = fd;
  assert_int_equal(eventfd_write(fd, 1), 0);
  GOOD(wait_in(list, semaphore));
  while (thief >= 0) usleep(1000);
  // A wait that is stuck in a read would not come back to this, and no process end would reach it.
  const int seen = looks;
  for (int i = 0; i < 2000 && looks < seen + 2; i++) usleep(1000);
  const bool looked = looks >= seen + 2;
  assert_int_equal(ze(CommandListHostSynchronize)(list, 0), ZE_RESULT_NOT_READY);
  assert_int_equal(eventfd_write(fd, 1), 0);
  sync(list);

  assert_true(looked);
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  GOOD(ze(CommandListDestroy)(list));
  assert_int_equal(close(fd), 0);
}

// The child writes the value and wakes nobody, as a program might that knows only memory.
static void another_process_moves_a_timeline_on(void**) {
  const int fd = memfd_create("timeline", MFD_CLOEXEC);
  assert_int_equal(ftruncate(fd, sizeof(uint64_t)), 0);
  auto* value = static_cast<std::atomic<uint64_t>*>(
      mmap(nullptr, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ze_external_semaphore_ext_handle_t semaphore = nullptr;
  GOOD(import(kTimeline, fd, &semaphore));
  assert_int_equal(close(fd), 0);
  ze_command_list_handle_t list = immediate();
  const uint64_t far = (uint64_t{1} << 32) + 7;  // more than a futex has bits
  GOOD(wait_in(list, semaphore, far));
  GOOD(signal_in(list, semaphore, far + 1));
  assert_int_equal(ze(CommandListHostSynchronize)(list, 20000000), ZE_RESULT_NOT_READY);
  const pid_t child = fork();
  if (child == 0) {
    value->store(far);
    while (value->load() != far + 1) usleep(1000);
    _exit(3);
  }
  sync(list);

  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(WEXITSTATUS(status), 3);
  GOOD(ze(DeviceReleaseExternalSemaphoreExt)(semaphore));
  GOOD(ze(CommandListDestroy)(list));
  munmap(static_cast<void*>(value), sizeof(uint64_t));
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(only_descriptors_of_the_type_are_taken),
      cmocka_unit_test(only_immediate_lists_and_live_semaphores_are_taken),
      cmocka_unit_test(a_wait_holds_its_list_and_signals_its_event),
      cmocka_unit_test(a_signal_waits_for_its_event),
      cmocka_unit_test(a_full_counter_blocks_nobody),
      cmocka_unit_test(a_wait_whose_signal_another_one_takes_looks_again),
      cmocka_unit_test(another_process_moves_a_timeline_on),
  };
  return WORLD_RUN_TESTS(tests);
}
