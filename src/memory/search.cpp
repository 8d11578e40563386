// SPDX-License-Identifier: Apache-2.0
// Which free pieces a stream may have, and the best of them.
#include "memory/search.h"

namespace xpu::memory {
namespace {

// Compares as the first piece on a shelf with that many bytes.
Shelf::const_iterator first_with(const Shelf& shelf, size_t size) {
  Piece least;
  least.size = size;
  return shelf.lower_bound(&least);
}

}  // namespace

bool Search::may_have(const Piece& piece) {
  if (piece.in_use) return false;
  if (!piece.freed || piece.freed->stream() == stream_.id()) return true;
  const Freed& freed = *piece.freed;
  if (policy_.follow_events && past_.holds(freed.stream(), freed.submission())) return true;
  return policy_.opportunistic && asking_.is_over(freed);
}

Run Search::best(const Shelf& shelf, size_t size) {
  for (auto at = first_with(shelf, size); at != shelf.end(); ++at) {
    if (may_have(**at)) return {*at, *at, (*at)->size};
  }
  return {};
}

Run Search::joined(Block& block, size_t size) {
  Run run;
  for (auto& [offset, piece] : block.pieces) {
    if (!may_have(piece)) {
      run = {};
      continue;
    }
    if (!run) run.first = &piece;
    run.last = &piece;
    run.size += piece.size;
    if (run.size >= size) return run;
  }
  return {};
}

Run Search::any(const Shelf& shelf, size_t size) {
  const auto at = first_with(shelf, size);
  return at == shelf.end() ? Run() : Run{*at, *at, (*at)->size};
}

}  // namespace xpu::memory
