// SPDX-License-Identifier: Apache-2.0
// What the memory of a graph looks like: for people, for programs, and as a picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace xpu::memory {

// Bytes on one device.
struct DeviceReport {
  int device = 0;
  std::vector<size_t> ranges;  // the peak of each
  size_t peak = 0;             // of addresses, all ranges together
  size_t reserved = 0;         // of memory that an executable holds: the peak in whole pages
  size_t lower_bound = 0;
  bool exact = true;  // false: the true lower bound is this or more

  size_t waste() const noexcept { return reserved > lower_bound ? reserved - lower_bound : 0; }
};

struct Report {
  // The lower bound is exact up to this many allocations on a device.
  static constexpr size_t kMostExact = 512;

  Lifetimes lifetimes;
  std::vector<DeviceReport> devices;

  static Result<Report> of(const graph::Graph& graph);
};

// A table.
std::string as_text(const Report& report);
// One object; the members are described with xpuGraphMemoryReport().
std::string as_json(const Report& report);
// Levels to the right, addresses upwards, a rectangle for each allocation. A document of its own.
std::string as_svg(const Report& report);

// printf into a string; `format` gives less than 512 characters.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...);

}  // namespace xpu::memory
