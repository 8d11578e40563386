// SPDX-License-Identifier: Apache-2.0
// An allocation of the driver, cut into pieces that are in use or free.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>

#include "memory/freed.h"

namespace xpu::memory {

struct Block;
struct Piece;

// Free pieces, smallest first.
struct BySize {
  bool operator()(const Piece* a, const Piece* b) const noexcept;
};
using Shelf = std::set<Piece*, BySize>;

struct Piece {
  Block* block = nullptr;
  size_t offset = 0;
  size_t size = 0;
  bool in_use = false;
  FreedRef freed;  // when it is free: since when. Null: anybody may have it
  // Its place on the shelf when it is not there, so that freeing never needs memory.
  Shelf::node_type place;

  std::byte* address() const noexcept;
};

// Free pieces of one block, end to end; none if there is no first.
struct Run {
  Piece* first = nullptr;
  Piece* last = nullptr;
  size_t size = 0;
  explicit operator bool() const noexcept { return first != nullptr; }
};

// Pieces lie end to end from 0 to size. What changes them cannot fail; what may need host memory is
// made before.
struct Block {
  using Pieces = std::map<size_t, Piece>;  // by offset

  // All of it is one free piece, which is on no shelf. It is made before there is memory.
  Block(size_t size, Shelf& shelf);

  std::byte* base = nullptr;
  const size_t size;
  Shelf& shelf;
  Pieces pieces;

  // A piece that stands in no block yet, with its place on a shelf.
  static Pieces::node_type spare_piece();
  // Free pieces only: puts it on the shelf, takes it off.
  void shelve(Piece& piece) noexcept;
  void unshelve(Piece& piece) noexcept;
  // Makes one unshelved piece of `size` bytes of a shelved run. What is left of its last piece
  // stays as it is, in the spare one, which may be empty if nothing is.
  Piece& take(const Run& run, size_t size, Pieces::node_type spare) noexcept;
  // Joins a free piece that is on no shelf with its free neighbours, where no stream has to wait
  // longer for the whole than for each, and shelves the whole.
  Piece& settle(Piece& piece) noexcept;

  Piece* next(const Piece& piece) noexcept;
  Piece* previous(const Piece& piece) noexcept;
  bool is_free() const noexcept { return pieces.size() == 1 && !pieces.begin()->second.in_use; }

 private:
  // The piece behind it, which is unshelved too, becomes part of it.
  void absorb_next(Piece& piece) noexcept;
};

}  // namespace xpu::memory
