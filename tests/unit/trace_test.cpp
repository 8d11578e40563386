// SPDX-License-Identifier: Apache-2.0
// The timeline of XPUGRAPH_TRACE: what is written is valid, and nothing is written while it is off.
#include "base/trace.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <cmocka.h>
}

#include <new>
#include <thread>

#include "base/option.h"

static bool no_memory = false;

void* operator new(size_t size) {
  void* memory = no_memory ? nullptr : malloc(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }

namespace {

constexpr size_t kMax = 1 << 16;
char text[kMax];

// Reads a whole file into `text`; false if there is none.
bool read_all(const char* path) {
  FILE* file = fopen(path, "r");
  if (!file) return false;
  const size_t n = fread(text, 1, kMax - 1, file);
  text[n] = 0;
  fclose(file);
  return true;
}

size_t count_of(const char* needle) {
  size_t n = 0;
  for (const char* at = text; (at = strstr(at, needle)); at += strlen(needle)) n++;
  return n;
}

// Runs `work` in a child whose XPUGRAPH_TRACE is `path`, because the option is read once a process.
template <class F>
int in_child(const char* path, F work) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("XPUGRAPH_TRACE", path, 1);
    work();
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void a_zone_is_one_complete_event_with_nanoseconds(void**) {
  char path[] = "/tmp/xpugraph_trace_XXXXXX";
  close(mkstemp(path));
  {
    auto file = xpu::TraceFile::open(path);
    if (file) {
      file->add("encode", 1234567, 1234567 + 2005, 7);
      file->add("launch", 5000, 5001, -1);
    }
  }
  const bool there = read_all(path);
  unlink(path);

  assert_true(there);
  assert_int_equal(text[0], '[');
  assert_non_null(strstr(text, "\"name\":\"encode\",\"cat\":\"xpugraph\",\"ph\":\"X\""));
  assert_non_null(strstr(text, "\"ts\":1234.567,\"dur\":2.005,\"args\":{\"count\":7}},\n"));
  assert_non_null(strstr(text, "\"ts\":5.000,\"dur\":0.001}\n]\n"));
}

void zones_of_several_threads_are_all_there_after_exit(void**) {
  char path[] = "/tmp/xpugraph_trace_XXXXXX";
  close(mkstemp(path));
  const int code = in_child(path, [] {
    auto work = [] {
      for (int i = 0; i < 100; i++) {
        xpu::Zone zone("step");
        zone.set_count(i);
      }
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
  });
  const bool there = read_all(path);
  unlink(path);

  assert_int_equal(code, 0);
  assert_true(there);
  assert_int_equal(count_of("\"name\":\"step\""), 200);
  assert_int_equal(count_of("{\"count\":42}"), 2);
  assert_int_equal(count_of("},\n"), 199);
  assert_string_equal(text + strlen(text) - 4, "}\n]\n");
}

void nothing_is_traced_without_the_option(void**) {
  const int code = in_child("", [] {
    xpu::Zone zone("step");
    if (xpu::tracing()) exit(1);
  });

  assert_int_equal(code, 0);
}

void a_path_that_cannot_be_written_is_a_warning_not_a_failure(void**) {
  const int code = in_child("/nonexistent/folder/trace.json", [] {
    close(STDERR_FILENO);
    xpu::Zone zone("step");
    if (xpu::tracing()) exit(1);
  });

  assert_int_equal(code, 0);
}

// Every program comes by the first zone, most without a trace.
void the_first_zone_needs_no_memory_if_there_is_no_trace(void**) {
  const int status = in_child("", [] {
    (void)xpu::options();
    no_memory = true;
    const xpu::Zone zone("work");
    no_memory = false;
  });
  assert_int_equal(0, status);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_zone_is_one_complete_event_with_nanoseconds),
      cmocka_unit_test(zones_of_several_threads_are_all_there_after_exit),
      cmocka_unit_test(nothing_is_traced_without_the_option),
      cmocka_unit_test(a_path_that_cannot_be_written_is_a_warning_not_a_failure),
      cmocka_unit_test(the_first_zone_needs_no_memory_if_there_is_no_trace),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr) ? 1 : 0;
}
