// SPDX-License-Identifier: Apache-2.0
// A picture as two fields, and a field as a picture: PNG through libpng.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heat {

// Rows of floats from 0 to 1, without padding.
struct Field {
  uint32_t width = 0, height = 0;
  std::vector<float> cells;
};

struct Start {
  Field heat;      // how bright a pixel is
  Field material;  // how well it conducts: grey conducts, the more colour the less
};

// Both end the program with a sentence if the file cannot be read or written.
Start read_picture(const std::string& path);
void write_picture(const std::string& path, const Field& heat);

}  // namespace heat
