// SPDX-License-Identifier: Apache-2.0
// Reads the driver's environment.
#include "cpu/settings.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace xpu::cpu {
namespace {

struct Hidden {
  std::string_view name;
  Feature feature;
};
constexpr Hidden kHidden[] = {
    {"append_lists", Feature::append_lists},
    {"mutable", Feature::mutable_lists},
    {"counter_events", Feature::counter_events},
    {"host_function", Feature::host_function},
    {"in_order", Feature::in_order},
    {"list_sync", Feature::list_sync},
    {"virtual_memory", Feature::virtual_memory},
    {"peer_access", Feature::peer_access},
    {"semaphores", Feature::semaphores},
    {"memory_waits", Feature::memory_waits},
};

std::string_view environment(const char* name) noexcept {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void warn(const char* name, std::string_view value, const char* expected) {
  std::fprintf(stderr, "ze_cpu: %s=%.*s is not understood and ignored; expected %s\n", name,
               static_cast<int>(value.size()), value.data(), expected);
}

bool flag(const char* name, bool standard) {
  const std::string_view value = environment(name);
  if (value.empty()) return standard;
  if (value == "0" || value == "1") return value == "1";
  warn(name, value, "0 or 1");
  return standard;
}

uint32_t hidden() {
  uint32_t bits = 0;
  std::string_view rest = environment("ZE_CPU_WITHOUT");
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    bool known = word.empty();
    for (const Hidden& h : kHidden) {
      if (h.name != word) continue;
      bits |= static_cast<uint32_t>(h.feature);
      known = true;
    }
    if (!known)
      warn("ZE_CPU_WITHOUT", word,
           "names of append_lists, mutable, counter_events, host_function, in_order, list_sync, "
           "memory_waits, peer_access, semaphores, virtual_memory");
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return bits;
}

Settings from_environment() {
  Settings s;
  if (const std::string_view n = environment("ZE_CPU_DEVICES"); !n.empty()) {
    const unsigned long count = std::strtoul(std::string(n).c_str(), nullptr, 10);
    if (count >= 1 && count <= 16)
      s.devices = static_cast<uint32_t>(count);
    else
      warn("ZE_CPU_DEVICES", n, "1 to 16");
  }
  if (const std::string_view order = environment("ZE_CPU_SCHEDULE"); !order.empty()) {
    if (order == "program" || order == "reverse" || order == "shuffle" ||
        order.substr(0, 8) == "shuffle:")
      s.schedule = order;
    else
      warn("ZE_CPU_SCHEDULE", order, "program, reverse, shuffle or shuffle:<seed>");
  }
  if (const std::string_view type = environment("ZE_CPU_TYPE"); !type.empty()) {
    if (type == "cpu" || type == "gpu")
      s.show_as_gpu = type == "gpu";
    else
      warn("ZE_CPU_TYPE", type, "cpu or gpu");
  }
  s.strict = flag("ZE_CPU_STRICT", false);
  s.poison = flag("ZE_CPU_POISON", true);
  s.without = hidden();
  s.cache = environment("ZE_CPU_CACHE");
  s.opencl_platform = environment("ZE_CPU_OPENCL_PLATFORM");
  s.llvm_spirv = environment("ZE_CPU_LLVM_SPIRV");
  return s;
}

}  // namespace

const Settings& settings() noexcept {
  static const Settings* const value = new Settings(from_environment());
  return *value;
}

}  // namespace xpu::cpu
