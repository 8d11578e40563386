// SPDX-License-Identifier: Apache-2.0
// Makes two copies of one.
#include "exec/staging.h"

#include <algorithm>

#include "base/log.h"

namespace xpu::exec {

void Staging::Free::operator()(void* block) const noexcept {
  const ze_result_t result = device->table().MemFree(device->context(), block);
  if (result != ZE_RESULT_SUCCESS)
    XPU_LOG(error, "freeing what copies between devices go through: %s", ze::result_name(result));
}

Result<void*> Staging::block(uint32_t copy, size_t size) {
  auto at = std::find_if(blocks_.begin(), blocks_.end(),
                         [&](const Block& block) { return block.copy == copy; });
  if (at != blocks_.end() && at->size >= size) return at->memory.get();
  ze_host_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* made = nullptr;
  constexpr size_t kAlignment = 64;
  ZE_TRY(device_.table(), MemAllocHost, device_.context(), &desc, size, kAlignment, &made);
  std::unique_ptr<void, Free> memory(made, Free{&device_});
  if (at == blocks_.end())
    blocks_.push_back({copy, size, std::move(memory)});
  else
    *at = {copy, size, std::move(memory)};
  return made;
}

Result<graph::ParamsRef> Staging::half(const plan::PlanNode& node, uint32_t index,
                                       const graph::CopyParams& whole) {
  const bool out = node.part == plan::PlanNode::Part::out;
  XPU_TRY_ASSIGN(void* const at,
                 block(out ? index : index - 1, std::max(whole.bytes(), size_t{1})));
  graph::CopyShape shape = whole.shape();
  graph::CopySide staged;
  staged.base = at;
  staged.pitch = staged.xsize = shape.width;
  staged.ysize = shape.height;
  (out ? shape.dst : shape.src) = staged;
  shape.kind = out ? xpuMemcpyDeviceToHost : xpuMemcpyHostToDevice;
  return graph::CopyParams::make(shape);
}

}  // namespace xpu::exec
