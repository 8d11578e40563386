// SPDX-License-Identifier: Apache-2.0
// Memory nodes: running, freeing, auto free.
#include "oracle/port/memory_graphs.h"

// --- running

CASE("mem.run") {
  int* out = dev_ints(1);
  Simple s = simple(out, 5);
  shape("graph", s.g);
  run_graph(s.g, 5);
  val("v", fetch1(out));
}
CASE("mem.run.empty_pair") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p);
  add_free(g, {n}, p);
  try_run(g);
}
CASE("mem.run.large") {
  int* out = dev_ints(1);
  Simple s = simple(out, 6, 256 * mib);
  run_graph(s.g, 2);
  val("v", fetch1(out));
}
CASE("mem.run.two_allocations") {
  int* out = dev_ints(1);
  Graph g = new_graph();
  void *p = NULL, *q = NULL;
  Node a = add_alloc(g, {}, mib, &p), b = add_alloc(g, {}, mib, &q);
  Node s = add_set(g, {a}, (int*)p, 0, 3), t = add_set(g, {b}, (int*)q, 0, 4);
  Node v = add_kernel(g, {s, t}, P_KERNEL(k_vadd), dims(1), dims(1), out, (const int*)p,
                      (const int*)q, 1);
  add_free(g, {v}, p);
  add_free(g, {v}, q);
  run_graph(g, 3);
  val("v", fetch1(out));
}
CASE("mem.run.alternate_streams") {
  Stream s = new_stream(), t = new_stream();
  int* out = dev_ints(1);
  Simple m = simple(out, 8);
  Exec x = instantiate(m.g);
  for (int i = 0; i < 6; i++) launch(x, i % 2 ? s : t);
  rc("sync", P(DeviceSynchronize)());
  val("v", fetch1(out));
}
CASE("mem.run.uploaded") {
  Stream s = new_stream();
  int* out = dev_ints(1);
  Simple m = simple(out, 8);
  Exec x = instantiate(m.g);
  rc("upload", P(GraphUpload)(x, s));
  launch(x, s);
  sync(s);
  val("v", fetch1(out));
}
CASE("mem.run.uploaded_elsewhere") {
  Stream s = new_stream(), t = new_stream();
  int* out = dev_ints(1);
  Simple m = simple(out, 8);
  Exec x = instantiate(m.g);
  rc("upload", P(GraphUpload)(x, s));
  rc("launch", P(GraphLaunch)(x, t));
  rc("sync", P(DeviceSynchronize)());
  val("v", fetch1(out));
}
CASE("mem.run.after_trim") {
  Stream s = new_stream();
  int* out = dev_ints(1);
  Simple m = simple(out, 8, 4 * mib);
  Exec x = instantiate(m.g);
  for (int i = 0; i < 3; i++) {
    launch(x, s);
    sync(s);
    rc("trim", P(DeviceGraphMemTrim)(0));
  }
  val("v", fetch1(out));
}
CASE("mem.run.legacy_stream") {
  int* out = dev_ints(1);
  Simple m = simple(out, 8);
  Exec x = instantiate(m.g);
  rc("launch", P(GraphLaunch)(x, NULL));
  rc("sync", P(DeviceSynchronize)());
  val("v", fetch1(out));
}
CASE("mem.run.template_destroyed") {
  int* out = dev_ints(1);
  Simple m = simple(out, 8);
  Exec x = instantiate(m.g);
  rc("destroy", P(GraphDestroy)(m.g));
  run(x, 2);
  val("v", fetch1(out));
}
CASE("mem.run.address_outlives_launch") {  // the address is the same at every launch, and the data
                                           // stay till the free
  Stream s = new_stream();
  Kept k = kept(11);
  Exec x = instantiate(k.g);
  for (int i = 0; i < 3; i++) {
    launch(x, s);
    sync(s);
    val("v", fetch1((int*)k.p));
    rc("free", P(FreeAsync)(k.p, s));
    sync(s);
  }
}
CASE("mem.run.kernel_after_launch_reads_it") {
  Stream s = new_stream();
  int* out = dev_ints(1);
  Kept k = kept(11);
  Exec x = instantiate(k.g);
  launch(x, s);
  OK(q_copy(s, out, 0, (int*)k.p, 0));
  OK(P(FreeAsync)(k.p, s));
  sync(s);
  val("v", fetch1(out));
}

