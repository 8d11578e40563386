// SPDX-License-Identifier: Apache-2.0
// Allocation and free nodes: what can be made, and what is refused.
#include "graph_memory.h"

using namespace xpu::test;

// ---- allocation nodes

static void an_allocation_has_an_aligned_address_at_once(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  assert_int_equal(xpuGraphNodeTypeMemAlloc, type_of(a.node));
  assert_int_equal(0, reinterpret_cast<uintptr_t>(a.at) % 512);
  const Alloc one_byte = add_alloc(graph, nullptr, 1);
  assert_int_equal(0, reinterpret_cast<uintptr_t>(one_byte.at) % 512);
  destroy(graph);
}

static void allocations_without_an_order_do_not_share(void**) {
  const xpuGraph_t graph = new_graph();
  Alloc a[4];
  for (Alloc& each : a) each = add_alloc(graph, nullptr, kMiB);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) assert_false(overlap(a[i].at, kMiB, a[j].at, kMiB));
  destroy(graph);
}

static xpuGraph_t some_graph, other_graph;
static xpuGraphNode_t foreign_node;
static xpuMemAllocNodeParams asked;
static int not_allocated;

// The address in `asked` has to stay NULL.
static xpuError_t alloc_with(void (*change)(xpuMemAllocNodeParams*)) {
  asked = alloc_params(4096);
  change(&asked);
  const xpuError_t code = xpuGraphAddMemAllocNode(&outs.node, some_graph, nullptr, 0, &asked);
  if (asked.dptr) outs.number = 0;  // shows as an output that was written
  return code;
}
static xpuMemAccessDesc access_desc;
static void read_only(xpuMemAllocNodeParams* p) {
  access_desc = {{xpuMemLocationTypeDevice, 0}, xpuMemAccessFlagsProtRead};
  p->accessDescs = &access_desc;
  p->accessDescCount = 1;
}
static void no_such_peer(xpuMemAllocNodeParams* p) {
  access_desc = {{xpuMemLocationTypeDevice, 999}, xpuMemAccessFlagsProtReadWrite};
  p->accessDescs = &access_desc;
  p->accessDescCount = 1;
}

#define ALLOC_REFUSED(code, what, statement)                                                    \
  {                                                                                             \
    "xpuGraphAddMemAllocNode", "nodeParams", what,                                              \
        []() -> xpuError_t { return alloc_with([](xpuMemAllocNodeParams* p) { statement; }); }, \
        code                                                                                    \
  }

static void bad_allocations_are_refused_by_name_and_leave_no_node(void**) {
  some_graph = new_graph();
  other_graph = new_graph();
  assert_ok(xpuGraphAddEmptyNode(&foreign_node, other_graph, nullptr, 0));
  asked = alloc_params(4096);
  const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemAllocNode, "pGraphNode", "is NULL", nullptr,
              some_graph, nullptr, 0, &asked),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemAllocNode, "graph", "is NULL", &outs.node,
              nullptr, nullptr, 0, &asked),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemAllocNode, "nodeParams", "is NULL", &outs.node,
              some_graph, nullptr, 0, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemAllocNode, "pDependencies", "is NULL", &outs.node,
              some_graph, nullptr, 1, &asked),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemAllocNode, "pDependencies", "of another graph",
              &outs.node, some_graph, &foreign_node, 1, &asked),
      {"xpuGraphAddMemAllocNode", "bytesize", "is 0",
       []() -> xpuError_t { return alloc_with([](xpuMemAllocNodeParams* p) { p->bytesize = 0; }); },
       xpuErrorInvalidValue},
      {"xpuGraphAddMemAllocNode", "bytesize", "is absurd",
       []() -> xpuError_t {
         return alloc_with([](xpuMemAllocNodeParams* p) { p->bytesize = SIZE_MAX; });
       },
       xpuErrorMemoryAllocation},
      {"xpuGraphAddMemAllocNode", "bytesize", "is a pebibyte",
       []() -> xpuError_t {
         return alloc_with([](xpuMemAllocNodeParams* p) { p->bytesize = size_t{1} << 50; });
       },
       xpuErrorMemoryAllocation},
      ALLOC_REFUSED(xpuErrorInvalidValue, "no allocType",
                    p->poolProps.allocType = xpuMemAllocationTypeInvalid),
      ALLOC_REFUSED(xpuErrorInvalidValue, "unknown allocType",
                    p->poolProps.allocType = static_cast<xpuMemAllocationType>(77)),
      ALLOC_REFUSED(xpuErrorInvalidValue, "no location",
                    p->poolProps.location.type = xpuMemLocationTypeInvalid),
      ALLOC_REFUSED(xpuErrorInvalidValue, "negative device", p->poolProps.location.id = -1),
      ALLOC_REFUSED(xpuErrorInvalidValue, "no such device", p->poolProps.location.id = 9999),
      ALLOC_REFUSED(xpuErrorNotSupported, "shared handles",
                    p->poolProps.handleTypes = xpuMemHandleTypePosixFileDescriptor),
      ALLOC_REFUSED(xpuErrorInvalidValue, "accessDescs is NULL", p->accessDescCount = 1),
      ALLOC_REFUSED(xpuErrorNotSupported, "access for reading", read_only(p)),
      ALLOC_REFUSED(xpuErrorInvalidValue, "access by no device", no_such_peer(p)),
  };
  assert_all_refused(rows);
  assert_int_equal(0, node_count(some_graph));
  destroy(some_graph);
  destroy(other_graph);
}

