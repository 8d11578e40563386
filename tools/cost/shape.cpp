// SPDX-License-Identifier: Apache-2.0
// Makes the shapes: chains, a fork with a join, a grid, chains over many buffers, of a pool, too.
#include "shape.h"

#include <algorithm>
#include <numeric>

namespace cost {
namespace {

Shape finished(Shape shape) {
  for (const Node& node : shape.nodes)
    for (const int before : node.waits) shape.nodes[before].signals = true;
  // Lane 0 is where the graph begins and so has to end.
  if (shape.nodes.back().lane != 0) shape.nodes.back().signals = true;
  shape.by_level.resize(shape.nodes.size());
  std::iota(shape.by_level.begin(), shape.by_level.end(), 0);
  std::stable_sort(shape.by_level.begin(), shape.by_level.end(),
                   [&](int a, int b) { return shape.nodes[a].level < shape.nodes[b].level; });
  return shape;
}

Shape chain(std::string name, int length, int buffers) {
  Shape shape{std::move(name), 1, buffers, false, {}, {}};
  for (int i = 0; i < length; i++) shape.nodes.push_back({0, i, i % buffers, {}, false});
  return finished(std::move(shape));
}

// One node, `branches` chains of `length` after it, one node after them all.
Shape fork_join(int branches, int length) {
  Shape shape{"forkjoin", branches, 1, false, {}, {}};
  shape.nodes.push_back({});
  for (int i = 0; i < length; i++) {
    for (int lane = 0; lane < branches; lane++) {
      shape.nodes.push_back({lane, i + 1, 0, {}, false});
      if (i == 0 && lane > 0) shape.nodes.back().waits = {0};
    }
  }
  Node join{0, length + 1, 0, {}, false};
  for (int lane = 1; lane < branches; lane++) join.waits.push_back(shape.size() - branches + lane);
  shape.nodes.push_back(join);
  return finished(std::move(shape));
}

// Node (i,j) comes after (i-1,j) and (i,j-1); a row is a lane.
Shape grid(int side) {
  Shape shape{"grid", side, 1, false, {}, {}};
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      shape.nodes.push_back({i, i + j, 0, {}, false});
      if (i > 0) shape.nodes.back().waits = {(i - 1) * side + j};
    }
  }
  return finished(std::move(shape));
}

}  // namespace

std::vector<Shape> all_shapes(int most) {
  std::vector<Shape> shapes;
  for (int length : {1, 10, 100, 1000, 10000})
    if (length <= most) shapes.push_back(chain("chain", length, 1));
  shapes.push_back(fork_join(4, std::clamp((most - 2) / 4, 1, 250)));
  int side = 2;
  while (side < 32 && (side + 1) * (side + 1) <= most) side++;
  shapes.push_back(grid(side));
  for (int buffers : {1, 100, 1000})
    if (buffers <= most)
      shapes.push_back(chain("buffers" + std::to_string(buffers), std::min(most, 1000), buffers));
  for (int buffers : {1, 1000}) {
    if (buffers > most) continue;
    shapes.push_back(chain("pool" + std::to_string(buffers), std::min(most, 1000), buffers));
    shapes.back().pooled = true;
  }
  return shapes;
}

}  // namespace cost
