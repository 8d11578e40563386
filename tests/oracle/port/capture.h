// SPDX-License-Identifier: Apache-2.0
// Streams that capture, and what a captured graph looks like.
#pragma once

#include <map>
#include "oracle/port/graphs.h"

using CaptureStatus = P(StreamCaptureStatus);
using Mode = P(StreamCaptureMode);
using Pool = P(MemPool_t);

template <size_t N, class F>
struct p_arg;
template <size_t N, class R, class... A>
struct p_arg<N, R (*)(A...)> {
  using type = typename std::tuple_element<N, std::tuple<A...>>::type;
};
using CaptureId = std::remove_pointer<p_arg<2, decltype(&P(StreamGetCaptureInfo))>::type>::type;
using ExecFlags = std::remove_pointer<p_arg<1, decltype(&P(GraphExecGetFlags))>::type>::type;

struct ModeName {
  Mode mode;
  const char* name;
};
inline const ModeName modes[] = {{P(StreamCaptureModeGlobal), "global"},
                                 {P(StreamCaptureModeThreadLocal), "local"},
                                 {P(StreamCaptureModeRelaxed), "relaxed"}};
inline const char* mode_name(int m) { return m >= 0 && m < 3 ? modes[m].name : "other"; }
inline const char* status_name(int s) {
  static const char* const names[] = {"None", "Active", "Invalidated"};
  return s >= 0 && s < 3 ? names[s] : "other";
}
inline Stream blocking_stream() {  // one that synchronises with the legacy stream
  Stream s = NULL;
  OK(P(StreamCreate)(&s));
  return s;
}

// Queues a kernel of one thread.
template <class... A>
Err q(Stream s, Func f, A... a) {
  KernelCall<A...> c(f, dims(1), dims(1), a...);
  return P(LaunchKernel)(c.params.func, c.params.gridDim, c.params.blockDim, c.params.kernelParams,
                         0, s);
}
inline Err q_noop(Stream s) { return q(s, P_KERNEL(k_noop)); }
inline Err q_set(Stream s, int* p, int i, int v) { return q(s, P_KERNEL(k_set), p, i, v); }
inline Err q_add(Stream s, int* p, int i, int v) { return q(s, P_KERNEL(k_add), p, i, v); }
inline Err q_step(Stream s, int* p, int a, int b) { return q(s, P_KERNEL(k_step), p, a, b); }
inline Err q_count(Stream s, int* p) { return q(s, P_KERNEL(k_count), p); }
inline Err q_copy(Stream s, int* dst, int di, int* src, int si) {
  return q(s, P_KERNEL(k_copy), dst, di, (const int*)src, si);
}

inline void record(Event e, Stream s) { OK(P(EventRecord)(e, s)); }
inline void wait(Stream s, Event e) { OK(P(StreamWaitEvent)(s, e, 0)); }
// Events are made before a capture begins, in case making one is refused during it.
inline std::vector<Event>& p_spare_events() {
  static std::vector<Event> spare;
  return spare;
}
inline void p_stock_events() {
  if (p_spare_events().empty())
    for (int i = 0; i < 48; i++) p_spare_events().push_back(new_event());
}
inline Event spare_event() {
  p_stock_events();
  Event e = p_spare_events().back();
  p_spare_events().pop_back();
  return e;
}
inline void order(Stream before,
                  Stream after) {  // what `after` does next follows what `before` has so far
  Event e = spare_event();
  record(e, before);
  wait(after, e);
}

inline void begin(Stream s, Mode m = P(StreamCaptureModeGlobal)) {
  p_stock_events();
  OK(P(StreamBeginCapture)(s, m));
}

inline void st(const char* label, Stream s) {
  CaptureStatus v = (CaptureStatus)-1;
  Err e = P(StreamIsCapturing)(s, &v);
  say("%s=%s", label, e == P(Success) ? status_name((int)v) : err_name(e).c_str());
}
inline void last(const char* label = "last") { rc(label, P(GetLastError)()); }
inline std::string last_name() { return err_name(P(GetLastError)()); }

