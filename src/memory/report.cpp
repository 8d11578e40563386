// SPDX-License-Identifier: Apache-2.0
// Gathers the report, and writes it as a table.
#include "memory/report.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace xpu::memory {
namespace {

Result<DeviceReport> report_on(const graph::Graph& graph, const Lifetimes& lifetimes,
                               const Arena& arena) {
  DeviceReport report;
  report.device = arena.device().index();
  report.ranges = arena.peaks();
  report.peak = arena.peak();
  report.reserved = arena.wanted();
  std::vector<Lifetime> here;
  std::vector<size_t> bytes;
  for (const Lifetime& life : lifetimes.all) {
    if (life.device != report.device) continue;
    here.push_back(life);
    bytes.push_back(life.rounded);
  }
  report.exact = here.size() <= Report::kMostExact;
  if (!report.exact) {
    report.lower_bound = heaviest_level(here, lifetimes.levels);
    return report;
  }
  XPU_TRY_ASSIGN(const After after, order_among(graph, here));
  report.lower_bound = heaviest_alive(bytes, after);
  return report;
}

std::string row(const Lifetime& life) {
  std::string text = printed("%8u %14zu %6d %5u %14zu  0x%012" PRIxPTR " %8u ", life.begins,
                             life.bytes, life.device, life.range, life.offset,
                             reinterpret_cast<uintptr_t>(life.address), life.begins);
  text += life.stays() ? printed("%8s", "stays") : printed("%8u", life.ends);
  return text + printed("  %u-%u\n", life.first_level, life.last_level);
}

}  // namespace

std::string printed(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

Result<Report> Report::of(const graph::Graph& graph) {
  Report report;
  XPU_TRY_ASSIGN(report.lifetimes, Lifetimes::of(graph));
  const std::shared_ptr<GraphMemory> memory = GraphMemory::find(graph);
  if (!memory) return report;
  for (const auto& arena : memory->arenas()) {
    XPU_TRY_ASSIGN(DeviceReport device, report_on(graph, report.lifetimes, *arena));
    report.devices.push_back(std::move(device));
  }
  return report;
}

std::string as_text(const Report& report) {
  const Lifetimes& lives = report.lifetimes;
  std::string text = printed("graph %" PRIu64 ": %zu allocations, %u levels\n", lives.graph,
                             lives.all.size(), lives.levels);
  if (!lives.all.empty())
    text += printed("%8s %14s %6s %5s %14s  %-14s %8s %8s  %s\n", "node", "bytes", "device",
                    "range", "offset", "address", "begins", "ends", "levels");
  for (const Lifetime& life : lives.all) text += row(life);
  for (const DeviceReport& d : report.devices)
    text += printed("device %d: peak %zu, reserved %zu, lower bound %s%zu, waste %s%zu bytes\n",
                    d.device, d.peak, d.reserved, d.exact ? "" : "at least ", d.lower_bound,
                    d.exact ? "" : "at most ", d.waste());
  return text;
}

}  // namespace xpu::memory
