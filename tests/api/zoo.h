// SPDX-License-Identifier: Apache-2.0
// One live and one dead handle of every type, and words that are no handles, to be given to every
// call that takes a handle.
#pragma once

#include "ground.h"

namespace xpu::test {

enum class Kind { stream, event, module, kernel, graph, node, exec };
inline constexpr int kKinds = 7;

struct Zoo {
  void* live[kKinds];
  void* dead[kKinds];

  xpuStream_t stream() const { return static_cast<xpuStream_t>(at(Kind::stream)); }
  xpuEvent_t event() const { return static_cast<xpuEvent_t>(at(Kind::event)); }
  xpuModule_t module() const { return static_cast<xpuModule_t>(at(Kind::module)); }
  xpuKernel_t kernel() const { return static_cast<xpuKernel_t>(at(Kind::kernel)); }
  xpuGraph_t graph() const { return static_cast<xpuGraph_t>(at(Kind::graph)); }
  xpuGraphNode_t node() const { return static_cast<xpuGraphNode_t>(at(Kind::node)); }
  xpuGraphExec_t exec() const { return static_cast<xpuGraphExec_t>(at(Kind::exec)); }

 private:
  void* at(Kind kind) const { return live[static_cast<int>(kind)]; }
};
inline Zoo zoo;

inline void make_handles(void** h) {
  const xpuGraph_t graph = new_graph();
  h[static_cast<int>(Kind::stream)] = new_stream();
  h[static_cast<int>(Kind::event)] = new_event();
  const xpuModule_t module = load_kernels();
  h[static_cast<int>(Kind::module)] = module;
  xpuKernel_t found = nullptr;
  assert_ok(xpuModuleGetKernel(&found, module, "noop"));
  h[static_cast<int>(Kind::kernel)] = found;
  h[static_cast<int>(Kind::graph)] = graph;
  h[static_cast<int>(Kind::exec)] = instantiate(graph);
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddEmptyNode(&node, graph, nullptr, 0));
  h[static_cast<int>(Kind::node)] = node;
}

inline void end_handles(void** h) {
  assert_ok(xpuGraphExecDestroy(static_cast<xpuGraphExec_t>(h[static_cast<int>(Kind::exec)])));
  assert_ok(xpuGraphDestroy(static_cast<xpuGraph_t>(h[static_cast<int>(Kind::graph)])));
  assert_ok(xpuModuleUnload(static_cast<xpuModule_t>(h[static_cast<int>(Kind::module)])));
  assert_ok(xpuEventDestroy(static_cast<xpuEvent_t>(h[static_cast<int>(Kind::event)])));
  assert_ok(xpuStreamDestroy(static_cast<xpuStream_t>(h[static_cast<int>(Kind::stream)])));
}

inline int open_zoo(void**) {
  make_handles(zoo.dead);
  end_handles(zoo.dead);
  make_handles(zoo.live);
  return 0;
}
inline int close_zoo(void**) {
  end_handles(zoo.live);
  return 0;
}

// A word, as a handle of whatever type is wanted.
struct Word {
  void* word;
  template <class T>
  operator T*() const {
    return static_cast<T*>(word);
  }
};

struct HandleRow {
  Kind kind;
  const char* function;
  const char* argument;
  xpuError_t (*call)(Word h);
  bool null_is_fine;
  xpuError_t code;  // xpuSuccess: the one that is usual for the kind
};

inline xpuError_t code_of_bad(Kind kind) {
  return kind == Kind::graph || kind == Kind::node || kind == Kind::exec
             ? xpuErrorInvalidValue
             : xpuErrorInvalidResourceHandle;
}
inline xpuError_t code_of_null(const HandleRow& row) {
  // A kernel that is made from a native module is an object like a stream.
  if (row.kind == Kind::kernel && strcmp(row.function, "xpuKernelDestroy") != 0)
    return xpuErrorInvalidDeviceFunction;
  return code_of_bad(row.kind);
}

inline int wrong_for(const HandleRow& row, void* word, const char* what, xpuError_t code) {
  (void)xpuGetLastError();
  clear_outs();
  const Refusal refusal = {row.function, row.argument, what, nullptr, code};
  const xpuError_t got = row.call({word});
  const char* about = wrong_about(refusal, got);
  if (!about) return 0;
  const xpuErrorInfo info = last_failure();
  print_error("%s(%s = %s): wrong is %s; gave %s, expected %s; told %s(%s): %s\n", row.function,
              row.argument, what, about, xpuGetErrorName(got), xpuGetErrorName(code), info.function,
              info.argument, info.sentence);
  return 1;
}

// Gives every bad word to one call; the number of answers that are not right.
inline int wrong_answers(const HandleRow& row) {
  static const char* const others[kKinds] = {"a live stream",    "a live event", "a live module",
                                             "a live kernel",    "a live graph", "a live node",
                                             "a live executable"};
  static long long somewhere[8];
  const int own = static_cast<int>(row.kind);
  const xpuError_t bad = row.code ? row.code : code_of_bad(row.kind);
  const uintptr_t live = reinterpret_cast<uintptr_t>(zoo.live[own]);
  const auto word = [](uintptr_t value) { return reinterpret_cast<void*>(value); };
  int local = 0, wrong = 0;
  const struct {
    void* word;
    const char* what;
  } garbage[] = {
      {zoo.dead[own], "a destroyed one"},
      {word(row.kind == Kind::stream ? 3 : 1), "a small number"},
      {word(UINTPTR_MAX), "-1"},
      {word(0x7fffffffffff), "the highest user address"},
      {word(uintptr_t{1} << 63), "the lowest negative number"},
      {&local, "a stack address"},
      {somewhere, "a static object"},
      {word(live ^ 1), "a live one with its lowest bit turned"},
      {word(live ^ (uintptr_t{1} << 20)), "a live one with bit 20 turned"},
      {word(live ^ (uintptr_t{1} << 40)), "a live one with bit 40 turned"},
      {word(live ^ (uintptr_t{1} << 55)), "a live one with bit 55 turned"},
      {word(live << 8), "a live one, shifted"},
  };
  for (const auto& g : garbage) wrong += wrong_for(row, g.word, g.what, bad);
  for (int other = 0; other < kKinds; other++)
    if (other != own) wrong += wrong_for(row, zoo.live[other], others[other], bad);
  if (!row.null_is_fine)
    wrong += wrong_for(row, nullptr, "NULL", row.code ? row.code : code_of_null(row));
  return wrong;
}

inline int count_wrong_answers(const HandleRow* rows, size_t count) {
  int wrong = 0;
  for (size_t i = 0; i < count; i++) wrong += wrong_answers(rows[i]);
  return wrong;
}
#define assert_no_bad_handle_taken(rows) \
  assert_int_equal(0, xpu::test::count_wrong_answers(rows, sizeof(rows) / sizeof *(rows)))

// `h` is the bad handle.
#define HANDLE_ROW(kind, code, null_is_fine, function, argument, ...)                            \
  {                                                                                              \
    Kind::kind, #function, argument, [](Word h) -> xpuError_t { return function(__VA_ARGS__); }, \
        null_is_fine, code                                                                       \
  }
#define HANDLE(kind, ...) HANDLE_ROW(kind, xpuSuccess, false, __VA_ARGS__)
#define HANDLE_OR_NULL(kind, ...) HANDLE_ROW(kind, xpuSuccess, true, __VA_ARGS__)

}  // namespace xpu::test
