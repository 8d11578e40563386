// SPDX-License-Identifier: Apache-2.0
// The names of the two runtimes, and of their enumerators.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <string>

// CONF_PORTED: CUDA's names for this library, by its header for host code that is ported.
#if defined(CONF_PORTED)
#include <xpugraph/compat/cuda_runtime_graphs.h>
#define P(name) cuda##name
#define P_PREFIX "xpu"
#elif defined(CONF_XPU)
#include <xpugraph/xpugraph.h>
#define P(name) xpu##name
#define P_PREFIX "xpu"
#else
#include <cuda_runtime.h>
#define P(name) cuda##name
#define P_PREFIX "cuda"
#endif

using Graph = P(Graph_t);
using Node = P(GraphNode_t);
using Exec = P(GraphExec_t);
using Stream = P(Stream_t);
using Event = P(Event_t);
using Err = P(Error_t);
using NodeType = P(GraphNodeType);
using EdgeData = P(GraphEdgeData);
using AttrId = P(LaunchAttributeID);
using AttrValue = P(LaunchAttributeValue);

#if defined(CONF_XPU)
using Dim3 = xpuDim3;
using Func = xpuKernel_t;
#else
using Dim3 = dim3;
using Func = void*;
#endif

inline Dim3 dims(unsigned x, unsigned y = 1, unsigned z = 1) {
  Dim3 d;
  d.x = x;
  d.y = y;
  d.z = z;
  return d;
}

template <class T>
auto p_stamp(T& t, int) -> decltype(t.struct_size, void()) {
  t.struct_size = (uint32_t)sizeof(T);
}
template <class T>
void p_stamp(T&, long) {}
template <class T>
T p_make() {
  T t{};
  memset((void*)&t, 0, sizeof t);
#if !defined(CONF_PORTED)
  p_stamp(t, 0);
#endif
  return t;
}
#define P_INIT(T) p_make<P(T)>()
#define P_SUB(member) p_stamp(member, 0)

// Values written as numbers so that a header without the enumerator still compiles; CUDA 13's
// numbers.
enum {
  p_type_kernel = 0,
  p_type_memcpy = 1,
  p_type_memset = 2,
  p_type_host = 3,
  p_type_graph = 4,
  p_type_empty = 5,
  p_type_wait = 6,
  p_type_record = 7
};
enum { p_attr_window = 1, p_attr_cooperative = 2, p_attr_cluster = 4, p_attr_priority = 8 };
enum { p_edge_default = 0, p_edge_programmatic = 1 };
enum { p_port_default = 0, p_port_programmatic = 1, p_port_launch_completion = 2 };
enum { p_inst_autofree = 1, p_inst_upload = 2, p_inst_device_launch = 4, p_inst_node_priority = 8 };
enum { p_child_clone = 0, p_child_move = 1 };

inline const char* type_name(int t) {
  static const char* const names[] = {
      "Kernel",      "Memcpy",       "Memset",     "Host",     "Graph",   "Empty",  "WaitEvent",
      "EventRecord", "ExtSemSignal", "ExtSemWait", "MemAlloc", "MemFree", "type12", "Conditional"};
  static char other[32];
  if (t >= 0 && t < (int)(sizeof names / sizeof *names)) return names[t];
  snprintf(other, sizeof other, "type%d", t);
  return other;
}
inline const char* update_name(int r) {
  static const char* const names[] = {"Success",          "Error",
                                      "TopologyChanged",  "NodeTypeChanged",
                                      "FunctionChanged",  "ParametersChanged",
                                      "NotSupported",     "UnsupportedFunctionChange",
                                      "AttributesChanged"};
  return r >= 0 && r < 9 ? names[r] : "unknown";
}
inline const char* instantiate_name(int r) {
  static const char* const names[] = {"Success",
                                      "Error",
                                      "InvalidStructure",
                                      "NodeOperationNotSupported",
                                      "MultipleDevicesNotSupported",
                                      "ConditionalHandleUnused"};
  return r >= 0 && r < 6 ? names[r] : "unknown";
}
inline std::string err_name(Err e) {
  const char* s = P(GetErrorName)(e);
  if (!s) return "(null)";
  size_t n = strlen(P_PREFIX);
  return strncmp(s, P_PREFIX, n) == 0 ? s + n : s;
}
