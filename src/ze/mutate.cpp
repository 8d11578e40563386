// SPDX-License-Identifier: Apache-2.0
// Changes closed command lists in place.
#include "ze/mutate.h"

#include <algorithm>
#include <utility>

namespace xpu::ze {

Result<uint64_t> next_command(List& list, uint32_t what) {
  ze_mutable_command_id_exp_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC;
  desc.flags = what;
  uint64_t id = 0;
  ZE_TRY(list.device().table(), CommandListGetNextCommandIdExp, list.get(), &desc, &id);
  return id;
}

void Patch::group_count(uint64_t command, const ze_group_count_t& groups) {
  auto& count = counts_.emplace_back();
  count.groups = groups;
  count.desc.stype = ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC;
  count.desc.commandId = command;
}

void Patch::group_size(uint64_t command, uint32_t x, uint32_t y, uint32_t z) {
  auto& desc = sizes_.emplace_back();
  desc.stype = ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC;
  desc.commandId = command;
  desc.groupSizeX = x;
  desc.groupSizeY = y;
  desc.groupSizeZ = z;
}

void Patch::make_room() {
  const auto used = static_cast<size_t>(next_ - first_.get());
  const size_t room = std::max<size_t>(4, 2 * used);
  std::unique_ptr<Argument[]> more(new Argument[room]());
  std::copy_n(first_.get(), used, more.get());
  const void* before = nullptr;
  for (size_t i = 0; i < room; i++) {
    more[i].stype = ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC;
    more[i].pNext = std::exchange(before, &more[i]);
  }
  first_ = std::move(more);
  next_ = first_.get() + used;
  end_ = first_.get() + room;
}

void Patch::clear() noexcept {
  next_ = first_.get();
  counts_.clear();
  sizes_.clear();
}

Status Patch::apply(List& list) {
  if (empty()) return Status();
  const void* first = nullptr;
  for (Count& count : counts_) {
    count.desc.pGroupCount = &count.groups;
    count.desc.pNext = std::exchange(first, &count.desc);
  }
  for (auto& desc : sizes_) desc.pNext = std::exchange(first, &desc);
  if (next_ != first_.get()) {
    first_[0].pNext = first;
    first = next_ - 1;
  }
  ze_mutable_commands_exp_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC;
  desc.pNext = first;
  Status status =
      ZE_CALL(list.device().table(), CommandListUpdateMutableCommandsExp, list.get(), &desc);
  clear();
  if (!status.ok()) return status;
  return list.close();
}

}  // namespace xpu::ze
