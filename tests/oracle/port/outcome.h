// SPDX-License-Identifier: Apache-2.0
// What a case prints, and how it is registered.
#pragma once

#include <stdarg.h>
#include <unistd.h>
#include <functional>
#include <utility>
#include <vector>
#include "oracle/port/names.h"

// Tokens go out at once, so that a case that dies still shows how far it came.
struct Stop {};

inline int& p_fd() {
  static int fd = 1;
  return fd;
}
inline void p_write(const std::string& s) {
  size_t at = 0;
  while (at < s.size()) {
    ssize_t n = write(p_fd(), s.data() + at, s.size() - at);
    if (n <= 0) return;
    at += (size_t)n;
  }
}
inline void __attribute__((format(printf, 1, 2))) say(const char* format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p_write(std::string(" ") + text);
}
inline Err rc(Err e) {
  say("%s", err_name(e).c_str());
  return e;
}
inline Err rc(const char* label, Err e) {
  say("%s=%s", label, err_name(e).c_str());
  return e;
}
inline void val(const char* label, long long v) { say("%s=%lld", label, v); }
template <class T>
void vals(const char* label, const std::vector<T>& v) {
  std::string s;
  for (size_t i = 0; i < v.size(); i++) s += (i ? "," : "") + std::to_string((long long)v[i]);
  p_write(std::string(" ") + label + "=" + s);
}
inline void ptr_state(const char* label, const void* p) { say("%s=%s", label, p ? "set" : "NULL"); }

inline void p_require(Err e, const char* what) {
  if (e == P(Success)) return;
  std::string name = what;  // `P(GraphCreate)(&g, 0)` -> GraphCreate
  size_t open = name.find('('), close = name.find(')');
  if (open != std::string::npos && close != std::string::npos && close > open)
    name = name.substr(open + 1, close - open - 1);
  say("[%s:%s]", name.c_str(), err_name(e).c_str());
  throw Stop();
}
#define OK(call) p_require((call), #call)

struct Case {
  std::string id;
  std::function<void()> body;
};
inline std::vector<Case>& p_cases() {
  static std::vector<Case> all;
  return all;
}
struct Register {
  Register(const std::string& id, std::function<void()> body) {
    p_cases().push_back({id, std::move(body)});
  }
};
struct RegisterMany {
  explicit RegisterMany(void (*fill)()) { fill(); }
};
inline void add_case(const std::string& id, std::function<void()> body) {
  p_cases().push_back({id, std::move(body)});
}

#define P_CAT_(a, b) a##b
#define P_CAT(a, b) P_CAT_(a, b)
#define CASE(id)                                                          \
  static void P_CAT(case_, __LINE__)();                                   \
  static Register P_CAT(register_, __LINE__){id, P_CAT(case_, __LINE__)}; \
  static void P_CAT(case_, __LINE__)()
// CASES { for (...) add_case("id." + name, [=] { ... }); }
#define CASES                                                              \
  static void P_CAT(cases_, __LINE__)();                                   \
  static RegisterMany P_CAT(register_, __LINE__){P_CAT(cases_, __LINE__)}; \
  static void P_CAT(cases_, __LINE__)()
