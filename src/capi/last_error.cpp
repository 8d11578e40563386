// SPDX-License-Identifier: Apache-2.0
// The thread's record of its last failure.
#include "capi/last_error.h"

#include <new>

#include "base/log.h"

namespace xpu::capi {
namespace {

// Apart from the words, because reading it must not construct them in threads that never fail, and
// because it must be there when they are gone.
thread_local constinit xpuError_t pending = xpuSuccess;

enum class State : uint8_t { none, there, gone };
thread_local constinit State state = State::none;

struct Facts {
  xpuError_t code = xpuSuccess;
  uint32_t native = 0;
  const char* function = "";
};
thread_local constinit Facts facts;

struct Words {
  std::string argument;
  std::string sentence;
  Words() noexcept { state = State::there; }
  ~Words() { state = State::gone; }
};
thread_local Words words;

void store(const char* argument, const char* sentence) noexcept try {
  if (state == State::gone) return;
  words.argument = argument;
  words.sentence = sentence;
} catch (const std::bad_alloc&) {
  words.argument.clear();
  words.sentence.clear();
}

}  // namespace

xpuError_t record_failure(const char* function, const Status& status) noexcept {
  const xpuError_t code = status.code();
  if (code == xpuErrorNotReady || code == xpuSuccess) return code;
  pending = code;
  const Status::Detail& detail = *status.detail();
  facts = {code, detail.native, function};
  store(detail.argument.c_str(), detail.sentence.c_str());
  XPU_LOG(info, "%s: error %d (%s%s%s)", function, static_cast<int>(code), detail.argument.c_str(),
          detail.argument.empty() ? "" : ": ", detail.sentence.c_str());
  return code;
}

xpuError_t record_failure(const char* function, xpuError_t code, const char* sentence) noexcept {
  pending = code;
  facts = {code, 0, function};
  store("", sentence);
  XPU_LOG(info, "%s: error %d (%s)", function, static_cast<int>(code), sentence);
  return code;
}

xpuError_t peek_last_error() noexcept { return pending; }

xpuError_t take_last_error() noexcept {
  const xpuError_t code = pending;
  pending = xpuSuccess;
  return code;
}

LastError last_failure() noexcept {
  LastError last = {facts.code, facts.native, facts.function, "", ""};
  if (state == State::there) {
    last.argument = words.argument.c_str();
    last.sentence = words.sentence.c_str();
  } else if (state == State::gone && last.code != xpuSuccess) {
    last.sentence = "the words of this failure are gone: the thread is ending";
  }
  return last;
}

}  // namespace xpu::capi
