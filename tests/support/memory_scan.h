// SPDX-License-Identifier: Apache-2.0
// Finds numbers in this process's own memory: the oracle for "did it reach the command buffer?" on
// drivers that encode command lists into memory of the process.
//
// The library keeps copies of its own, so what counts is a place where a number did not stand
// before:
//   remember(marks);            // where they stand by now
//   ... what must encode them ...
//   assert_int_equal(n, newly_found(marks));
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace xpu::test {

// first, first + 1, …: numbers that nothing else has by chance.
struct Marks {
  uint64_t first;
  uint32_t count;
  uint64_t operator[](uint32_t i) const { return first + i; }
};
// Put together at run time: the compiler must not store the numbers themselves anywhere.
inline Marks make_marks(uint32_t set, uint32_t count) {
  static volatile uint64_t high = 0x5a17c0de;
  return {(high << 32) + (uint64_t{set} << 20), count};
}

struct Place {
  uintptr_t at;
  uint32_t index;  // of the mark
  bool operator<(const Place& other) const { return at < other.at; }
};
inline std::vector<Place> known_places;

inline void look_through(uintptr_t at, const unsigned char* bytes, size_t size, const Marks& marks,
                         std::vector<Place>& places) {
  // A driver packs arguments to four bytes.
  for (size_t i = 0; i + 8 <= size; i += 4) {
    uint64_t value;
    memcpy(&value, bytes + i, sizeof value);
    if (value - marks.first < marks.count)
      places.push_back({at + i, static_cast<uint32_t>(value - marks.first)});
  }
}

// Every place in memory that can be written, but for stacks and what this search itself uses.
inline std::vector<Place> places_of(const Marks& marks) {
  constexpr size_t kPage = 4096, kPages = 256;
  // Nothing of a driver is that large; a sanitizer's shadow is.
  constexpr uintptr_t kLargest = uintptr_t{1} << 36;
  static unsigned char chunk[kPage * kPages];
  const auto own = reinterpret_cast<uintptr_t>(chunk);
  std::vector<Place> places;
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  const int memory = open("/proc/self/mem", O_RDONLY);
  while (maps && memory >= 0 && fgets(line, sizeof line, maps)) {
    uintptr_t from = 0, to = 0;
    char rights[8] = {};
    if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || strncmp(rights, "rw", 2) ||
        strstr(line, "[stack") || to - from > kLargest)
      continue;
    for (uintptr_t at = from; at < to; at += sizeof chunk) {
      unsigned char there[kPages] = {};
      const size_t size = std::min<size_t>(sizeof chunk, to - at);
      // Pages that were never touched are not there, and must not come into being.
      if (mincore(reinterpret_cast<void*>(at), size, there)) continue;
      for (size_t page = 0; page < size / kPage;) {
        size_t run = 0;
        while (page + run < size / kPage && (there[page + run] & 1)) run++;
        const uintptr_t start = at + page * kPage;
        page += run ? run : 1;
        if (!run || (start < own + sizeof chunk && own < start + run * kPage)) continue;
        const ssize_t got = pread(memory, chunk, run * kPage, static_cast<off_t>(start));
        if (got > 0) look_through(start, chunk, static_cast<size_t>(got), marks, places);
      }
    }
  }
  if (maps) fclose(maps);
  if (memory >= 0) close(memory);
  std::sort(places.begin(), places.end());
  return places;
}

inline void remember(const Marks& marks) { known_places = places_of(marks); }

// How many of the marks stand where they did not stand when they were remembered.
inline uint32_t newly_found(const Marks& marks) {
  std::vector<bool> found(marks.count);
  for (const Place& place : places_of(marks))
    if (!std::binary_search(known_places.begin(), known_places.end(), place))
      found[place.index] = true;
  return static_cast<uint32_t>(std::count(found.begin(), found.end(), true));
}

}  // namespace xpu::test
