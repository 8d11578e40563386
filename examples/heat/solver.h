// SPDX-License-Identifier: Apache-2.0
// The heat equation on tiles of a picture: memory, kernels, and the commands of one step.
//
// Every tile has its own buffers with a border of one cell, as if it were on a device of its own,
// and two streams share the tiles. A step is two half steps, from `now` to `next` and back, so that
// it ends where it began and can be repeated by a graph.
#pragma once

#include <xpugraph/xpugraph.h>

#include <cstdint>
#include <string>
#include <vector>

#include "picture.h"

namespace heat {

class Solver {
 public:
  Solver(const Start& start, uint32_t columns, uint32_t rows, const std::string& kernels);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Back to the picture.
  void reset();
  // Puts one step into the streams: begins and ends in stream(), where it can be captured.
  void enqueue_step();
  xpuStream_t stream() const { return streams_[0]; }
  // Waits, and puts the tiles together.
  Field result() const;

  uint32_t kernels_per_step() const { return 4 * static_cast<uint32_t>(tiles_.size()); }
  uint32_t copies_per_step() const { return 16 * static_cast<uint32_t>(tiles_.size()); }

 private:
  struct Tile {
    uint32_t column, row;          // which tile it is
    uint32_t x, y, width, height;  // which cells of the picture it holds
    uint32_t pitch;                // floats from one row to the next, border included
    float *now, *next, *material, *conductivity;
    int stream;
  };
  enum class Side { left, right, up, down };

  void half_step(float* Tile::*now, float* Tile::*next);
  void conduct(const Tile& tile, float* Tile::*now);
  void diffuse(const Tile& tile, float* Tile::*now, float* Tile::*next);
  void fill_border(const Tile& tile, Side side, float* Tile::*field);
  // Both streams go on only when both have come here.
  void meet();
  const Tile& neighbour(const Tile& tile, Side side) const;
  void upload(const Tile& tile, float* buffer, const Field& field) const;

  const Start& start_;
  uint32_t columns_, rows_;
  std::vector<Tile> tiles_;
  xpuStream_t streams_[2] = {};
  xpuEvent_t arrived_[2] = {};
  xpuModule_t module_ = nullptr;
  xpuKernel_t conduct_ = nullptr, diffuse_ = nullptr;
};

}  // namespace heat
