// SPDX-License-Identifier: Apache-2.0
// The shapes of graphs that are measured, as values: the same one is given to every contender.
#pragma once

#include <string>
#include <vector>

namespace cost {

// A launch of the one kernel: stores the node's number in a buffer.
struct Node {
  int lane = 0;            // the stream it is captured in; within a lane nodes follow one another
  int level = 0;           // the longest way to it; nodes of one level may overlap
  int buffer = 0;          // which buffer it writes
  std::vector<int> waits;  // nodes of other lanes that come before it
  bool signals = false;    // a node of another lane waits for it
};

struct Shape {
  std::string name;
  int lanes = 1;
  int buffers = 1;
  bool pooled = false;        // this library takes the buffers from one graph pool
  std::vector<Node> nodes;    // in an order that can be captured
  std::vector<int> by_level;  // the same nodes, level by level: how one queue is best fed

  int size() const { return static_cast<int>(nodes.size()); }
};

// Every shape of the bench. `most` bounds the nodes of each, for quick runs.
std::vector<Shape> all_shapes(int most);

}  // namespace cost
