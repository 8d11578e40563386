// SPDX-License-Identifier: Apache-2.0
// Opens the driver, builds the kernel, allocates the buffers.
#include "ground.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "ze/result.h"

namespace cost {
void bad(ze_result_t result, const char* call) {
  // "ze_.CommandListClose(list)" is read as zeCommandListClose.
  const std::string text = call;
  const size_t dot = text.find('.') + 1;
  throw std::runtime_error("ze" + text.substr(dot, text.find('(', dot) - dot) + ": " +
                           xpu::ze::result_name(result));
}

Ground::Ground(const std::string& driver, const std::string& spirv_path) {
  if (driver.find('/') != std::string::npos) path_ = driver;
  auto opened = xpu::ze::Driver::open(driver);
  if (!opened.ok()) throw std::runtime_error(opened.status().sentence());
  driver_ = opened.take();
  auto probed = xpu::ze::Device::probe(*driver_, driver_->devices().front());
  if (!probed.ok()) throw std::runtime_error(probed.status().sentence());
  device_ = probed.take();

  const xpu::ze::Table& ze = calls();
  std::ifstream file(spirv_path, std::ios::binary);
  image_.assign(std::istreambuf_iterator<char>(file), {});
  ze_module_desc_t module = {};
  module.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module.inputSize = image_.size();
  module.pInputModule = reinterpret_cast<const uint8_t*>(image_.data());
  GOOD(ze.ModuleCreate(driver_->context(), device_->handle(), &module, &module_, nullptr));
  ze_kernel_desc_t kernel = {};
  kernel.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  kernel.pKernelName = "touch";
  GOOD(ze.KernelCreate(module_, &kernel, &kernel_));
  GOOD(ze.KernelSetGroupSize(kernel_, 1, 1, 1));
  spare_ = new_buffer();
}

Ground::~Ground() {
  const xpu::ze::Table& ze = calls();
  (void)ze.KernelDestroy(kernel_);
  (void)ze.ModuleDestroy(module_);
  (void)ze.MemFree(driver_->context(), spare_);
  for (void* buffer : buffers_) (void)ze.MemFree(driver_->context(), buffer);
}

void* Ground::new_buffer() const {
  const xpu::ze::Table& ze = calls();
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void* buffer = nullptr;
  GOOD(ze.MemAllocDevice(driver_->context(), &desc, kBufferBytes, 64, device_->handle(), &buffer));
  return buffer;
}

void Ground::need_buffers(int count) {
  while (static_cast<int>(buffers_.size()) < count) buffers_.push_back(new_buffer());
}

ze_command_list_handle_t Ground::immediate() const {
  const xpu::ze::Table& ze = calls();
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.ordinal = device_->engines().compute_ordinal;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  GOOD(ze.CommandListCreateImmediate(driver_->context(), device_->handle(), &desc, &list));
  return list;
}

ze_command_list_handle_t Ground::regular(const void* extension) const {
  const xpu::ze::Table& ze = calls();
  ze_command_list_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  desc.pNext = extension;
  desc.commandQueueGroupOrdinal = device_->engines().compute_ordinal;
  ze_command_list_handle_t list = nullptr;
  GOOD(ze.CommandListCreate(driver_->context(), device_->handle(), &desc, &list));
  return list;
}

}  // namespace cost