struct Info {
  Err e;
  CaptureStatus status;
  CaptureId id;
  Graph graph;
  const Node* deps;
  const EdgeData* edges;
  size_t n;
};
inline Info info(Stream s) {
  Info i = {P(Success), (CaptureStatus)-1, 0, NULL, NULL, NULL, 0};
  i.e = P(StreamGetCaptureInfo)(s, &i.status, &i.id, &i.graph, &i.deps, &i.edges, &i.n);
  return i;
}
inline Info info_ok(Stream s) {
  Info i = info(s);
  OK(i.e);
  return i;
}
// The i-th node that the stream's next node depends on; the case ends if there is none.
inline Node dep(Stream s, size_t i = 0) {
  Info in = info_ok(s);
  if (in.n <= i || !in.deps) {
    say("[no dependency %d]", (int)i);
    throw Stop();
  }
  return in.deps[i];
}
inline Node node_at(Graph g, size_t i = 0) {
  std::vector<Node> v = nodes_of(g);
  if (v.size() <= i) {
    say("[no node %d]", (int)i);
    throw Stop();
  }
  return v[i];
}
inline char type_letter(int t) {
  static const char letters[] = "KMSHGEWRxyAFbC";
  return t >= 0 && t < 14 ? letters[t] : '?';
}
// The set of node types a stream's next node depends on, e.g. deps=KM, deps=- for none.
inline void deps_of(const char* label, Stream s) {
  Info i = info(s);
  if (i.e != P(Success)) {
    rc(label, i.e);
    return;
  }
  if (i.status != P(StreamCaptureStatusActive)) {
    say("%s=(%s)", label, status_name((int)i.status));
    return;
  }
  std::string t;
  for (size_t k = 0; k < i.n; k++) t += type_letter(type_of(i.deps[k]));
  std::sort(t.begin(), t.end());
  say("%s=%s", label, t.empty() ? "-" : t.c_str());
}

// Nodes by type, edges by the types of their ends, roots and leaves: equal for graphs built in any
// order.
inline std::string shape_of(Graph g) {
  std::vector<Node> nodes = nodes_of(g);
  std::string types;
  std::map<Node, int> in, out;
  for (Node n : nodes) types += type_letter(type_of(n));
  std::sort(types.begin(), types.end());
  size_t n = (size_t)edge_count(g);
  std::vector<Node> from(n), to(n);
  std::vector<EdgeData> data(n);
  std::map<std::string, int> edges;
  if (n) OK(P(GraphGetEdges)(g, from.data(), to.data(), data.data(), &n));
  for (size_t i = 0; i < n; i++) {
    std::string e = {type_letter(type_of(from[i])), '>', type_letter(type_of(to[i]))};
    edges[e]++;
    out[from[i]]++;
    in[to[i]]++;
  }
  int roots = 0, leaves = 0;
  for (Node v : nodes) roots += !in.count(v), leaves += !out.count(v);
  std::string s = nodes.empty()        ? "empty"
                  : types.size() <= 24 ? types
                                       : std::to_string(types.size()) + "nodes";
  for (auto& e : edges) s += "," + e.first + (e.second > 1 ? "x" + std::to_string(e.second) : "");
  if (!nodes.empty()) s += ",r" + std::to_string(roots) + ",l" + std::to_string(leaves);
  return s;
}
inline void shape(const char* label, Graph g) { say("%s=%s", label, shape_of(g).c_str()); }

// Ends a capture and prints the error and what became of the graph: its shape, null, or untouched.
inline Graph finish(Stream s, const char* label = "end") {
  static char untouched;
  Graph g = (Graph)(void*)&untouched;
  Err e = rc(label, P(StreamEndCapture)(s, &g));
  if (g == (Graph)(void*)&untouched) {
    say("graph=untouched");
    return NULL;
  }
  if (!g)
    say("graph=null");
  else if (e == P(Success))
    shape("graph", g);
  else
    say("graph=set");
  return e == P(Success) ? g : NULL;
}
// Ends a capture that must succeed.
inline Graph end_ok(Stream s) {
  Graph g = NULL;
  OK(P(StreamEndCapture)(s, &g));
  return g;
}
// A graph of one kernel that adds 1 to p[i], by capture.
inline Graph captured_add(Stream s, int* p, int i = 0) {
  begin(s, P(StreamCaptureModeRelaxed));
  OK(q_add(s, p, i, 1));
  return end_ok(s);
}