// --- unfreed allocations, relaunch

CASE("mem.relaunch.unfreed") {
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  rc("first", P(GraphLaunch)(x, s));
  rc("second", P(GraphLaunch)(x, s));
  last();
  rc("sync", P(StreamSynchronize)(s));
  rc("third", P(GraphLaunch)(x, s));
  rc("free", P(FreeAsync)(k.p, s));
  rc("fourth", P(GraphLaunch)(x, s));
  rc("sync", P(StreamSynchronize)(s));
  val("v", fetch1((int*)k.p));
}
CASE("mem.relaunch.freed_by_free") {
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  for (int i = 0; i < 3; i++) {
    rc("launch", P(GraphLaunch)(x, s));
    rc("sync", P(StreamSynchronize)(s));
    rc("free", P(Free)(k.p));
  }
}
CASE("mem.relaunch.freed_by_graph") {
  Stream s = new_stream();
  Kept k = kept(1);
  Graph h = new_graph();
  add_free(h, {}, k.p);
  Exec x = instantiate(k.g), y = instantiate(h);
  for (int i = 0; i < 3; i++) {
    rc("launch", P(GraphLaunch)(x, s));
    rc("free", P(GraphLaunch)(y, s));
  }
  rc("sync", P(StreamSynchronize)(s));
}
CASE("mem.relaunch.freeing_graph_twice") {
  Stream s = new_stream();
  Kept k = kept(1);
  Graph h = new_graph();
  add_free(h, {}, k.p);
  Exec x = instantiate(k.g), y = instantiate(h);
  rc("launch", P(GraphLaunch)(x, s));
  rc("free", P(GraphLaunch)(y, s));
  rc("free_again", P(GraphLaunch)(y, s));
  last();
  rc("sync", P(StreamSynchronize)(s));
}
CASE("mem.relaunch.freeing_graph_first") {
  Stream s = new_stream();
  Kept k = kept(1);
  Graph h = new_graph();
  add_free(h, {}, k.p);
  Exec y = instantiate(h);
  rc("free", P(GraphLaunch)(y, s));
  last();
  rc("sync", P(StreamSynchronize)(s));
}
CASE("mem.relaunch.freed_in_other_stream") {
  Stream s = new_stream(), t = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  rc("launch", P(GraphLaunch)(x, s));
  order(s, t);
  rc("free", P(FreeAsync)(k.p, t));
  order(t, s);
  rc("launch", P(GraphLaunch)(x, s));
  rc("sync", P(DeviceSynchronize)());
}
CASE("mem.relaunch.error_keeps_exec_usable") {
  Stream s = new_stream();
  Kept k = kept(9);
  Exec x = instantiate(k.g);
  launch(x, s);
  rc("refused", P(GraphLaunch)(x, s));
  OK(P(FreeAsync)(k.p, s));
  rc("again", P(GraphLaunch)(x, s));
  sync(s);
  val("v", fetch1((int*)k.p));
}

// --- freeing

