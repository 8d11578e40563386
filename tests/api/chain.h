// SPDX-License-Identifier: Apache-2.0
// A chain of three steps as an executable, whose nodes tests change one by one.
#pragma once

#include "ground.h"

namespace xpu::test {

inline xpuStream_t stream;

inline void run(xpuGraphExec_t exec) {
  assert_ok(xpuGraphLaunch(exec, stream));
  assert_ok(xpuStreamSynchronize(stream));
}

template <class... A>
inline void set(xpuGraphExec_t exec, xpuGraphNode_t node, const char* name, A... values) {
  Args<A...> args(values...);
  const xpuKernelNodeParams params = node_params(kernel(name), dim(1), dim(1), args.get());
  assert_ok(xpuGraphExecKernelNodeSetParams(exec, node, &params));
}

// A chain that ends with p[0] = ((p[0] * 3 + 1) * 5 + 2) * 7 + 3.
struct Chain {
  xpuGraph_t graph;
  xpuGraphNode_t node[3];
  xpuGraphExec_t exec;
  int* p;
};
inline Chain make_chain() {
  Chain c = {new_graph(), {}, nullptr, device_ints(4, 1)};
  c.node[0] = add_one(c.graph, nullptr, "step", c.p, 3, 1);
  c.node[1] = add_one(c.graph, c.node[0], "step", c.p, 5, 2);
  c.node[2] = add_one(c.graph, c.node[1], "step", c.p, 7, 3);
  c.exec = instantiate(c.graph);
  return c;
}
inline void end_chain(const Chain& c) {
  assert_ok(xpuGraphExecDestroy(c.exec));
  assert_ok(xpuGraphDestroy(c.graph));
  assert_ok(xpuFree(c.p));
}
// What kernels compute wraps round.
inline unsigned chain_from(unsigned start, unsigned a, unsigned b) {
  return ((start * 3 + 1) * a + b) * 7 + 3;
}
inline unsigned value(const int* at) { return static_cast<unsigned>(fetch(at)); }

}  // namespace xpu::test
