// SPDX-License-Identifier: Apache-2.0
// Memory nodes: making them.
#include "oracle/port/memory_graphs.h"

// --- making

CASE("mem.alloc") {
  Graph g = new_graph();
  auto a = alloc_params(4096);
  Node n = NULL;
  rc("r", P(GraphAddMemAllocNode)(&n, g, NULL, 0, &a));
  ptr_state("node", n);
  ptr_state("p", a.dptr);
  val("aligned256", (uintptr_t)a.dptr % 256 == 0);
  shape("graph", g);
}
CASE("mem.alloc.bad.out_null") {
  auto a = alloc_params(4096);
  rc(P(GraphAddMemAllocNode)(NULL, new_graph(), NULL, 0, &a));
}
CASE("mem.alloc.bad.graph_null") {
  auto a = alloc_params(4096);
  Node n = NULL;
  rc(P(GraphAddMemAllocNode)(&n, NULL, NULL, 0, &a));
}
CASE("mem.alloc.bad.params_null") {
  Node n = NULL;
  rc(P(GraphAddMemAllocNode)(&n, new_graph(), NULL, 0, NULL));
}
CASE("mem.alloc.bad.deps_null_with_count") {
  auto a = alloc_params(4096);
  Node n = NULL;
  rc("r", P(GraphAddMemAllocNode)(&n, new_graph(), NULL, 1, &a));
  ptr_state("node", n);
  ptr_state("p", a.dptr);
}
CASE("mem.alloc.bad.deps_foreign") {
  auto a = alloc_params(4096);
  Graph g = new_graph();
  Node n = NULL, d = add_empty(new_graph());
  rc("r", P(GraphAddMemAllocNode)(&n, g, &d, 1, &a));
  val("nodes", node_count(g));
}
static void alloc_with(const std::function<void(P(MemAllocNodeParams) &)>& change) {
  Graph g = new_graph();
  auto a = alloc_params(4096);
  change(a);
  Node n = NULL;
  rc("r", P(GraphAddMemAllocNode)(&n, g, NULL, 0, &a));
  last();
  ptr_state("p", a.dptr);
  val("nodes", node_count(g));
}
CASE("mem.alloc.size.zero") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.bytesize = 0; });
}
CASE("mem.alloc.size.one") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.bytesize = 1; });
}
CASE("mem.alloc.size.max") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.bytesize = (size_t)-1; });
}
CASE("mem.alloc.size.pebibyte") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.bytesize = (size_t)1 << 50; });
}
CASE("mem.alloc.bad.alloc_type_invalid") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.poolProps.allocType = (P(MemAllocationType))0; });
}
CASE("mem.alloc.bad.alloc_type_unknown") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.poolProps.allocType = (P(MemAllocationType))77; });
}
CASE("mem.alloc.bad.location_invalid") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.poolProps.location.type = (P(MemLocationType))0; });
}
CASE("mem.alloc.bad.location_id_negative") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.poolProps.location.id = -1; });
}
CASE("mem.alloc.bad.location_id_too_big") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.poolProps.location.id = 9999; });
}
CASE("mem.alloc.bad.handle_type") {
  alloc_with(
      [](P(MemAllocNodeParams) & a) { a.poolProps.handleTypes = (P(MemAllocationHandleType))1; });
}
CASE("mem.alloc.bad.descs_null_with_count") {
  alloc_with([](P(MemAllocNodeParams) & a) { a.accessDescCount = 1; });
}
CASE("mem.alloc.descs.own_device") {
  static auto d = P_INIT(MemAccessDesc);
  d.location.type = P(MemLocationTypeDevice);
  d.location.id = 0;
  d.flags = P(MemAccessFlagsProtReadWrite);
  alloc_with([](P(MemAllocNodeParams) & a) {
    a.accessDescs = &d;
    a.accessDescCount = 1;
  });
}
CASE("mem.alloc.descs.read_only") {
  static auto d = P_INIT(MemAccessDesc);
  d.location.type = P(MemLocationTypeDevice);
  d.location.id = 0;
  d.flags = P(MemAccessFlagsProtRead);
  alloc_with([](P(MemAllocNodeParams) & a) {
    a.accessDescs = &d;
    a.accessDescCount = 1;
  });
}
CASE("mem.alloc.distinct_addresses") {
  Graph g = new_graph();
  void* p[3];
  for (auto& q : p) add_alloc(g, {}, mib, &q);
  val("overlap", overlap(p[0], mib, p[1], mib) || overlap(p[0], mib, p[2], mib) ||
                     overlap(p[1], mib, p[2], mib));
}
CASE("mem.alloc.generic_add") {
  Graph g = new_graph();
  auto n = P_INIT(GraphNodeParams);
  n.type = P(GraphNodeTypeMemAlloc);
  P_SUB(n.alloc);
  P_SUB(n.alloc.poolProps);
  P_SUB(n.alloc.poolProps.location);
  n.alloc.poolProps.allocType = P(MemAllocationTypePinned);
  n.alloc.poolProps.location.type = P(MemLocationTypeDevice);
  n.alloc.bytesize = 4096;
  Node a = NULL, f = NULL;
  rc("alloc", P(GraphAddNode)(&a, g, NULL, NULL, 0, &n));
  ptr_state("p", n.alloc.dptr);
  void* p = n.alloc.dptr;
  auto m = P_INIT(GraphNodeParams);
  m.type = P(GraphNodeTypeMemFree);
  P_SUB(m.free);
  m.free.dptr = p;
  rc("free", P(GraphAddNode)(&f, g, &a, NULL, 1, &m));
  shape("graph", g);
  try_run(g);
}
CASE("mem.alloc.get_params") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 12345, &p);
  auto a = P_INIT(MemAllocNodeParams);
  rc("r", P(GraphMemAllocNodeGetParams)(n, &a));
  val("bytes", (long long)a.bytesize);
  val("same", a.dptr == p);
  val("descs", (long long)a.accessDescCount);
  val("type", (int)a.poolProps.allocType);
  val("location", (int)a.poolProps.location.type);
}
CASE("mem.alloc.get_params.bad") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p), f = add_free(g, {n}, p), e = add_empty(g);
  auto a = P_INIT(MemAllocNodeParams);
  rc("node_null", P(GraphMemAllocNodeGetParams)(NULL, &a));
  rc("out_null", P(GraphMemAllocNodeGetParams)(n, NULL));
  rc("free_node", P(GraphMemAllocNodeGetParams)(f, &a));
  rc("empty_node", P(GraphMemAllocNodeGetParams)(e, &a));
}

