// SPDX-License-Identifier: Apache-2.0
// Set-up steps that cases share: they end the case when the runtime refuses them.
#pragma once

#include <tuple>
#include "oracle/port/kernels.h"

inline Graph new_graph() {
  Graph g = NULL;
  OK(P(GraphCreate)(&g, 0));
  return g;
}
inline Stream new_stream() {
  Stream s = NULL;
  OK(P(StreamCreateWithFlags)(&s, P(StreamNonBlocking)));
  return s;
}
inline Event new_event() {
  Event e = NULL;
  OK(P(EventCreate)(&e));
  return e;
}
inline int* dev_ints(size_t n, int byte_value = 0) {
  void* p = NULL;
  OK(P(Malloc)(&p, n * sizeof(int)));
  OK(P(Memset)(p, byte_value, n * sizeof(int)));
  OK(P(DeviceSynchronize)());
  return (int*)p;
}
inline unsigned char* dev_bytes(size_t n, int byte_value = 0) {
  void* p = NULL;
  OK(P(Malloc)(&p, n));
  OK(P(Memset)(p, byte_value, n));
  OK(P(DeviceSynchronize)());
  return (unsigned char*)p;
}
template <class T = int>
T* pinned(size_t n) {
  void* p = NULL;
  OK(P(MallocHost)(&p, n * sizeof(T)));
  memset(p, 0, n * sizeof(T));
  return (T*)p;
}
template <class T>
std::vector<T> fetch(const T* p, size_t n) {
  std::vector<T> v(n);
  OK(P(DeviceSynchronize)());
  OK(P(Memcpy)(v.data(), p, n * sizeof(T), P(MemcpyDeviceToHost)));
  return v;
}
inline int fetch1(const int* p, int i = 0) { return fetch(p + i, 1)[0]; }
template <class T>
void store(T* p, const std::vector<T>& v) {
  OK(P(Memcpy)(p, v.data(), v.size() * sizeof(T), P(MemcpyHostToDevice)));
  OK(P(DeviceSynchronize)());
}
