// SPDX-License-Identifier: Apache-2.0
// Functions of the program that the library calls: host functions and destructors of user objects,
// on threads of its own, and functions that are asked about a recapture.
//
// A call of the library from inside one may wait for work that waits for that very function, so the
// door refuses it. Nothing of the library is locked while one runs.
#pragma once

namespace xpu {

struct Callback {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};

// Every entry point asks. "initial-exec" makes that one load instead of a call, and takes a byte of
// the thread memory that the loader keeps for libraries that are opened late.
[[gnu::tls_model("initial-exec")]] inline thread_local constinit bool in_callback = false;

// Shuts the door to this thread as long as it lives.
class InCallback {
 public:
  InCallback() noexcept : before_(in_callback) { in_callback = true; }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
  ~InCallback() { in_callback = before_; }

 private:
  const bool before_;
};

// Calls it. `callback` is a Callback*; in the form that drivers call host functions in.
void call_back(void* callback) noexcept;

// A callback that is called once, as what call_back_once() takes. Never freed, but used again.
void* make_once(Callback callback);
void call_back_once(void* once) noexcept;
// It will not be called.
void drop_once(void* once) noexcept;

}  // namespace xpu
