// SPDX-License-Identifier: Apache-2.0
// Asks the operating system what machine this is.
#include "cpu/machine.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace xpu::cpu {
namespace {

void read_cpuinfo(Machine* m) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.empty()) {  // the first processor ends at a blank line
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string value = line.substr(colon + 2);
    if (line.rfind("model name", 0) == 0) m->name = value;
    if (line.rfind("cpu MHz", 0) == 0)
      m->mhz = static_cast<uint32_t>(std::strtod(value.c_str(), nullptr));
    if (line.rfind("vendor_id", 0) == 0)
      m->vendor = value == "GenuineIntel" ? 0x8086 : value == "AuthenticAMD" ? 0x1022 : 0;
    if (line.rfind("flags", 0) == 0)
      m->simd_bytes = value.find(" avx512f") != std::string::npos ? 64
                      : value.find(" avx2") != std::string::npos  ? 32
                                                                  : 16;
  }
}

Machine ask() {
  Machine m;
  read_cpuinfo(&m);
  if (m.name.empty()) m.name = "CPU";
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    m.cores = static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
  struct sysinfo info {};
  if (sysinfo(&info) == 0) m.memory = static_cast<uint64_t>(info.totalram) * info.mem_unit;
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    const long size = sysconf(level);
    if (size > 0 && m.cache == 0) m.cache = static_cast<size_t>(size);
  }
  return m;
}

}  // namespace

const Machine& machine() {
  static const Machine* const m = new Machine(ask());
  return *m;
}

}  // namespace xpu::cpu
