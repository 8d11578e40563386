// SPDX-License-Identifier: Apache-2.0
// Sets the tiles up and puts the commands of a step into the streams.
#include "solver.h"

#include <fstream>
#include <iterator>

#include "call.h"

namespace heat {
namespace {

constexpr float kRate = 0.2f;
constexpr uint32_t kBlock = 16;

std::vector<char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "heat: %s cannot be read\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

xpuDim3 blocks(uint32_t width, uint32_t height) {
  return {(width + kBlock - 1) / kBlock, (height + kBlock - 1) / kBlock, 1};
}

}  // namespace

Solver::Solver(const Start& start, uint32_t columns, uint32_t rows, const std::string& kernels)
    : start_(start), columns_(columns), rows_(rows) {
  const std::vector<char> image = read_file(kernels);
  CALL(xpuModuleLoadData(&module_, image.data(), image.size()));
  CALL(xpuModuleGetKernel(&conduct_, module_, "conduct"));
  CALL(xpuModuleGetKernel(&diffuse_, module_, "diffuse"));
  for (int i = 0; i < 2; i++) {
    CALL(xpuStreamCreateWithFlags(&streams_[i], xpuStreamNonBlocking));
    CALL(xpuEventCreateWithFlags(&arrived_[i], xpuEventDisableTiming));
  }

  const uint32_t width = start.heat.width, height = start.heat.height;
  for (uint32_t row = 0; row < rows; row++) {
    for (uint32_t column = 0; column < columns; column++) {
      Tile tile = {};
      tile.column = column;
      tile.row = row;
      tile.x = width * column / columns;
      tile.y = height * row / rows;
      tile.width = width * (column + 1) / columns - tile.x;
      tile.height = height * (row + 1) / rows - tile.y;
      tile.pitch = tile.width + 2;
      tile.stream = static_cast<int>(tiles_.size() % 2);
      const size_t bytes = size_t{tile.pitch} * (tile.height + 2) * sizeof(float);
      for (float** buffer : {&tile.now, &tile.next, &tile.material, &tile.conductivity})
        CALL(xpuMalloc(reinterpret_cast<void**>(buffer), bytes));
      upload(tile, tile.material, start.material);
      tiles_.push_back(tile);
    }
  }
  reset();
}

Solver::~Solver() {
  for (const Tile& tile : tiles_) {
    for (float* buffer : {tile.now, tile.next, tile.material, tile.conductivity})
      CALL(xpuFree(buffer));
  }
  for (int i = 0; i < 2; i++) {
    CALL(xpuEventDestroy(arrived_[i]));
    CALL(xpuStreamDestroy(streams_[i]));
  }
  CALL(xpuModuleUnload(module_));
}

void Solver::upload(const Tile& tile, float* buffer, const Field& field) const {
  CALL(xpuMemcpy2D(buffer + tile.pitch + 1, tile.pitch * sizeof(float),
                   field.cells.data() + size_t{tile.y} * field.width + tile.x,
                   field.width * sizeof(float), tile.width * sizeof(float), tile.height,
                   xpuMemcpyHostToDevice));
}

void Solver::reset() {
  CALL(xpuDeviceSynchronize());
  for (const Tile& tile : tiles_) upload(tile, tile.now, start_.heat);
}

Field Solver::result() const {
  CALL(xpuStreamSynchronize(streams_[0]));
  Field field = start_.heat;
  for (const Tile& tile : tiles_) {
    CALL(xpuMemcpy2D(field.cells.data() + size_t{tile.y} * field.width + tile.x,
                     field.width * sizeof(float), tile.now + tile.pitch + 1,
                     tile.pitch * sizeof(float), tile.width * sizeof(float), tile.height,
                     xpuMemcpyDeviceToHost));
  }
  return field;
}

void Solver::enqueue_step() {
  // The fork: the second stream waits for the first, and so becomes part of a capture of it.
  CALL(xpuEventRecord(arrived_[0], streams_[0]));
  CALL(xpuStreamWaitEvent(streams_[1], arrived_[0], 0));
  half_step(&Tile::now, &Tile::next);
  half_step(&Tile::next, &Tile::now);
  // The join.
  CALL(xpuEventRecord(arrived_[1], streams_[1]));
  CALL(xpuStreamWaitEvent(streams_[0], arrived_[1], 0));
}

void Solver::half_step(float* Tile::*now, float* Tile::*next) {
  for (const Tile& tile : tiles_) conduct(tile, now);
  meet();  // borders are copied from tiles of the other stream
  for (const Tile& tile : tiles_) {
    for (Side side : {Side::left, Side::right, Side::up, Side::down}) {
      fill_border(tile, side, now);
      fill_border(tile, side, &Tile::conductivity);
    }
  }
  for (const Tile& tile : tiles_) diffuse(tile, now, next);
  meet();  // the next half step overwrites conductivities that the other stream copies here
}

void Solver::meet() {
  for (int i = 0; i < 2; i++) CALL(xpuEventRecord(arrived_[i], streams_[i]));
  for (int i = 0; i < 2; i++) CALL(xpuStreamWaitEvent(streams_[i], arrived_[1 - i], 0));
}

void Solver::conduct(const Tile& tile, float* Tile::*now) {
  Tile t = tile;
  float* heat = t.*now;
  void* arguments[] = {&heat, &t.material, &t.conductivity, &t.pitch, &t.width, &t.height};
  CALL(xpuLaunchKernel(conduct_, blocks(t.width, t.height), {kBlock, kBlock, 1}, arguments, 0,
                       streams_[t.stream]));
}

void Solver::diffuse(const Tile& tile, float* Tile::*now, float* Tile::*next) {
  Tile t = tile;
  float *heat = t.*now, *result = t.*next, rate = kRate;
  void* arguments[] = {&heat, &t.conductivity, &result, &t.pitch, &t.width, &t.height, &rate};
  CALL(xpuLaunchKernel(diffuse_, blocks(t.width, t.height), {kBlock, kBlock, 1}, arguments, 0,
                       streams_[t.stream]));
}

const Solver::Tile& Solver::neighbour(const Tile& tile, Side side) const {
  // At the rim of the picture a tile is its own neighbour: no heat leaves.
  const uint32_t at = tile.row * columns_ + tile.column;
  switch (side) {
    case Side::left:
      return tile.column > 0 ? tiles_[at - 1] : tile;
    case Side::right:
      return tile.column + 1 < columns_ ? tiles_[at + 1] : tile;
    case Side::up:
      return tile.row > 0 ? tiles_[at - columns_] : tile;
    case Side::down:
      return tile.row + 1 < rows_ ? tiles_[at + columns_] : tile;
  }
  return tile;
}

void Solver::fill_border(const Tile& tile, Side side, float* Tile::*field) {
  const Tile& from = neighbour(tile, side);
  const bool own = &from == &tile;
  xpuStream_t stream = streams_[tile.stream];
  if (side == Side::up || side == Side::down) {
    // The neighbour's nearest row, or at the rim the own outermost one.
    const uint32_t to_row = side == Side::up ? 0 : tile.height + 1;
    const bool first = (side == Side::down) != own;
    const uint32_t from_row = first ? 1 : from.height;
    CALL(xpuMemcpyAsync(tile.*field + size_t{to_row} * tile.pitch + 1,
                        from.*field + size_t{from_row} * from.pitch + 1, tile.width * sizeof(float),
                        xpuMemcpyDeviceToDevice, stream));
    return;
  }
  const uint32_t to_column = side == Side::left ? 0 : tile.width + 1;
  const bool first = (side == Side::right) != own;
  const uint32_t from_column = first ? 1 : from.width;
  CALL(xpuMemcpy2DAsync(tile.*field + tile.pitch + to_column, tile.pitch * sizeof(float),
                        from.*field + from.pitch + from_column, from.pitch * sizeof(float),
                        sizeof(float), tile.height, xpuMemcpyDeviceToDevice, stream));
}

}  // namespace heat