CASE("mem.outside.free_twice_async") {
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  launch(x, s);
  rc("first", P(FreeAsync)(k.p, s));
  rc("second", P(FreeAsync)(k.p, s));
  last();
  rc("sync", P(StreamSynchronize)(s));
}
CASE("mem.outside.free_twice_sync") {
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  launch(x, s);
  sync(s);
  rc("first", P(Free)(k.p));
  rc("second", P(Free)(k.p));
}
CASE("mem.outside.free_before_launch") {
  Kept k = kept(1);
  rc("template", P(Free)(k.p));
  Exec x = instantiate(k.g);
  rc("instantiated", P(Free)(k.p));
  rc("async", P(FreeAsync)(k.p, new_stream()));
  run(x);
  rc("launched", P(Free)(k.p));
}
CASE("mem.outside.free_when_graph_frees") {
  int* out = dev_ints(1);
  Simple s = simple(out, 1);
  run_graph(s.g);
  rc("free", P(Free)(s.p));
  rc("async", P(FreeAsync)(s.p, new_stream()));
}
CASE("mem.outside.interior") {
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  launch(x, s);
  sync(s);
  rc("interior", P(FreeAsync)((char*)k.p + 256, s));
  rc("base", P(FreeAsync)(k.p, s));
}
CASE("mem.outside.free_after_all_destroyed") {
  Stream s = new_stream();
  Kept k = kept(13);
  Exec x = instantiate(k.g);
  launch(x, s);
  sync(s);
  rc("graph", P(GraphDestroy)(k.g));
  rc("exec", P(GraphExecDestroy)(x));
  val("v", fetch1((int*)k.p));
  rc("free", P(Free)(k.p));
  rc("again", P(Free)(k.p));
}
CASE("mem.outside.never_launched_then_destroyed") {
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  rc("exec", P(GraphExecDestroy)(x));
  rc("graph", P(GraphDestroy)(k.g));
  rc("free", P(Free)(k.p));
}
CASE("mem.outside.owner_gains_free_later") {  // freed by hand first, then the owner wants a free
                                              // node
  Stream s = new_stream();
  Kept k = kept(1);
  Exec x = instantiate(k.g);
  launch(x, s);
  sync(s);
  OK(P(Free)(k.p));
  OK(P(GraphExecDestroy)(x));
  Node f = NULL;
  rc("add", P(GraphAddMemFreeNode)(&f, k.g, &k.set, 1, k.p));
  Exec y = NULL;
  rc("inst", P(GraphInstantiate)(&y, k.g, 0));
}

// --- auto free

CASE("mem.auto_free") {
  Stream s = new_stream();
  Kept k = kept(3, mib);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, k.g, P(GraphInstantiateFlagAutoFreeOnLaunch)));
  ExecFlags flags = 0;
  rc("flags", P(GraphExecGetFlags)(x, &flags));
  val("f", (long long)flags);
  for (int i = 0; i < 3; i++) {
    rc("launch", P(GraphLaunch)(x, s));
    sync(s);
    against("used", used_now(), mib);
  }
  val("v", fetch1((int*)k.p));
  rc("exec", P(GraphExecDestroy)(x));
  rc("graph", P(GraphDestroy)(k.g));
  val("still", fetch1((int*)k.p));
  rc("free", P(Free)(k.p));
  rc("trim", P(DeviceGraphMemTrim)(0));
  against("used", used_now(), mib);
}
CASE("mem.auto_free.freed_by_hand") {
  Stream s = new_stream();
  Kept k = kept(3, mib);
  Exec x = NULL;
  OK(P(GraphInstantiate)(&x, k.g, P(GraphInstantiateFlagAutoFreeOnLaunch)));
  launch(x, s);
  rc("free", P(FreeAsync)(k.p, s));
  rc("launch", P(GraphLaunch)(x, s));
  rc("launch", P(GraphLaunch)(x, s));
  rc("sync", P(StreamSynchronize)(s));
}
CASE("mem.auto_free.with_in_graph_free") {
  Stream s = new_stream();
  int* out = dev_ints(1);
  Simple m = simple(out, 4);
  Exec x = NULL;
  OK(P(GraphInstantiate)(&x, m.g, P(GraphInstantiateFlagAutoFreeOnLaunch)));
  for (int i = 0; i < 3; i++) rc("launch", P(GraphLaunch)(x, s));
  sync(s);
  val("v", fetch1(out));
}
CASE("mem.auto_free.no_memory_nodes") {
  Stream s = new_stream();
  int* p = dev_ints(1);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, captured_add(s, p), P(GraphInstantiateFlagAutoFreeOnLaunch)));
  run(x, 2);
  val("v", fetch1(p));
}
CASE("mem.auto_free.other_stream") {
  Stream s = new_stream(), t = new_stream();
  Kept k = kept(3);
  Exec x = NULL;
  OK(P(GraphInstantiate)(&x, k.g, P(GraphInstantiateFlagAutoFreeOnLaunch)));
  rc("s", P(GraphLaunch)(x, s));
  rc("t", P(GraphLaunch)(x, t));
  rc("s", P(GraphLaunch)(x, s));
  rc("sync", P(DeviceSynchronize)());
  val("v", fetch1((int*)k.p));
}
