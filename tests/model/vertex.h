// SPDX-License-Identifier: Apache-2.0
// The model: a random graph of vertices of several kinds, and the walk that says what it computes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "random_dag.h"

namespace xpu::test {

inline uint32_t mix_in(uint32_t hash, uint32_t value) {
  hash = (hash ^ value) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}

enum class Kind : uint8_t { kernel, host, copy, fill, join, nested };

inline constexpr uint32_t kOutside = UINT32_MAX;

struct Vertex {
  Kind kind = Kind::kernel;
  uint32_t group = kOutside;     // the nested vertex that this one is inside of
  std::vector<uint32_t> before;  // vertices of the same group that must be done first
  std::vector<uint32_t> inputs;  // vertices whose values it reads
};

// Vertices in an order in which they can run: what is before one, or around it, has a lower number.
struct Model {
  std::vector<Vertex> vertices;
};

namespace model_detail {

// The vertices whose values stand for all of `v` being done.
inline void outputs(const Model& m, uint32_t v, std::vector<uint32_t>& into) {
  const Vertex& vertex = m.vertices[v];
  if (vertex.kind == Kind::join) {
    into.insert(into.end(), vertex.inputs.begin(), vertex.inputs.end());
  } else if (vertex.kind != Kind::nested) {
    into.push_back(v);
  } else {
    std::vector<bool> followed(m.vertices.size());
    for (const Vertex& inner : m.vertices) {
      for (uint32_t b : inner.before) followed[b] = followed[b] || inner.group == v;
    }
    for (uint32_t i = v + 1; i < m.vertices.size(); i++) {
      if (m.vertices[i].group == v && !followed[i]) outputs(m, i, into);
    }
  }
}

inline Kind random_kind(Random& random, bool nesting) {
  switch (random.below(14)) {
    case 0:
      return Kind::copy;
    case 1:
      return Kind::fill;
    case 2:
      return Kind::join;
    case 3:
      return random.one_in(2) ? Kind::host : Kind::kernel;
    case 4:
      return nesting ? Kind::nested : Kind::kernel;
    default:
      return Kind::kernel;
  }
}

inline void grow(Model& m, Random& random, uint32_t most, uint32_t group, bool nesting) {
  const Dag dag = random_dag(random, most);
  std::vector<uint32_t> number;
  for (uint32_t i = 0; i < dag.nodes; i++) {
    const auto v = static_cast<uint32_t>(m.vertices.size());
    number.push_back(v);
    Vertex vertex;
    vertex.group = group;
    vertex.kind = random_kind(random, nesting);
    for (auto [a, b] : dag.edges) {
      if (b == i) vertex.before.push_back(number[a]);
    }
    for (uint32_t b : vertex.before) outputs(m, b, vertex.inputs);
    if (vertex.before.empty() && group != kOutside) vertex.inputs = m.vertices[group].inputs;
    if (vertex.kind == Kind::copy && vertex.inputs.empty()) vertex.kind = Kind::fill;
    m.vertices.push_back(vertex);
    if (vertex.kind == Kind::nested) grow(m, random, 5, v, false);
  }
}

}  // namespace model_detail

inline Model random_model(uint64_t seed, uint32_t most, bool nesting) {
  Random random(seed);
  Model m;
  model_detail::grow(m, random, most, kOutside, nesting);
  return m;
}

// The byte that a fill vertex writes four times.
inline uint8_t fill_byte(uint32_t v) { return static_cast<uint8_t>(v * 7 + 1); }

inline uint32_t combined(const std::vector<uint32_t>& values, const Vertex& vertex, uint32_t salt,
                         uint32_t self) {
  uint32_t hash = mix_in(salt, self);
  for (uint32_t input : vertex.inputs) hash = mix_in(hash, values[input]);
  return hash;
}

// The reference: what every vertex's value is after a run with this salt. Joins and nested vertices
// have none and read as 0.
inline std::vector<uint32_t> walk(const Model& m, uint32_t salt) {
  std::vector<uint32_t> values(m.vertices.size());
  for (uint32_t v = 0; v < values.size(); v++) {
    const Vertex& vertex = m.vertices[v];
    switch (vertex.kind) {
      case Kind::kernel:
      case Kind::host:
        values[v] = combined(values, vertex, salt, v);
        break;
      case Kind::copy:
        values[v] = values[vertex.inputs[0]];
        break;
      case Kind::fill:
        values[v] = fill_byte(v) * 0x01010101u;
        break;
      case Kind::join:
      case Kind::nested:
        break;
    }
  }
  return values;
}

// How deep each vertex of a model without nesting is when the edge from -> to is left out: one more
// than the deepest before it, but a join adds nothing. Vertices of one depth may run in any order.
inline std::vector<uint32_t> depths(const Model& m, uint32_t from, uint32_t to) {
  std::vector<uint32_t> depth(m.vertices.size());
  for (uint32_t v = 0; v < depth.size(); v++) {
    for (uint32_t b : m.vertices[v].before) {
      if (b != from || v != to) depth[v] = std::max(depth[v], depth[b]);
    }
    depth[v] += m.vertices[v].kind != Kind::join;
  }
  return depth;
}

// A pair (from, to) such that `to` reads what `from` computes, no other way leads from one to the
// other, and other edges do not put `to` deeper than `from` by the way; (kOutside, kOutside) if
// there is none. For models without nesting.
inline std::pair<uint32_t, uint32_t> needed_edge(const Model& m, Random& random) {
  std::vector<std::pair<uint32_t, uint32_t>> found;
  const size_t n = m.vertices.size();
  std::vector<std::vector<bool>> reached(n, std::vector<bool>(n));
  for (uint32_t to = 0; to < n; to++) {
    const Vertex& v = m.vertices[to];
    for (uint32_t from : v.before) {
      const bool reads = m.vertices[from].kind == Kind::kernel && v.kind == Kind::kernel;
      bool other_way = false;
      for (uint32_t b : v.before) other_way = other_way || (b != from && reached[b][from]);
      if (!reads || other_way) continue;
      const std::vector<uint32_t> depth = depths(m, from, to);
      if (depth[to] <= depth[from]) found.emplace_back(from, to);
    }
    for (uint32_t b : v.before) {
      reached[to][b] = true;
      for (uint32_t k = 0; k < n; k++) reached[to][k] = reached[to][k] || reached[b][k];
    }
  }
  if (found.empty()) return {kOutside, kOutside};
  return found[random.below(static_cast<uint32_t>(found.size()))];
}

}  // namespace xpu::test
