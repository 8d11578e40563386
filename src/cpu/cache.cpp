// SPDX-License-Identifier: Apache-2.0
// The folder of cached conversions.
#include "cpu/cache.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cpu/settings.h"

namespace xpu::cpu {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'z', 'e', 'c', 'p', 'u', 'c', '0', '1'};
constexpr size_t kHeader = sizeof kMagic + 32;

// Empty if nothing is to be kept.
fs::path folder() {
  if (settings().cache == "off") return {};
  if (!settings().cache.empty()) return settings().cache;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return fs::path(xdg) / "xpugraph-cpu";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "xpugraph-cpu";
  return {};
}

}  // namespace

void Digest::add(const void* data, size_t size) noexcept {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < size; ++i) {
    low_ = (low_ ^ bytes[i]) * 0x100000001b3u;
    high_ = (high_ ^ bytes[i] ^ (low_ >> 32)) * 0x9e3779b97f4a7c15u;
  }
  // The length keeps two parts from running into each other.
  low_ = (low_ ^ size) * 0x100000001b3u;
}

void Digest::add(std::string_view text) noexcept { add(text.data(), text.size()); }

std::string Digest::hex() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return text;
}

std::string checksum(const void* data, size_t size) {
  Digest digest;
  digest.add(data, size);
  return digest.hex();
}

std::optional<std::vector<std::byte>> cache_read(const std::string& key) {
  const fs::path in = folder();
  if (in.empty()) return std::nullopt;
  std::ifstream file(in / key, std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  const auto size = static_cast<size_t>(file.tellg());
  if (size < kHeader) return std::nullopt;
  std::vector<std::byte> bytes(size);
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    return std::nullopt;
  const std::string sum = checksum(bytes.data() + kHeader, size - kHeader);
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0 ||
      std::memcmp(bytes.data() + sizeof kMagic, sum.data(), 32) != 0)
    return std::nullopt;
  bytes.erase(bytes.begin(), bytes.begin() + kHeader);
  return bytes;
}

void cache_write(const std::string& key, const std::vector<std::byte>& bytes) noexcept try {
  const fs::path in = folder();
  if (in.empty()) return;
  std::error_code ignored;
  fs::create_directories(in, ignored);
  const fs::path aside = in / (key + "." + std::to_string(getpid()) + ".new");
  {
    std::ofstream file(aside, std::ios::binary | std::ios::trunc);
    const std::string sum = checksum(bytes.data(), bytes.size());
    file.write(kMagic, sizeof kMagic);
    file.write(sum.data(), 32);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
      fs::remove(aside, ignored);
      return;
    }
  }
  fs::rename(aside, in / key, ignored);
} catch (...) {
}

}  // namespace xpu::cpu
