// SPDX-License-Identifier: Apache-2.0
// Threads, and host functions that hold a stream back.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include "oracle/port/capture.h"

template <class F>
void in_thread(F f) {
  std::thread t([&] {
    try {
      f();
    } catch (const Stop&) {
    }
  });
  t.join();
}
// Runs f(0) .. f(n - 1) at once; a thread whose set-up fails just ends.
template <class F>
void in_threads(int n, F f) {
  std::vector<std::thread> all;
  for (int i = 0; i < n; i++)
    all.emplace_back([=, &f] {
      try {
        f(i);
      } catch (const Stop&) {
      }
    });
  for (auto& t : all) t.join();
}
inline void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
template <class F>
bool wait_until(F done, int ms = 4000) {
  for (int i = 0; i < ms && !done(); i++) pause_ms(1);
  return done();
}

// Holds back the stream it is queued in until open(), or for four seconds.
struct Gate {
  std::atomic<bool> opened{false};
  std::atomic<int> entered{0}, left{0};
  void open() { opened = true; }
  bool reached(int times = 1) {
    return wait_until([this, times] { return entered >= times; });
  }
};
inline void gate_fn(void* user) {
  Gate* g = (Gate*)user;
  g->entered++;
  for (int i = 0; i < 4000 && !g->opened; i++) pause_ms(1);
  g->left++;
}
inline void hold(Stream s, Gate& g) { OK(P(LaunchHostFunc)(s, gate_fn, &g)); }

inline void count_fn(void* user) { (*(std::atomic<int>*)user)++; }

// Host functions that note the order in which they ran.
struct Journal {
  std::mutex lock;
  std::string text;
  void write(char c) {
    std::lock_guard<std::mutex> hold(lock);
    text += c;
  }
};
struct Entry {
  Journal* journal;
  char letter;
  int sleep_ms;
};
inline void journal_fn(void* user) {
  Entry* e = (Entry*)user;
  if (e->sleep_ms) pause_ms(e->sleep_ms);
  e->journal->write(e->letter);
}
