// SPDX-License-Identifier: Apache-2.0
// Random graphs that allocate and free as they run: every allocation is filled with a number that
// comes from another allocation's, checked and written again by every node that uses it. What is
// wrong is counted on the device; what may be alive together must not overlap.
//
// ZE_CPU_SCHEDULE chooses among the orders that a graph leaves open; XPU_TEST_SEED adds to the
// seeds.
#include "graph_memory.h"

#include <random_dag.h>

using namespace xpu::test;

enum { kMost = 60, kGraphs = 50, kLaunches = 3, kUses = 3 };

// Nodes before each node, as bits.
struct Shape {
  uint32_t nodes;
  uint64_t before[kMost];  // direct
};

static void read_shape(Random& random, Shape* shape) {
  const Dag dag = random_dag(random, kMost);
  *shape = {dag.nodes, {}};
  for (const auto& [from, to] : dag.edges) shape->before[to] |= uint64_t{1} << from;
}

struct Piece {
  int* at;
  int count;          // ints
  int value;          // all of them
  uint64_t users;     // nodes, the first of which allocates
  uint32_t freed_by;  // kMost: nobody
  bool freed;
};

struct Grown {
  xpuGraph_t graph;
  Shape shape;
  uint64_t all_before[kMost];  // over any path
  xpuGraphNode_t last[kMost];  // of what stands for a node of the shape
  Piece pieces[kMost];
  int piece_count;
  int checks[kMost];  // done by each node
  int kept_checks;    // behind the launches
};

static size_t bits_to_nodes(const Grown& g, uint64_t bits, xpuGraphNode_t* nodes) {
  size_t count = 0;
  for (uint32_t i = 0; i < g.shape.nodes; i++) {
    if (bits >> i & 1) nodes[count++] = g.last[i];
  }
  return count;
}

// A piece that `node` may use: allocated before it and not freed yet. -1: there is none.
static int usable(const Grown& g, Random& random, uint32_t node) {
  int found = -1;
  uint32_t seen = 0;
  for (int i = 0; i < g.piece_count; i++) {
    const Piece& p = g.pieces[i];
    const uint64_t first = p.users & (~p.users + 1);
    if (p.freed || !(g.all_before[node] & first)) continue;
    if (random.one_in(++seen)) found = i;
  }
  return found;
}

// What every node of the shape becomes: an allocation with its first fill, or checks, or a free of
// what all users are done with.
static void grow_node(Grown& g, Random& random, uint32_t node, int* wrong, int* source) {
  uint64_t direct = g.shape.before[node];
  uint64_t all = direct;
  for (uint32_t i = 0; i < node; i++) {
    if (direct >> i & 1) all |= g.all_before[i];
  }
  g.all_before[node] = all;
  const int piece = usable(g, random, node);
  const uint32_t roll = random.below(10);
  xpuGraphNode_t after[kMost];

  if (piece >= 0 && roll < 3) {
    Piece& p = g.pieces[piece];
    direct |= p.users;
    for (uint32_t i = 0; i < node; i++) {
      if (p.users >> i & 1) g.all_before[node] |= uint64_t{1} << i | g.all_before[i];
    }
    const size_t count = bits_to_nodes(g, direct, after);
    assert_ok(xpuGraphAddMemFreeNode(&g.last[node], g.graph, after, count, p.at));
    p.freed = true;
    p.freed_by = node;
    return;
  }
  const size_t count = bits_to_nodes(g, direct, after);
  if (piece < 0 || roll < 7) {
    Piece& p = g.pieces[g.piece_count];
    p.count = static_cast<int>(128 * (1 + random.below(6)) - random.below(100));
    const Alloc a = add_alloc(g.graph, after, count, static_cast<size_t>(p.count) * 4);
    p.at = a.at;
    p.users = uint64_t{1} << node;
    p.freed_by = kMost;
    p.freed = false;
    const int id = 7 * g.piece_count + 1;
    const int from = piece < 0 ? 1 : g.pieces[piece].value;
    p.value = static_cast<int>(static_cast<uint32_t>(from) * 31u + static_cast<uint32_t>(id));
    g.last[node] = add_one(g.graph, a.node, "derive", p.at, p.count,
                           piece < 0 ? source : g.pieces[piece].at, id);
    if (piece >= 0) g.pieces[piece].users |= uint64_t{1} << node;
    g.piece_count++;
    return;
  }
  assert_ok(xpuGraphAddEmptyNode(&g.last[node], g.graph, after, count));
  for (int k = 0; k < kUses; k++) {
    Piece& p = g.pieces[usable(g, random, node)];
    g.last[node] = add_one(g.graph, g.last[node], "verify", p.at, p.count, p.value, wrong + node);
    p.users |= uint64_t{1} << node;
    g.checks[node]++;
  }
}

