// SPDX-License-Identifier: Apache-2.0
// Edges as a node keeps them: the other end and the edge data, in order of insertion.
#pragma once

#include <xpugraph/xpugraph.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace xpu::graph {

class Node;

struct Edge {
  Node* node = nullptr;  // the other end
  uint8_t from_port = 0;
  uint8_t to_port = 0;
  uint8_t type = 0;
  uint8_t unused = 0;  // so that all that an edge carries is one word

  uint32_t carries() const noexcept {
    return from_port | uint32_t{to_port} << 8 | uint32_t{type} << 16 | uint32_t{unused} << 24;
  }
  bool is_default() const noexcept { return !carries(); }
  xpuGraphEdgeData data() const noexcept {
    xpuGraphEdgeData d;
    std::memset(&d, 0, sizeof d);
    d.from_port = from_port;
    d.to_port = to_port;
    d.type = type;
    return d;
  }
};

// A small vector: two edges lie inside, because most nodes of a chain or a diamond have no more,
// and an allocation per node and direction would be a third of what capturing the node costs.
class EdgeList {
 public:
  EdgeList() noexcept {}
  EdgeList(const EdgeList&) = delete;
  EdgeList& operator=(const EdgeList&) = delete;
  ~EdgeList() { clear(); }

  const Edge* begin() const noexcept { return data(); }
  const Edge* end() const noexcept { return data() + size_; }
  uint32_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const Edge& operator[](uint32_t i) const noexcept { return data()[i]; }

  // Position of the edge to `node`, or size().
  uint32_t find(const Node* node) const noexcept {
    const Edge* edges = data();
    uint32_t i = 0;
    while (i < size_ && edges[i].node != node) i++;
    return i;
  }
  // So that the next `more` calls of push cannot fail.
  void reserve_more(uint32_t more) {
    if (size_ + more > capacity_) grow(size_ + more);
  }
  void push(const Edge& edge) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = edge;
  }
  // With room that reserve_more() made, or in a list that is empty.
  void push_reserved(const Edge& edge) noexcept { data()[size_++] = edge; }
  void pop() noexcept { size_--; }
  void erase(uint32_t at) noexcept {
    Edge* edges = data();
    for (uint32_t i = at + 1; i < size_; i++) edges[i - 1] = edges[i];
    size_--;
  }
  void insert(uint32_t at, const Edge& edge) {
    push(edge);
    Edge* edges = data();
    for (uint32_t i = size_ - 1; i > at; i--) std::swap(edges[i], edges[i - 1]);
  }
  // Makes this list, which is empty, a copy of `from` with end_of(node) for each other end.
  template <class EndOf>
  void copy(const EdgeList& from, EndOf&& end_of) {
    reserve_more(from.size_);
    size_ = from.size_;
    const Edge* edge = from.data();
    for (Edge *to = data(), *const end = to + size_; to != end; to++, edge++) {
      *to = *edge;
      to->node = end_of(edge->node);
    }
  }
  void clear() noexcept {
    if (capacity_ > kInside) delete[] outside_;
    size_ = 0;
    capacity_ = kInside;
  }

 private:
  static constexpr uint32_t kInside = 2;

  Edge* data() noexcept { return capacity_ > kInside ? outside_ : inside_; }
  const Edge* data() const noexcept { return capacity_ > kInside ? outside_ : inside_; }
  void grow(uint32_t at_least) {
    uint32_t capacity = capacity_ * 2 > at_least ? capacity_ * 2 : at_least;
    Edge* wider = new Edge[capacity];
    for (uint32_t i = 0; i < size_; i++) wider[i] = data()[i];
    if (capacity_ > kInside) delete[] outside_;
    outside_ = wider;
    capacity_ = capacity;
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = kInside;
  union {
    Edge inside_[kInside];
    Edge* outside_;
  };
};

}  // namespace xpu::graph
