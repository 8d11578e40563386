// SPDX-License-Identifier: Apache-2.0
// Random programs of assignments, choices and loops over a few cells, and what they compute: plain
// statements one after the other, which is what the graph made of them has to agree with.
#pragma once

#include <cstdint>
#include <vector>

namespace xpu::test {

inline constexpr uint32_t kCells = 8;       // that statements read and write
inline constexpr uint32_t kMostLoops = 64;  // each counts in a cell of its own behind those
inline constexpr uint32_t kAllCells = kCells + kMostLoops;

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t below(uint32_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ >> 16) % n);
  }

 private:
  uint64_t state_;
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum Kind : uint8_t { advance, choice, selection, loop } kind = advance;
  uint32_t cell = 0;  // written by advance, counted by loop, asked by the others
  uint32_t from = 0, a = 0, b = 0;
  uint32_t turns = 0;  // of a loop, 0 to 3
  std::vector<Block> blocks;
};

struct Program {
  Block top;
  uint32_t loops = 0;
};

inline Block random_block(Dice& dice, Program& program, uint32_t depth) {
  Block block;
  const uint32_t count = 1 + dice.below(depth ? 4 : 6);
  for (uint32_t i = 0; i < count; i++) {
    Statement s;
    const uint32_t kind = depth < 3 ? dice.below(7) : 0;
    s.kind = kind < 4 ? Statement::advance : static_cast<Statement::Kind>(kind - 3);
    if (s.kind == Statement::loop && program.loops == kMostLoops) s.kind = Statement::advance;
    s.cell = s.kind == Statement::loop ? kCells + program.loops++ : dice.below(kCells);
    s.from = dice.below(kCells);
    s.a = 2 * dice.below(8) + 1;
    s.b = dice.below(1000);
    s.turns = dice.below(4);
    uint32_t blocks = 0;
    if (s.kind == Statement::choice) blocks = 1 + dice.below(2);
    if (s.kind == Statement::selection) blocks = 1 + dice.below(4);
    if (s.kind == Statement::loop) blocks = 1;
    for (uint32_t b = 0; b < blocks; b++)
      s.blocks.push_back(random_block(dice, program, depth + 1));
    block.push_back(s);
  }
  return block;
}

inline Program random_program(uint64_t seed) {
  Dice dice(seed);
  Program program;
  program.top = random_block(dice, program, 0);
  return program;
}

inline void interpret(const Block& block, uint32_t* cells) {
  for (const Statement& s : block) {
    switch (s.kind) {
      case Statement::advance:
        cells[s.cell] = cells[s.cell] * s.a + cells[s.from] + s.b;
        break;
      case Statement::choice:
        if (cells[s.cell] % 2)
          interpret(s.blocks[0], cells);
        else if (s.blocks.size() > 1)
          interpret(s.blocks[1], cells);
        break;
      case Statement::selection: {
        const uint32_t chosen = cells[s.cell] % (static_cast<uint32_t>(s.blocks.size()) + 1);
        if (chosen < s.blocks.size()) interpret(s.blocks[chosen], cells);
        break;
      }
      case Statement::loop:
        for (uint32_t turn = 0; turn < s.turns; turn++) interpret(s.blocks[0], cells);
        cells[s.cell] = 0;
        break;
    }
  }
}

// Which of the first cells a statement reads or writes, one bit for each.
struct Touched {
  uint32_t read = 0, written = 0;
};
inline Touched touched(const Statement& s) {
  Touched t;
  if (s.kind == Statement::advance) {
    t.written = 1u << s.cell;
    t.read = 1u << s.from | t.written;
  } else if (s.kind != Statement::loop) {
    t.read = 1u << s.cell;
  }
  for (const Block& block : s.blocks)
    for (const Statement& inner : block) {
      const Touched in = touched(inner);
      t.read |= in.read;
      t.written |= in.written;
    }
  return t;
}

}  // namespace xpu::test