// Pairs that share bytes although one is not surely over when the other begins.
static int count_overlaps(const Grown& g) {
  int overlaps = 0;
  for (int i = 0; i < g.piece_count; i++) {
    for (int j = 0; j < g.piece_count; j++) {
      const Piece &p = g.pieces[i], &q = g.pieces[j];
      const uint64_t q_first = q.users & (~q.users + 1), p_first = p.users & (~p.users + 1);
      const auto is_over = [&](const Piece& one, uint64_t first) {
        return one.freed_by != kMost && (g.all_before[__builtin_ctzll(first)] >> one.freed_by & 1);
      };
      if (i < j && !is_over(p, q_first) && !is_over(q, p_first))
        overlaps +=
            overlap(p.at, static_cast<size_t>(p.count) * 4, q.at, static_cast<size_t>(q.count) * 4);
    }
  }
  return overlaps;
}

static int count_shared(const Grown& g) {
  int shared = 0;
  for (int i = 0; i < g.piece_count; i++)
    for (int j = 0; j < i; j++)
      shared +=
          overlap(g.pieces[i].at, 4, g.pieces[j].at, static_cast<size_t>(g.pieces[j].count) * 4);
  return shared;
}

struct Found {
  int pieces, shared, checks;
  int overlaps, wrong, lost;
};

static Found run_one(uint32_t seed, const xpuStream_t* streams) {
  static Grown g;
  Found found = {};
  int result[kMost + 1] = {};
  Random random(seed);
  int *wrong = device_ints(kMost + 1), *source = device_ints(1, 1);
  g = {};
  read_shape(random, &g.shape);
  g.graph = new_graph();
  for (uint32_t node = 0; node < g.shape.nodes; node++) grow_node(g, random, node, wrong, source);
  found.pieces = g.piece_count;
  found.overlaps = count_overlaps(g);
  found.shared = count_shared(g);

  const xpuGraphExec_t exec = instantiate(g.graph);
  destroy(g.graph);
  for (int i = 0; i < kLaunches; i++) {
    const xpuStream_t stream = streams[i % 2];
    assert_ok(xpuGraphLaunch(exec, stream));
    // What the graph keeps is still right behind it.
    for (int k = 0; k < g.piece_count; k++) {
      const Piece& p = g.pieces[k];
      if (p.freed) continue;
      launch_one(stream, "verify", p.at, p.count, p.value, wrong + kMost);
      assert_ok(xpuFreeAsync(p.at, stream));
      g.kept_checks++;
    }
    assert_ok(xpuStreamSynchronize(stream));
    if (i == 0) assert_ok(xpuDeviceGraphMemTrim(0));
  }
  fetch(result, wrong, sizeof result);
  for (int i = 0; i <= kMost; i++) {
    const int expected = i == kMost ? g.kept_checks : g.checks[i] * kLaunches;
    found.checks += expected;
    if (!shown(executes)) continue;
    found.wrong += result[i] > expected;
    found.lost += result[i] < expected;
  }
  destroy(exec);
  assert_ok(xpuFree(wrong));
  assert_ok(xpuFree(source));
  return found;
}

static void no_two_live_allocations_overlap_and_all_results_are_right(void**) {
  const xpuStream_t streams[] = {new_stream(), new_stream()};
  const char* more = getenv("XPU_TEST_SEED");
  const uint32_t base = more ? static_cast<uint32_t>(atoi(more)) * kGraphs : 0;
  Found sum = {};
  for (uint32_t seed = 0; seed < kGraphs; seed++) {
    const Found f = run_one(base + seed, streams);
    if (f.overlaps || f.wrong || f.lost)
      print_error("seed %u: %d overlaps, %d nodes found something wrong, %d did not run\n",
                  base + seed, f.overlaps, f.wrong, f.lost);
    sum.pieces += f.pieces;
    sum.shared += f.shared;
    sum.checks += f.checks;
    sum.overlaps += f.overlaps;
    sum.wrong += f.wrong;
    sum.lost += f.lost;
  }
  print_message("%d allocations, %d pairs share, %d checks\n", sum.pieces, sum.shared, sum.checks);
  destroy(streams[0]);
  destroy(streams[1]);
  assert_int_equal(0, sum.overlaps);
  assert_int_equal(0, sum.wrong);
  assert_int_equal(0, sum.lost);
  assert_true(sum.pieces > 300 && sum.shared > 30 && sum.checks > 300);
  assert_int_equal(0, used());
}

int main(void) {
  const Test tests[] = {
      xpu_test(no_two_live_allocations_overlap_and_all_results_are_right, results(executes)),
  };
  return run_all(tests, load_first);
}