static void an_allocation_tells_what_it_was_made_with(void**) {
  const xpuGraph_t graph = new_graph();
  xpuMemAccessDesc own = {{xpuMemLocationTypeDevice, 0}, xpuMemAccessFlagsProtReadWrite};
  xpuMemAllocNodeParams made = alloc_params(12345), read = {};
  made.accessDescs = &own;
  made.accessDescCount = 1;
  xpuGraphNode_t node = nullptr;
  assert_ok(xpuGraphAddMemAllocNode(&node, graph, nullptr, 0, &made));
  read.struct_size = sizeof read;
  assert_ok(xpuGraphMemAllocNodeGetParams(node, &read));
  assert_int_equal(12345, read.bytesize);
  assert_ptr_equal(made.dptr, read.dptr);
  assert_int_equal(xpuMemAllocationTypePinned, read.poolProps.allocType);
  assert_int_equal(xpuMemLocationTypeDevice, read.poolProps.location.type);
  assert_int_equal(0, read.poolProps.location.id);
  assert_int_equal(1, read.accessDescCount);
  assert_int_equal(xpuMemAccessFlagsProtReadWrite, read.accessDescs[0].flags);

  const Alloc plain = add_alloc(graph, nullptr, 8);
  assert_ok(xpuGraphMemAllocNodeGetParams(plain.node, &read));
  assert_int_equal(0, read.accessDescCount);
  destroy(graph);
}

static xpuGraphNode_t alloc_node, free_node, empty_node;
static xpuMemAllocNodeParams read_params;

static void reading_another_kind_of_node_is_refused(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  alloc_node = a.node;
  free_node = add_free(graph, a.node, a.at);
  assert_ok(xpuGraphAddEmptyNode(&empty_node, graph, nullptr, 0));
  read_params.struct_size = sizeof read_params;
  const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphMemAllocNodeGetParams, "node", "is NULL", nullptr,
              &read_params),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemAllocNodeGetParams, "params_out", "is NULL",
              alloc_node, nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemAllocNodeGetParams, "node", "frees", free_node,
              &read_params),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemAllocNodeGetParams, "node", "is empty", empty_node,
              &read_params),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemFreeNodeGetParams, "node", "is NULL", nullptr,
              &outs.pointer),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemFreeNodeGetParams, "dptr_out", "is NULL", free_node,
              nullptr),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemFreeNodeGetParams, "node", "allocates", alloc_node,
              &outs.pointer),
  };
  assert_all_refused(rows);
  destroy(graph);
}

// ---- free nodes

static void a_free_tells_its_address(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  const xpuGraphNode_t node = add_free(graph, a.node, a.at);
  void* read = nullptr;
  assert_int_equal(xpuGraphNodeTypeMemFree, type_of(node));
  assert_ok(xpuGraphMemFreeNodeGetParams(node, &read));
  assert_ptr_equal(a.at, read);
  destroy(graph);
}

static void *owned, *owned_twice, *pinned, *eager, *in_order;

