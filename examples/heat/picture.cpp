// SPDX-License-Identifier: Apache-2.0
// Reads and writes PNG files through libpng's simplified interface.
#include "picture.h"

#include <png.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace heat {
namespace {

[[noreturn]] void fail(const char* what, const std::string& path, const char* why) {
  std::fprintf(stderr, "heat: %s %s: %s\n", what, path.c_str(), why);
  std::exit(1);
}

uint8_t channel(float value) {
  return static_cast<uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

}  // namespace

Start read_picture(const std::string& path) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str())) fail("read", path, image.message);
  // Tiles need a few cells each; the upper limit keeps all sizes far from 32 bits.
  if (image.width < 32 || image.height < 32 || image.width > 16384 || image.height > 16384)
    fail("read", path, "a picture must have 32 to 16384 pixels each way");
  image.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr))
    fail("read", path, image.message);

  Start start;
  const size_t count = size_t{image.width} * image.height;
  for (Field* field : {&start.heat, &start.material}) {
    field->width = image.width;
    field->height = image.height;
    field->cells.resize(count);
  }
  for (size_t i = 0; i < count; i++) {
    const float r = pixels[3 * i], g = pixels[3 * i + 1], b = pixels[3 * i + 2];
    const float most = std::max({r, g, b}), least = std::min({r, g, b});
    start.heat.cells[i] = (0.299f * r + 0.587f * g + 0.114f * b) / 255.0f;
    // Not quite 0 for pure colours: a wall that lets nothing through is a dull picture.
    start.material.cells[i] = 1.0f - 0.98f * (most - least) / 255.0f;
  }
  return start;
}

void write_picture(const std::string& path, const Field& heat) {
  std::vector<uint8_t> pixels(heat.cells.size() * 3);
  for (size_t i = 0; i < heat.cells.size(); i++) {
    // Black, red, yellow, white: what glowing metal looks like.
    const float t = 3.0f * heat.cells[i];
    pixels[3 * i] = channel(t);
    pixels[3 * i + 1] = channel(t - 1.0f);
    pixels[3 * i + 2] = channel(t - 2.0f);
  }
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = heat.width;
  image.height = heat.height;
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr))
    fail("write", path, image.message);
}

}  // namespace heat
