// SPDX-License-Identifier: Apache-2.0
// Results of slow conversions, kept on disk between runs.
//
// One file per result in ZE_CPU_CACHE, else $XDG_CACHE_HOME/xpugraph-cpu, else
// ~/.cache/xpugraph-cpu; "off" keeps nothing. Files appear whole (written aside, then renamed) and
// carry a checksum, so concurrent processes and torn disks cost a conversion, never a wrong
// program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xpu::cpu {

// 128 bits of FNV-1a over everything that shaped the result. Not against an adversary: whoever can
// write the folder can already run code as this user.
class Digest {
 public:
  void add(const void* data, size_t size) noexcept;
  void add(std::string_view text) noexcept;
  std::string hex() const;

 private:
  uint64_t low_ = 0xcbf29ce484222325u, high_ = 0x6c62272e07bb0142u;
};

// The digest of one run of bytes: 32 characters.
std::string checksum(const void* data, size_t size);

std::optional<std::vector<std::byte>> cache_read(const std::string& key);
// Best effort: a folder that cannot be written is no error.
void cache_write(const std::string& key, const std::vector<std::byte>& bytes) noexcept;

}  // namespace xpu::cpu
