// SPDX-License-Identifier: Apache-2.0
// Cuts and joins the pieces of a block.
#include "memory/block.h"

#include <iterator>

namespace xpu::memory {
namespace {

// Frees of one stream come in order, so that stream may have both at once; the later one then
// stands for both. A piece that anybody may have joins only its like: it would become one stream's.
bool can_join(const Piece& a, const Piece& b) noexcept {
  if (a.in_use || b.in_use) return false;
  if (!a.freed || !b.freed) return a.freed == b.freed;
  return a.freed->stream() == b.freed->stream();
}

void take_later(Piece& into, const Piece& from) noexcept {
  if (into.freed && into.freed->submission() < from.freed->submission()) into.freed = from.freed;
}

}  // namespace

bool BySize::operator()(const Piece* a, const Piece* b) const noexcept {
  return a->size != b->size ? a->size < b->size : a->address() < b->address();
}

std::byte* Piece::address() const noexcept { return block ? block->base + offset : nullptr; }

Block::Block(size_t bytes, Shelf& on) : size(bytes), shelf(on) {
  auto node = spare_piece();
  Piece& whole = node.mapped();
  whole.block = this;
  whole.size = bytes;
  pieces.insert(std::move(node));
}

Block::Pieces::node_type Block::spare_piece() {
  Pieces pieces;
  Piece& piece = pieces[0];
  Shelf shelf;
  piece.place = shelf.extract(shelf.insert(&piece).first);
  return pieces.extract(pieces.begin());
}

void Block::shelve(Piece& piece) noexcept { shelf.insert(std::move(piece.place)); }
void Block::unshelve(Piece& piece) noexcept { piece.place = shelf.extract(&piece); }

Piece& Block::take(const Run& run, size_t bytes, Pieces::node_type spare) noexcept {
  Piece& last = *run.last;
  unshelve(last);
  if (const size_t left = run.size - bytes) {
    last.size -= left;
    Piece& rest = spare.mapped();
    rest.block = this;
    rest.offset = last.offset + last.size;
    rest.size = left;
    rest.freed = last.freed;
    spare.key() = rest.offset;
    pieces.insert(std::move(spare));
    shelve(rest);
  }
  if (run.first == run.last) return last;
  unshelve(*run.first);
  for (Piece* behind = next(*run.first); behind != run.last; behind = next(*run.first)) {
    unshelve(*behind);
    absorb_next(*run.first);
  }
  absorb_next(*run.first);
  return *run.first;
}

void Block::absorb_next(Piece& piece) noexcept {
  const auto behind = std::next(pieces.find(piece.offset));
  piece.size += behind->second.size;
  pieces.erase(behind);
}

Piece& Block::settle(Piece& freed) noexcept {
  Piece* piece = &freed;
  if (Piece* behind = next(*piece); behind && can_join(*piece, *behind)) {
    unshelve(*behind);
    take_later(*piece, *behind);
    absorb_next(*piece);
  }
  if (Piece* before = previous(*piece); before && can_join(*before, *piece)) {
    unshelve(*before);
    take_later(*before, *piece);
    absorb_next(*before);
    piece = before;
  }
  shelve(*piece);
  return *piece;
}

Piece* Block::next(const Piece& piece) noexcept {
  const auto at = std::next(pieces.find(piece.offset));
  return at == pieces.end() ? nullptr : &at->second;
}
Piece* Block::previous(const Piece& piece) noexcept {
  const auto at = pieces.find(piece.offset);
  return at == pieces.begin() ? nullptr : &std::prev(at)->second;
}

}  // namespace xpu::memory
