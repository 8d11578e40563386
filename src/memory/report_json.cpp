// SPDX-License-Identifier: Apache-2.0
// The report as JSON. Numbers and fixed words only, so there is nothing to escape.
#include <cinttypes>

#include "memory/report.h"

namespace xpu::memory {
namespace {

std::string allocation(const Lifetime& life) {
  std::string text = printed(
      "{\"node\": %u, \"bytes\": %zu, \"rounded\": %zu, \"device\": %d, \"range\": %u, "
      "\"offset\": %zu, \"address\": \"0x%" PRIxPTR "\", \"begins\": %u, \"ends\": ",
      life.begins, life.bytes, life.rounded, life.device, life.range, life.offset,
      reinterpret_cast<uintptr_t>(life.address), life.begins);
  text += life.stays() ? "\"stays\"" : std::to_string(life.ends);
  return text +
         printed(", \"first_level\": %u, \"last_level\": %u}", life.first_level, life.last_level);
}

std::string device(const DeviceReport& d) {
  return printed(
      "{\"device\": %d, \"peak\": %zu, \"reserved\": %zu, \"lower_bound\": %zu, "
      "\"exact\": %s, \"waste\": %zu}",
      d.device, d.peak, d.reserved, d.lower_bound, d.exact ? "true" : "false", d.waste());
}

template <class Things, class Write>
std::string list(const Things& things, Write write) {
  std::string text = "[";
  const char* between = "\n    ";
  for (const auto& thing : things) {
    text += between + write(thing);
    between = ",\n    ";
  }
  return text + "]";
}

}  // namespace

std::string as_json(const Report& report) {
  const Lifetimes& lives = report.lifetimes;
  return printed("{\n  \"graph\": %" PRIu64 ",\n  \"levels\": %u,\n  \"allocations\": ",
                 lives.graph, lives.levels) +
         list(lives.all, allocation) + ",\n  \"devices\": " + list(report.devices, device) +
         "\n}\n";
}

}  // namespace xpu::memory
