// SPDX-License-Identifier: Apache-2.0
// A driver without external semaphores and without waits for values in memory: what needs them is
// refused with a reason, and the rest goes on.
#include <sys/eventfd.h>
#include <unistd.h>

#include "ground.h"

using namespace xpu::test;

static void refused_with_a_reason(xpuError_t got, const char* argument, const char* reason) {
  assert_int_equal(xpuErrorNotSupported, got);
  const xpuErrorInfo info = last_failure();
  assert_string_equal(argument, info.argument);
  assert_non_null(strstr(info.sentence, reason));
  (void)xpuGetLastError();
}

static void semaphores_are_not_imported(void**) {
  const int fd = eventfd(0, EFD_CLOEXEC);
  xpuExternalSemaphoreHandleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.type = xpuExternalSemaphoreHandleTypeOpaqueFd;
  desc.handle.fd = fd;
  xpuExternalSemaphore_t semaphore = nullptr;
  refused_with_a_reason(xpuImportExternalSemaphore(&semaphore, &desc), "",
                        "ZE_extension_external_semaphores");
  assert_null(semaphore);
  assert_int_equal(0, close(fd));
}

static void values_are_written_and_not_waited_for(void**) {
  void* memory = nullptr;
  assert_ok(xpuMallocHost(&memory, 64));
  uint32_t* const word = static_cast<uint32_t*>(memory);
  *word = 0;
  const xpuStream_t stream = new_stream();
  assert_ok(xpuStreamWriteValue32(stream, word, 5, 0));
  refused_with_a_reason(xpuStreamWaitValue32(stream, word, 5, 0), "stream",
                        "zexCommandListAppendWaitOnMemory");
  refused_with_a_reason(xpuStreamWaitValue64(stream, word, 5, 0), "stream",
                        "zexCommandListAppendWaitOnMemory");
  xpuStreamBatchMemOpParams both[2] = {};
  both[0].writeValue.operation = xpuStreamMemOpWriteValue32;
  both[0].writeValue.address = word;
  both[0].writeValue.value64 = 9;
  both[1] = both[0];
  both[1].writeValue.operation = xpuStreamMemOpWaitValue32;
  refused_with_a_reason(xpuStreamBatchMemOp(stream, 2, both, 0), "paramArray[1].operation",
                        "zexCommandListAppendWaitOnMemory");
  assert_ok(xpuStreamSynchronize(stream));
  assert_int_equal(5, *word);  // nothing of the batch was done
  assert_ok(xpuStreamDestroy(stream));
  assert_ok(xpuFreeHost(memory));
}

int main() {
  const Test tests[] = {
      xpu_test(semaphores_are_not_imported),
      xpu_test(values_are_written_and_not_waited_for),
  };
  return run_all(tests);
}
