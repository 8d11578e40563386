// SPDX-License-Identifier: Apache-2.0
// Queries of graphs and nodes.
#include <thread>

#include "oracle/port/kinds.h"

// a -> b, a -> c, b -> d, c -> d, and a lone e: five nodes, four edges, two roots.
struct Diamond {
  Graph g = new_graph();
  std::vector<Node> n;
  Diamond() {
    n.push_back(add_empty(g));
    n.push_back(add_empty(g, {n[0]}));
    n.push_back(add_empty(g, {n[0]}));
    n.push_back(add_empty(g, {n[1], n[2]}));
    n.push_back(add_empty(g));
  }
};

// The five list calls behind one shape: f(array, count).
using List = std::function<Err(const Diamond&, Node*, size_t*)>;
struct Query {
  const char* name;
  int total;
  List list;
};
static const std::vector<Query>& queries() {
  static const std::vector<Query> all = {
      {"nodes", 5,
       [](const Diamond& d, Node* a, size_t* n) { return P(GraphGetNodes)(d.g, a, n); }},
      {"roots", 2,
       [](const Diamond& d, Node* a, size_t* n) { return P(GraphGetRootNodes)(d.g, a, n); }},
      {"deps", 2,
       [](const Diamond& d, Node* a, size_t* n) {
         return P(GraphNodeGetDependencies)(d.n[3], a, NULL, n);
       }},
      {"dependents", 2,
       [](const Diamond& d, Node* a, size_t* n) {
         return P(GraphNodeGetDependentNodes)(d.n[0], a, NULL, n);
       }},
  };
  return all;
}
// Slots of an array that was filled with a mark: taken by a node, set to NULL, or left.
static void slots(const std::vector<Node>& array, Node mark) {
  int set = 0, null = 0, left = 0;
  for (Node n : array) (n == mark ? left : n ? set : null)++;
  say("set=%d null=%d left=%d", set, null, left);
}
CASES {
  for (const Query& q : queries()) {
    std::string id = std::string("query.") + q.name + ".";
    add_case(id + "count", [=] {
      Diamond d;
      size_t n = 77;
      rc(q.list(d, NULL, &n));
      val("n", (long long)n);
    });
    add_case(id + "count_ignores_n", [=] {
      Diamond d;
      size_t n = 0;
      rc(q.list(d, NULL, &n));
      val("n", (long long)n);
    });
    std::map<std::string, int> sizes = {
        {"exact", q.total}, {"short", q.total - 1}, {"one", 1}, {"zero", 0}, {"long", q.total + 3}};
    for (auto& named : sizes) {
      int size = named.second;
      add_case(id + named.first, [=] {
        Diamond d;
        Node mark = (Node)&d;
        std::vector<Node> a((size_t)q.total + 4, mark);
        size_t n = (size_t)size;
        rc(q.list(d, a.data(), &n));
        val("n", (long long)n);
        slots(a, mark);
      });
    }
    add_case(id + "null_count", [=] {
      Diamond d;
      Node a[8];
      rc("array", q.list(d, a, NULL));
      rc("no_array", q.list(d, NULL, NULL));
    });
    add_case(id + "distinct", [=] {
      Diamond d;
      Node a[8] = {};
      size_t n = 8;
      OK(q.list(d, a, &n));
      std::vector<Node> v(a, a + n);
      std::sort(v.begin(), v.end());
      val("distinct", (long long)(std::unique(v.begin(), v.end()) - v.begin()));
      int known = 0;
      for (size_t i = 0; i < n; i++) known += index_in(d.n, a[i]) >= 0;
      val("known", known);
    });
    add_case(std::string("query.order.") + q.name, [=] {  // creation order?
      Diamond d;
      Node a[8] = {};
      size_t n = 8;
      OK(q.list(d, a, &n));
      std::vector<int> order;
      for (size_t i = 0; i < n; i++) order.push_back(index_in(d.n, a[i]));
      vals("order", order);
    });
  }
}
CASE("query.nodes.null_graph") {
  size_t n = 3;
  rc("count", P(GraphGetNodes)(NULL, NULL, &n));
  Node a[3];
  rc("array", P(GraphGetNodes)(NULL, a, &n));
  val("n", (long long)n);
}
CASE("query.roots.null_graph") {
  size_t n = 3;
  rc("count", P(GraphGetRootNodes)(NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("query.deps.null_node") {
  size_t n = 3;
  rc("count", P(GraphNodeGetDependencies)(NULL, NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("query.dependents.null_node") {
  size_t n = 3;
  rc("count", P(GraphNodeGetDependentNodes)(NULL, NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("query.nodes.empty_graph") {
  Graph g = new_graph();
  Node mark = (Node)&g;
  std::vector<Node> a(3, mark);
  size_t n = 3;
  rc(P(GraphGetNodes)(g, a.data(), &n));
  val("n", (long long)n);
  slots(a, mark);
}
CASE("query.roots.empty_graph") {
  Graph g = new_graph();
  Node mark = (Node)&g;
  std::vector<Node> a(3, mark);
  size_t n = 3;
  rc(P(GraphGetRootNodes)(g, a.data(), &n));
  val("n", (long long)n);
  slots(a, mark);
}
CASE("query.deps.of_root") {
  Diamond d;
  Node mark = (Node)&d;
  std::vector<Node> a(3, mark);
  size_t n = 3;
  rc(P(GraphNodeGetDependencies)(d.n[0], a.data(), NULL, &n));
  val("n", (long long)n);
  slots(a, mark);
}
CASE("query.dependents.of_leaf") {
  Diamond d;
  Node mark = (Node)&d;
  std::vector<Node> a(3, mark);
  size_t n = 3;
  rc(P(GraphNodeGetDependentNodes)(d.n[3], a.data(), NULL, &n));
  val("n", (long long)n);
  slots(a, mark);
}
CASE("query.deps.with_edge_data") {
  Diamond d;
  Node a[4] = {};
  EdgeData e[4] = {edge_data(9, 9, 9), edge_data(9, 9, 9), edge_data(9, 9, 9), edge_data(9, 9, 9)};
  size_t n = 4;
  rc(P(GraphNodeGetDependencies)(d.n[3], a, e, &n));
  val("n", (long long)n);
  for (auto& x : e) say("%d/%d/%d", x.from_port, x.to_port, x.type);
}
CASE("query.deps.edge_data_only") {
  Diamond d;
  EdgeData e[4];
  size_t n = 4;
  rc(P(GraphNodeGetDependencies)(d.n[3], NULL, e, &n));
}
CASE("query.dependents.edge_data_only") {
  Diamond d;
  EdgeData e[4];
  size_t n = 4;
  rc(P(GraphNodeGetDependentNodes)(d.n[0], NULL, e, &n));
}
CASE("query.deps.order_of_addition") {
  Graph g = new_graph();
  std::vector<Node> v;
  for (int i = 0; i < 4; i++) v.push_back(add_empty(g));
  Node n = add_empty(g, {v[2], v[0]});
  add_edge(g, v[3], n);
  add_edge(g, v[1], n);
  Node a[4] = {};
  size_t count = 4;
  OK(P(GraphNodeGetDependencies)(n, a, NULL, &count));
  std::vector<int> order;
  for (Node x : a) order.push_back(index_in(v, x));
  vals("order", order);
}

// --- edges

CASE("query.edges.count") {
  Diamond d;
  size_t n = 77;
  rc(P(GraphGetEdges)(d.g, NULL, NULL, NULL, &n));
  val("n", (long long)n);
}
CASES {
  for (int size : {4, 3, 1, 0, 7})
    add_case("query.edges.arrays_of_" + std::to_string(size), [=] {
      Diamond d;
      Node mark = (Node)&d;
      std::vector<Node> from(8, mark), to(8, mark);
      std::vector<EdgeData> data(8, edge_data(9, 9, 9));
      size_t n = (size_t)size;
      rc(P(GraphGetEdges)(d.g, from.data(), to.data(), data.data(), &n));
      val("n", (long long)n);
      slots(from, mark);
      slots(to, mark);
      int zero = 0, left = 0;
      for (auto& e : data) zero += !e.from_port && !e.to_port && !e.type, left += e.from_port == 9;
      say("data_zero=%d data_left=%d", zero, left);
    });
}
CASE("query.edges.without_data") {
  Diamond d;
  Node from[4] = {}, to[4] = {};
  size_t n = 4;
  rc(P(GraphGetEdges)(d.g, from, to, NULL, &n));
  std::vector<int> pairs;
  for (size_t i = 0; i < n; i++)
    pairs.push_back(10 * index_in(d.n, from[i]) + index_in(d.n, to[i]));
  std::sort(pairs.begin(), pairs.end());
  vals("pairs", pairs);
}
CASE("query.order.edges") {
  Diamond d;
  Node from[4] = {}, to[4] = {};
  size_t n = 4;
  rc(P(GraphGetEdges)(d.g, from, to, NULL, &n));
  std::vector<int> pairs;
  for (size_t i = 0; i < n; i++)
    pairs.push_back(10 * index_in(d.n, from[i]) + index_in(d.n, to[i]));
  vals("order", pairs);
}
CASE("query.edges.only_from") {
  Diamond d;
  Node a[4];
  size_t n = 4;
  rc(P(GraphGetEdges)(d.g, a, NULL, NULL, &n));
}
CASE("query.edges.only_to") {
  Diamond d;
  Node a[4];
  size_t n = 4;
  rc(P(GraphGetEdges)(d.g, NULL, a, NULL, &n));
}
CASE("query.edges.only_data") {
  Diamond d;
  EdgeData a[4];
  size_t n = 4;
  rc(P(GraphGetEdges)(d.g, NULL, NULL, a, &n));
}
CASE("query.edges.null_count") {
  Diamond d;
  Node a[4], b[4];
  rc("arrays", P(GraphGetEdges)(d.g, a, b, NULL, NULL));
  rc("no_arrays", P(GraphGetEdges)(d.g, NULL, NULL, NULL, NULL));
}
CASE("query.edges.null_graph") {
  size_t n = 4;
  rc(P(GraphGetEdges)(NULL, NULL, NULL, NULL, &n));
  val("n", (long long)n);
}
CASE("query.edges.none") {
  Graph g = new_graph();
  size_t n = 9;
  rc("empty", P(GraphGetEdges)(g, NULL, NULL, NULL, &n));
  val("n", (long long)n);
  add_empty(g);
  Node mark = (Node)&g, a[2] = {mark, mark}, b[2] = {mark, mark};
  n = 2;
  rc("one_node", P(GraphGetEdges)(g, a, b, NULL, &n));
  say("n=%zu null=%d", n, !a[0] && !a[1] && !b[0] && !b[1]);
}

// --- types

CASES {
  for (int t = 0; t < kind_count; t++)
    add_case(std::string("type.") + type_name(t), [=] {
      Kinds k = new_kinds(false);
      NodeType got = (NodeType)-1;
      rc(P(GraphNodeGetType)(add_kind(k, k.g, t), &got));
      say("%s", type_name((int)got));
    });
}
CASE("type.null_node") {
  NodeType t = (NodeType)-1;
  rc(P(GraphNodeGetType)(NULL, &t));
  val("kept", (int)t == -1);
}
CASE("type.null_out") { rc(P(GraphNodeGetType)(add_empty(new_graph()), NULL)); }
CASE("type.null_both") { rc(P(GraphNodeGetType)(NULL, NULL)); }
CASE("type.reused_variable") {
  Kinds k = new_kinds(false);
  Node n = add_kind(k, k.g, p_type_kernel);
  say("%s", type_name(type_of(n)));
  OK(P(GraphDestroyNode)(n));
  n = add_kind(k, k.g, p_type_host);
  say("%s", type_name(type_of(n)));
}
CASE("type.in_other_thread") {
  Kinds k = new_kinds();
  std::string seen;
  std::thread t([&] {
    for (Node n : k.n) {
      NodeType got = (NodeType)-1;
      if (P(GraphNodeGetType)(n, &got) == P(Success))
        seen += std::string(" ") + type_name((int)got);
    }
  });
  t.join();
  say("%s", seen.c_str() + 1);
}
CASE("type.inside_child") {
  Kinds k = new_kinds();
  Graph parent = new_graph(), inner = NULL;
  OK(P(GraphChildGraphNodeGetGraph)(add_child(parent, {}, k.g), &inner));
  std::vector<int> types;
  for (Node n : nodes_of(inner)) types.push_back(type_of(n));
  std::sort(types.begin(), types.end());
  vals("types", types);
}

// --- roots

CASE("roots.shrink_as_edges_come") {
  Graph g = new_graph();
  std::vector<Node> v;
  for (int i = 0; i < 8; i++) v.push_back(add_empty(g));
  for (size_t i = 0; i + 1 < v.size(); i++) {
    add_edge(g, v[i], v[i + 1]);
    say("%lld", root_count(g));
  }
}
CASE("roots.child_is_one") {
  Graph child = new_graph(), g = new_graph();
  for (int i = 0; i < 5; i++) add_empty(child);
  add_child(g, {}, child);
  say("parent=%lld child=%lld", root_count(g), root_count(child));
}
CASE("roots.in_cycle") {
  Graph g = new_graph();
  Node a = add_empty(g), b = add_empty(g, {a});
  add_edge(g, b, a);
  say("roots=%lld nodes=%lld", root_count(g), node_count(g));
}
CASE("roots.after_removing_edges") {
  Diamond d;
  Node from[2] = {d.n[0], d.n[0]}, to[2] = {d.n[1], d.n[2]};
  OK(P(GraphRemoveDependencies)(d.g, from, to, NULL, 2));
  val("roots", root_count(d.g));
}
CASE("nodes.count_after_each_add") {
  Kinds k = new_kinds(false);
  for (int t = 0; t < kind_count; t++) {
    add_kind(k, k.g, t);
    say("%lld", node_count(k.g));
  }
}
CASE("nodes.handles_are_those_of_add") {
  Kinds k = new_kinds();
  std::vector<Node> mine(k.n, k.n + kind_count), theirs = nodes_of(k.g);
  int known = 0;
  for (Node n : theirs) known += index_in(mine, n) >= 0;
  say("count=%zu known=%d", theirs.size(), known);
}
