// SPDX-License-Identifier: Apache-2.0
// Blocks at addresses that a module mostly gets again: they stand in its code, which is kept
// compiled.
#include "cpu/globals.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "cpu/cache.h"
#include "cpu/ranges.h"
#include "cpu/spirv_module.h"

namespace xpu::cpu {
namespace {

// No variable lies where an allocation begins, so that nobody can free one.
constexpr uint64_t kFirst = 64;
constexpr size_t kStep = 65536;
// Where nothing else is put by itself, neither by the kernel nor by AddressSanitizer.
constexpr uintptr_t kLowest = 0x5800'0000'0000;
constexpr int kTries = 64;

// At that address or not at all; 0: anywhere. ThreadSanitizer has its own mind about addresses, and
// does not know MAP_FIXED_NOREPLACE.
std::byte* map(uintptr_t at, size_t size) noexcept {
  void* const got = mmap(reinterpret_cast<void*>(at), size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  if (!at || got == reinterpret_cast<void*>(at)) return static_cast<std::byte*>(got);
  munmap(got, size);
  return nullptr;
}

// The same module gets the same address while it is free: in each process, and again later.
std::byte* take_block(const std::vector<uint32_t>& words, size_t size) {
  const std::string sum = checksum(words.data(), words.size() * 4);
  uintptr_t at = kLowest + (std::stoull(sum.substr(0, 6), nullptr, 16) * kStep);
  for (int i = 0; i < kTries; i++, at += size)
    if (std::byte* const block = map(at, size)) return block;
  return map(0, size);
}

}  // namespace

Status Globals::place(std::vector<uint32_t>& words, std::shared_ptr<Globals>* out, bool* known,
                      std::string* log) {
  const std::optional<SpirvGlobals> found = find_globals(words, kFirst);
  *known = found && found->variables.empty();
  if (*known) return {};
  const auto as_it_is = [log](const char* why) -> Status {
    *log += std::string("note: variables of program scope are left to the OpenCL runtime: ") + why +
            "\n";
    return {};
  };
  if (!found) return as_it_is("one is imported or of an unusual type");
  const size_t size = (found->size + kStep - 1) / kStep * kStep;
  std::byte* const base = take_block(words, size);
  if (!base)
    return Status::error(xpuErrorMemoryAllocation, "there is no memory for the module's variables");
  const std::shared_ptr<Globals> made(new Globals(base, size, *found));
  const auto at = reinterpret_cast<uint64_t>(base);
  const auto values = first_values(words, *found, at);
  if (!values) return as_it_is("one begins with what only a compiler can work out");
  std::vector<uint32_t> placed = with_globals_at(words, *found, at);
  if (!is_valid_spirv(placed)) return as_it_is("they are used in an unusual way");
  std::memcpy(base, values->data(), values->size());
  words = std::move(placed);
  *out = made;
  *known = true;
  return {};
}

Globals::~Globals() {
  if (listed_) (void)Ranges::get().remove(base_);
  munmap(base_, size_);
}

void Globals::belong_to(ze_device_handle_t device, ze_context_handle_t context) {
  Ranges& ranges = Ranges::get();
  ranges.add({base_, globals_.size, ZE_MEMORY_TYPE_DEVICE, device, context, ranges.next_id()});
  listed_ = true;
}

std::optional<Globals::Place> Globals::find(const std::string& name) const {
  const auto at = std::find_if(globals_.variables.begin(), globals_.variables.end(),
                               [&](const SpirvGlobal& one) { return one.name == name; });
  if (at == globals_.variables.end() || name.empty()) return std::nullopt;
  return Place{base_ + at->offset, at->size};
}

}  // namespace xpu::cpu
