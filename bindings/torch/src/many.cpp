// SPDX-License-Identifier: Apache-2.0
// Cuts lists into launches.
#include "many.h"

#include <algorithm>

namespace xpugraph_torch {
namespace {

constexpr size_t slots = 16;
constexpr size_t pointers = 4;

/// The memory that a launch uses and how much of it, in the order of the kernel's arguments.
struct Slots {
  std::array<std::array<void*, pointers>, slots> addresses = {};
  std::array<uint32_t, slots> sizes = {};
  std::array<void*, slots> behind = {};
};

}  // namespace

bool Lists::are_covered() const {
  if (out.empty()) return false;
  for (at::TensorList list : {a, b, c})
    if (!list.empty() && list.size() != out.size()) return false;
  for (size_t i = 0; i < out.size(); ++i) {
    if (!all_float(out[i]) || out[i].device() != out[0].device() ||
        !out[i].is_non_overlapping_and_dense())
      return false;
    for (at::TensorList list : {a, b, c}) {
      if (list.empty()) continue;
      if (!all_float(list[i]) || list[i].device() != out[0].device() ||
          list[i].sizes() != out[i].sizes() || list[i].strides() != out[i].strides())
        return false;
    }
  }
  return true;
}

void launch_many(const Kernel& kernel, const Lists& lists, std::vector<void*> numbers,
                 at::TensorList behind) {
  OnDevice there(lists.out[0].device().index());
  for (size_t first = 0; first < lists.out.size(); first += slots) {
    size_t count = std::min(slots, lists.out.size() - first);
    Slots used;
    uint32_t longest = 0;
    for (size_t slot = 0; slot < slots; ++slot) {
      // Slots without a tensor are of size 0, and yet need arguments.
      size_t i = first + std::min(slot, count - 1);
      auto of = [&](at::TensorList list) { return address(list.empty() ? lists.out[i] : list[i]); };
      used.addresses[slot] = {address(lists.out[i]), of(lists.a), of(lists.b), of(lists.c)};
      used.sizes[slot] = slot < count ? static_cast<uint32_t>(lists.out[i].numel()) : 0;
      if (!behind.empty()) used.behind[slot] = address(behind[i]);
      longest = std::max(longest, used.sizes[slot]);
    }
    if (longest == 0) continue;
    std::vector<void*> arguments;
    for (size_t slot = 0; slot < slots; ++slot) {
      for (void*& address : used.addresses[slot]) arguments.push_back(&address);
      arguments.push_back(&used.sizes[slot]);
    }
    arguments.insert(arguments.end(), numbers.begin(), numbers.end());
    if (!behind.empty())
      for (void*& address : used.behind) arguments.push_back(&address);
    constexpr uint32_t group = 256;
    check(xpuLaunchKernel(kernel.get(),
                          {groups_for(longest, group), static_cast<uint32_t>(count), 1},
                          {group, 1, 1}, arguments.data(), 0, native(current_stream())));
  }
}

}  // namespace xpugraph_torch
