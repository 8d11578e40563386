#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The blocks of docs/python.md in one program: from arrays to graphs built by hand."""

import numpy as np
import xpugraph as xpu

module = xpu.Module.from_source("""
kernel void axpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
kernel void halve(global float* y) { y[get_global_id(0)] *= 0.5f; }
""")

x = xpu.asarray(np.arange(8, dtype=np.float32))
y = xpu.zeros(8)
module["axpy"][2, 4](y, x, 3.0)
print(y.get())

pinned = xpu.zeros(3, np.int32, memory="host")
xpu.synchronize()
pinned.numpy()[:] = [1, 2, 3]
print(np.from_dlpack(pinned))

g = xpu.XPUGraph()
with xpu.graph(g):
    t = xpu.zeros(8)
    module["axpy"][2, 4](t, x, 2.0)
    module["halve"][2, 4](t)

for n in range(2):
    x.copy_(np.full(8, n + 1, np.float32))
    g.replay()
    print(t.get())

source, target = np.zeros(8, np.float32), np.zeros(8, np.float32)
g = xpu.XPUGraph()
with xpu.graph(g):
    t.copy_(source)
    module["halve"][2, 4](t)
    t.copy_to(target)

source[:] = 10
g.replay()
xpu.synchronize()
print(target[:3])

g = xpu.XPUGraph()
try:
    with xpu.graph(g):
        module["halve"][2, 4](t)
        t.get()
except xpu.CaptureError as error:
    print(error.code.name)
print(xpu.is_current_stream_capturing(), g)

t, other = xpu.full(8, 8, np.float32), xpu.full(8, 6, np.float32)
g = xpu.XPUGraph(keep_graph=True)
with xpu.graph(g):
    module["halve"][2, 4](t)
g.replay()

def allow(node, was, following):
    return was.kernel.gridDim.x == following.kernel.gridDim.x

with xpu.recapture(g, allow):
    module["halve"][2, 4](other)
g.replay()
print(t.get()[0], other.get()[0])

side = xpu.Stream()
g = xpu.XPUGraph(keep_graph=True)
with xpu.graph(g):
    main = xpu.current_stream()
    side.wait_stream(main)
    with xpu.stream(side):
        module["halve"][2, 4](x)
    module["halve"][2, 4](y)
    main.wait_stream(side)
print(g.to_dot().count("halve"))

pool = xpu.graph_pool_handle()
first, second = xpu.XPUGraph(), xpu.XPUGraph()
for part in (first, second):
    with xpu.graph(part, pool=pool):
        temporary = xpu.zeros(1 << 18)
        del temporary
print(pool.usage.peak == 4 << 18)

seen = []
graph = xpu.Graph()
fill = graph.add_memset(y, 4.0)
half = graph.add_kernel(module["halve"], 2, 4, y, after=fill)
graph.add_host(lambda: seen.append("done"), after=half)
run = graph.instantiate()

run.launch()
run.launch()
xpu.synchronize()
print(y.get()[:2], seen, [len(node.dependencies) for node in graph.nodes])

profile = run.profile()
slowest = max(profile, key=lambda node: node.duration_ns)
print([node.name for node in profile], slowest.duration_ns > 0)

steps = xpu.Module.from_source("""
kernel void halve_all(global float* y) { y[get_global_id(0)] /= 2; }
kernel void go_on(global const float* y, global int* turns, ulong more) {
  turns[0] += 1;
  *(global uint*)more = y[0] > 1;
}
""")
y[...] = 100.0
turns = xpu.zeros(1, np.int32)
graph = xpu.Graph()
more = graph.condition(1)
loop = graph.add_while(more)
body = loop.bodies[0]
halved = body.add_kernel(steps["halve_all"], 2, 4, y)
body.add_kernel(steps["go_on"], 1, 1, y, turns, more, after=halved)

graph.instantiate().launch()
xpu.synchronize()
print(turns.item(), y.get()[0])
