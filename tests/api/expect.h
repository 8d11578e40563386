// SPDX-License-Identifier: Apache-2.0
// What the API tests expect of a call: success, or a refusal that is right in every respect.
#pragma once

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <needs.h>
#include <xpugraph/xpugraph.h>

namespace xpu::test {

inline void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, nullptr);
}

inline xpuErrorInfo last_failure() {
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  return info;
}

inline void require_code(xpuError_t got, xpuError_t expected, const char* call, const char* file,
                         int line) {
  if (got == expected) return;
  const xpuErrorInfo info = last_failure();
  print_error("%s:%d: %s\n  gave %s, expected %s\n  last failure: %s(%s): %s [0x%x]\n", file, line,
              call, xpuGetErrorName(got), xpuGetErrorName(expected), info.function, info.argument,
              info.sentence, info.nativeResult);
  _fail(file, line);
}

#define assert_ok(call) xpu::test::require_code((call), xpuSuccess, #call, __FILE__, __LINE__)
#define assert_code(call, code) xpu::test::require_code((call), (code), #call, __FILE__, __LINE__)

// What an event or another stream says to be finished, a query may learn a moment later.
#define assert_soon(query)                                                   \
  do {                                                                       \
    xpuError_t answer = xpuErrorNotReady;                                    \
    for (int i = 0; i < 5000 && answer == xpuErrorNotReady; i++) {           \
      answer = (query);                                                      \
      if (answer == xpuErrorNotReady) xpu::test::sleep_ms(1);                \
    }                                                                        \
    xpu::test::require_code(answer, xpuSuccess, #query, __FILE__, __LINE__); \
  } while (0)

// One call that must be refused. It writes only into `outs`, so that untouched outputs can be seen.
struct Refusal {
  const char* function;
  const char* argument;  // the parameter at fault, "" if the whole call is
  const char* what;      // is wrong
  xpuError_t (*call)();
  xpuError_t code;
};

// Everything that an entry point can write. Calls under test get their outputs from here.
struct Outs {
  xpuStream_t stream;
  xpuEvent_t event;
  xpuModule_t module;
  xpuKernel_t kernel;
  xpuGraph_t graph;
  xpuGraphNode_t node;
  xpuGraphNode_t from[8], to[8];
  xpuGraphEdgeData edges[8];
  xpuGraphExec_t exec;
  void* pointer;
  const xpuGraphNode_t* nodes;
  const xpuGraphEdgeData* edge_data;
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_list_handle_t list;
  ze_event_handle_t native_event;
  int number;
  int another;
  unsigned int word;
  unsigned long long wide;
  size_t size;
  size_t count;
  float ms;
  xpuGraphNodeType type;
  xpuStreamCaptureStatus status;
  xpuStreamCaptureMode mode;
  xpuDeviceProp prop;
  xpuPointerAttributes attributes;
  xpuKernelAttributes kernel_attributes;
  xpuKernelNodeParams kernel_params;
  xpuMemcpy3DParms copy_params;
  xpuMemsetParams fill_params;
  xpuHostNodeParams host_params;
};
inline Outs outs, outs_before;

inline void clear_outs() {
  memset(&outs, 0xa5, sizeof outs);
  outs.prop.struct_size = sizeof outs.prop;
  outs.attributes.struct_size = sizeof outs.attributes;
  outs.kernel_attributes.struct_size = sizeof outs.kernel_attributes;
  outs.kernel_params.struct_size = sizeof outs.kernel_params;
  outs.copy_params.struct_size = sizeof outs.copy_params;
  outs.fill_params.struct_size = sizeof outs.fill_params;
  outs.host_params.struct_size = sizeof outs.host_params;
  outs.count = 8;
  outs.mode = xpuStreamCaptureModeGlobal;
  memcpy(&outs_before, &outs, sizeof outs);
}

// The parameter, or a part of it: "pNodeParams" names "pNodeParams->func" too.
inline bool names(const char* told, const char* argument) {
  const size_t n = strlen(argument);
  if (n == 0) return *told == '\0';
  return strncmp(told, argument, n) == 0 && strchr("-.[", told[n]);
}

// The first thing that is not right about a refusal, nullptr if all is.
inline const char* wrong_about(const Refusal& r, xpuError_t got) {
  const xpuErrorInfo info = last_failure();
  if (got != r.code) return "code";
  if (xpuPeekAtLastError() != got) return "xpuPeekAtLastError";
  if (info.code != got) return "the code of xpuGetLastErrorInfo";
  if (!info.function || strcmp(info.function, r.function)) return "the function that is named";
  if (!info.argument || !names(info.argument, r.argument)) return "the argument that is named";
  if (!info.sentence || strlen(info.sentence) < 8) return "the sentence";
  if (memcmp(&outs, &outs_before, sizeof outs)) return "an output, which is not as before";
  if (xpuGetLastError() != got) return "xpuGetLastError";
  if (xpuPeekAtLastError() != xpuSuccess) return "xpuGetLastError, which did not clear the error";
  return nullptr;
}

// The number of rows that are refused otherwise than they say. Prints each.
inline int count_wrong(const Refusal* rows, size_t count) {
  int wrong = 0;
  for (size_t i = 0; i < count; i++) {
    (void)xpuGetLastError();
    clear_outs();
    const xpuError_t got = rows[i].call();
    const char* about = wrong_about(rows[i], got);
    if (!about) continue;
    const xpuErrorInfo info = last_failure();
    print_error("%s, %s %s: wrong is %s; gave %s, expected %s; told %s(%s): %s\n", rows[i].function,
                rows[i].argument, rows[i].what, about, xpuGetErrorName(got),
                xpuGetErrorName(rows[i].code), info.function, info.argument, info.sentence);
    wrong++;
  }
  return wrong;
}

#define REFUSED(code, function, argument, what, ...)                                      \
  {                                                                                       \
#function, argument, what, []() -> xpuError_t { return function(__VA_ARGS__); }, code \
  }
#define assert_all_refused(rows) \
  assert_int_equal(0, xpu::test::count_wrong(rows, sizeof(rows) / sizeof *(rows)))

}  // namespace xpu::test