static void frees_of_what_is_no_allocation_are_refused_and_leave_no_node(void**) {
  const xpuStream_t stream = new_stream();
  some_graph = new_graph();
  other_graph = new_graph();
  const Alloc a = add_alloc(some_graph, nullptr, 4096), b = add_alloc(some_graph, nullptr, 4096);
  owned = a.at;
  owned_twice = b.at;
  (void)add_free(some_graph, b.node, b.at);
  assert_ok(xpuMallocHost(&pinned, 64));
  assert_ok(xpuMalloc(&eager, 64));
  assert_ok(xpuMallocAsync(&in_order, 4096, stream));
  const size_t before = node_count(some_graph);
#define FREE_REFUSED(what, graph, at)                                                             \
  REFUSED(xpuErrorInvalidValue, xpuGraphAddMemFreeNode, "dptr", what, &outs.node, graph, nullptr, \
          0, at)
  const Refusal rows[] = {
      FREE_REFUSED("is NULL", some_graph, nullptr),
      FREE_REFUSED("is pinned host memory", some_graph, pinned),
      FREE_REFUSED("is on the stack or static", some_graph, &not_allocated),
      FREE_REFUSED("is of xpuMalloc", some_graph, eager),
      FREE_REFUSED("is of xpuMallocAsync", some_graph, in_order),
      FREE_REFUSED("is inside an allocation", some_graph, static_cast<char*>(owned) + 512),
      FREE_REFUSED("is freed by the graph", some_graph, owned_twice),
      FREE_REFUSED("is freed by its own graph", other_graph, owned_twice),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemFreeNode, "graph", "is NULL", &outs.node, nullptr,
              nullptr, 0, owned),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemFreeNode, "pGraphNode", "is NULL", nullptr,
              some_graph, nullptr, 0, owned),
  };
  assert_all_refused(rows);
  assert_int_equal(before, node_count(some_graph));
  assert_int_equal(0, node_count(other_graph));
  assert_ok(xpuFreeAsync(in_order, stream));
  assert_ok(xpuFreeHost(pinned));
  assert_ok(xpuFree(eager));
  destroy(some_graph);
  destroy(other_graph);
  destroy(stream);
}

static void a_second_free_on_another_branch_is_refused(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  (void)add_free(graph, a.node, a.at);
  xpuGraphNode_t again = nullptr;
  assert_code(xpuGraphAddMemFreeNode(&again, graph, &a.node, 1, a.at), xpuErrorInvalidValue);
  assert_null(again);
  assert_int_equal(2, node_count(graph));
  destroy(graph);
}

// As in CUDA, which checks no order; then the memory is not used again.
static void a_free_without_a_path_from_its_allocation_is_taken(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, kMiB);
  const xpuGraphNode_t end = add_free(graph, nullptr, a.at);
  const Alloc later = add_alloc(graph, end, kMiB);
  assert_false(overlap(a.at, kMiB, later.at, kMiB));
  destroy(instantiate(graph));
  destroy(graph);
}
static void a_free_that_is_put_before_its_allocation_is_taken(void**) {
  const xpuGraph_t graph = new_graph();
  const Alloc a = add_alloc(graph, nullptr, 4096);
  const xpuGraphNode_t end = add_free(graph, nullptr, a.at);
  assert_ok(xpuGraphAddDependencies(graph, &end, &a.node, nullptr, 1));
  destroy(instantiate(graph));
  destroy(graph);
}

static void another_graph_may_free_and_then_the_owner_may_not(void**) {
  const Kept k = kept_graph(1);
  const xpuGraph_t one = freeing_graph(k.at), two = freeing_graph(k.at);
  xpuGraphNode_t node = nullptr;
  assert_code(xpuGraphAddMemFreeNode(&node, k.graph, &k.store, 1, k.at), xpuErrorInvalidValue);
  assert_null(node);
  destroy(k.graph);
  destroy(one);
  destroy(two);
}

static void a_graph_whose_memory_nodes_were_refused_can_be_cloned(void**) {
  const xpuGraph_t graph = new_graph();
  const xpuGraphNode_t before = add_one(graph, nullptr, "noop");
  xpuMemAllocNodeParams params = alloc_params(SIZE_MAX / 2);
  xpuGraphNode_t node = nullptr;
  xpuGraph_t clone = nullptr;
  assert_code(xpuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), xpuErrorMemoryAllocation);
  assert_code(xpuGraphAddMemFreeNode(&node, graph, nullptr, 0, &params), xpuErrorInvalidValue);
  assert_ok(xpuGraphClone(&clone, graph));
  assert_ok(xpuGraphDestroyNode(before));
  destroy(clone);
  destroy(graph);
}

int main(void) {
  const Test tests[] = {
      xpu_test(an_allocation_has_an_aligned_address_at_once),
      xpu_test(allocations_without_an_order_do_not_share),
      xpu_test(bad_allocations_are_refused_by_name_and_leave_no_node),
      xpu_test(an_allocation_tells_what_it_was_made_with),
      xpu_test(reading_another_kind_of_node_is_refused),
      xpu_test(a_free_tells_its_address),
      xpu_test(frees_of_what_is_no_allocation_are_refused_and_leave_no_node),
      xpu_test(a_second_free_on_another_branch_is_refused),
      xpu_test(a_free_without_a_path_from_its_allocation_is_taken),
      xpu_test(a_free_that_is_put_before_its_allocation_is_taken),
      xpu_test(another_graph_may_free_and_then_the_owner_may_not),
      xpu_test(a_graph_whose_memory_nodes_were_refused_can_be_cloned),
  };
  return run_all(tests, load_first);
}