CASE("mem.free.get_params") {
  Graph g = new_graph();
  void *p = NULL, *q = NULL;
  Node n = add_alloc(g, {}, 4096, &p), f = add_free(g, {n}, p);
  rc("r", P(GraphMemFreeNodeGetParams)(f, &q));
  val("same", p == q);
}
CASE("mem.free.get_params.bad") {
  Graph g = new_graph();
  void *p = NULL, *q = NULL;
  Node n = add_alloc(g, {}, 4096, &p), f = add_free(g, {n}, p);
  rc("node_null", P(GraphMemFreeNodeGetParams)(NULL, &q));
  rc("out_null", P(GraphMemFreeNodeGetParams)(f, NULL));
  rc("alloc_node", P(GraphMemFreeNodeGetParams)(n, &q));
}
static void free_of(Graph g, void* p, Deps deps = {}) {
  Node n = NULL;
  rc("r", P(GraphAddMemFreeNode)(&n, g, p_data(deps), deps.size(), p));
  last();
  ptr_state("node", n);
}
CASE("mem.free.bad.null") { free_of(new_graph(), NULL); }
CASE("mem.free.bad.host") { free_of(new_graph(), pinned(16)); }
CASE("mem.free.bad.stack") {
  int x = 0;
  free_of(new_graph(), &x);
}
CASE("mem.free.bad.malloced") { free_of(new_graph(), dev_ints(16)); }
CASE("mem.free.bad.malloc_async") {
  Stream s = new_stream();
  void* p = NULL;
  OK(P(MallocAsync)(&p, 4096, s));
  sync(s);
  free_of(new_graph(), p);
}
CASE("mem.free.bad.graph_null") {
  Graph g = new_graph();
  void* p = NULL;
  add_alloc(g, {}, 4096, &p);
  free_of(NULL, p);
}
CASE("mem.free.bad.out_null") {
  Graph g = new_graph();
  void* p = NULL;
  add_alloc(g, {}, 4096, &p);
  rc(P(GraphAddMemFreeNode)(NULL, g, NULL, 0, p));
}
CASE("mem.free.bad.interior") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p);
  free_of(g, (char*)p + 256, {n});
}
CASE("mem.free.bad.twice_in_graph") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p);
  Node f = add_free(g, {n}, p);
  free_of(g, p, {f});
}
CASE("mem.free.bad.twice_on_branches") {
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p);
  add_free(g, {n}, p);
  free_of(g, p, {n});
}
CASE("mem.free.unordered_with_alloc") {  // no path from the alloc to the free
  Graph g = new_graph();
  void* p = NULL;
  add_alloc(g, {}, 4096, &p);
  free_of(g, p);
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("mem.free.before_alloc") {  // a path from the free to the alloc
  Graph g = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p), f = NULL;
  rc("free", P(GraphAddMemFreeNode)(&f, g, NULL, 0, p));
  if (f) rc("edge", P(GraphAddDependencies)(g, &f, &n, NULL, 1));
  Exec x = NULL;
  rc("inst", P(GraphInstantiate)(&x, g, 0));
}
CASE("mem.free.other_graphs_allocation") {
  Graph g = new_graph(), h = new_graph();
  void* p = NULL;
  add_alloc(g, {}, 4096, &p);
  free_of(h, p);
  Node again = NULL;
  rc("owner", P(GraphAddMemFreeNode)(&again, g, NULL, 0, p));
}
CASE("mem.free.other_graph_when_owner_frees") {
  Graph g = new_graph(), h = new_graph();
  void* p = NULL;
  Node n = add_alloc(g, {}, 4096, &p);
  add_free(g, {n}, p);
  free_of(h, p);
}
CASE("mem.free.in_two_other_graphs") {
  Graph g = new_graph(), h = new_graph(), k = new_graph();
  void* p = NULL;
  add_alloc(g, {}, 4096, &p);
  free_of(h, p);
  free_of(k, p);
}
