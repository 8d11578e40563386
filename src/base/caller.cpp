// SPDX-License-Identifier: Apache-2.0
// Reads the stack up to where it leaves the library.
#include "base/caller.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace xpu {
namespace {

constexpr int kMostFrames = 64;

std::string hex(const char* from, const void* to) {
  char text[32];
  std::snprintf(text, sizeof text, "+0x%" PRIxPTR,
                reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from));
  return text;
}

std::string describe(const Dl_info& in, const void* address) {
  const char* slash = in.dli_fname ? std::strrchr(in.dli_fname, '/') : nullptr;
  std::string text = slash ? slash + 1 : in.dli_fname ? in.dli_fname : "?";
  text += hex(static_cast<const char*>(in.dli_fbase), address);
  if (!in.dli_sname) return text;
  return text + " (" + in.dli_sname + hex(static_cast<const char*>(in.dli_saddr), address) + ")";
}

}  // namespace

std::string describe_caller() {
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  Dl_info own = {};
  (void)dladdr(reinterpret_cast<const void*>(&describe_caller), &own);
  std::string call, from;
  bool inside = false;
  for (int i = 0; i < count; i++) {
    // A return address is behind its call, which may be the last of its function.
    const char* const at = static_cast<const char*>(frames[i]) - 1;
    Dl_info in = {};
    if (!dladdr(at, &in)) continue;
    if (in.dli_fbase != own.dli_fbase) {
      // A sanitizer stands in front of backtrace() itself.
      if (!inside) continue;
      from = describe(in, at);
      break;
    }
    inside = true;
    // Only entry points have names, and the outermost one is what the program called.
    if (in.dli_sname) call = in.dli_sname;
  }
  std::string text = call.empty() ? "" : "by " + call;
  if (!from.empty()) text += (text.empty() ? "" : ", ") + ("called from " + from);
  return text + (text.empty() ? "in thread " : " in thread ") + std::to_string(gettid());
}

}  // namespace xpu
