// SPDX-License-Identifier: Apache-2.0
// The report as a picture: one panel for each device, ranges of addresses on top of each other.
// Numbers and fixed words only, so there is nothing to escape.
#include <algorithm>
#include <cinttypes>

#include "memory/report.h"

namespace xpu::memory {
namespace {

// Pixels.
constexpr double kWide = 960, kHigh = 320, kMargin = 24, kLine = 18;
constexpr double kPanel = kLine + kHigh + kLine + kMargin;

// Neighbours in the list of nodes get hues that are far apart: the golden angle.
double hue_of(uint32_t node) {
  const double turns = node * 0.381966;
  return 360 * (turns - static_cast<uint64_t>(turns));
}

std::string tooltip(const Lifetime& life) {
  const std::string end = life.stays() ? "stays" : "node " + std::to_string(life.ends);
  return printed("node %u: %zu bytes at offset %zu of range %u, levels %u to %u, ends: %s",
                 life.begins, life.bytes, life.offset, life.range, life.first_level,
                 life.last_level, end.c_str());
}

// Where bytes and levels are on the page.
struct Scale {
  double left, bottom, level, byte;
  double x(double levels) const { return left + levels * level; }
  double y(size_t bytes) const { return bottom - static_cast<double>(bytes) * byte; }
};

std::string rectangle(const Lifetime& life, size_t below, const Scale& scale) {
  const double x = scale.x(life.first_level), end = scale.x(life.last_level + 1.0);
  const double top = scale.y(below + life.offset + life.rounded);
  return printed(
             "  <rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
             "fill=\"hsl(%.0f,60%%,70%%)\" stroke=\"#333\" stroke-width=\"0.5\">",
             x, top, end - x, scale.y(below + life.offset) - top, hue_of(life.begins)) +
         "<title>" + tooltip(life) + "</title></rect>\n";
}

std::string mark(const Scale& scale, size_t bytes, double right, const char* colour,
                 const char* what) {
  return printed(
      "  <line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" "
      "stroke-dasharray=\"6 3\"><title>%s: %zu bytes</title></line>\n",
      scale.left, scale.y(bytes), right, scale.y(bytes), colour, what, bytes);
}

std::string panel(const DeviceReport& device, const Lifetimes& lives, double top) {
  const size_t most = std::max({device.peak, device.lower_bound, size_t{1}});
  const Scale scale{kMargin, top + kLine + kHigh, kWide / std::max(lives.levels, 1u),
                    kHigh / static_cast<double>(most)};
  std::string text = printed(
      "  <text x=\"%.0f\" y=\"%.0f\">device %d: peak %zu, reserved %zu, lower bound %s%zu, waste "
      "%s%zu bytes</text>\n",
      kMargin, top + kLine - 6, device.device, device.peak, device.reserved,
      device.exact ? "" : "at least ", device.lower_bound, device.exact ? "" : "at most ",
      device.waste());
  text +=
      printed("  <rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"#f6f6f6\"/>\n",
              kMargin, top + kLine, kWide, kHigh);
  for (const Lifetime& life : lives.all) {
    if (life.device != device.device) continue;
    size_t below = 0;
    for (uint32_t i = 0; i < life.range; i++) below += device.ranges[i];
    text += rectangle(life, below, scale);
  }
  text += mark(scale, device.lower_bound, kMargin + kWide, "#c00", "lower bound");
  return text + printed("  <text x=\"%.0f\" y=\"%.0f\">level 0 to %u; bytes upwards</text>\n",
                        kMargin, scale.bottom + kLine - 4, lives.levels ? lives.levels - 1 : 0);
}

}  // namespace

std::string as_svg(const Report& report) {
  const Lifetimes& lives = report.lifetimes;
  const double width = kWide + 2 * kMargin;
  const double height = 2 * kMargin + kLine +
                        kPanel * static_cast<double>(std::max<size_t>(report.devices.size(), 1));
  std::string text = printed(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
      "%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "  <text x=\"%.0f\" y=\"%.0f\" font-size=\"14\">graph %" PRIu64 ": %zu allocations</text>\n",
      width, height, width, height, kMargin, kMargin, lives.graph, lives.all.size());
  double top = kMargin + kLine;
  for (const DeviceReport& device : report.devices) {
    text += panel(device, lives, top);
    top += kPanel;
  }
  return text + "</svg>\n";
}

}  // namespace xpu::memory
