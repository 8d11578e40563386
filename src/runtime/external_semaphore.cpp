// SPDX-License-Identifier: Apache-2.0
// Importing semaphores and appending their uses.
#include "runtime/external_semaphore.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "runtime/device.h"

namespace xpu::runtime {
namespace {

Status check_import(const Device& device, xpuExternalSemaphoreHandleType type, int fd) {
  if (!device.ze().features().semaphores)
    return Status::error(xpuErrorNotSupported,
                         "device " + std::to_string(device.index()) +
                             " has a driver without " ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME
                             "; order the work by events, or on the host");
  if (type != xpuExternalSemaphoreHandleTypeOpaqueFd &&
      type != xpuExternalSemaphoreHandleTypeTimelineSemaphoreFd)
    return Status::error(
        xpuErrorNotSupported,
        "type is " + std::to_string(static_cast<int>(type)) +
            "; only file descriptors are imported, as "
            "xpuExternalSemaphoreHandleTypeOpaqueFd (1) or TimelineSemaphoreFd (9)",
        "type");
  if (fcntl(fd, F_GETFD) < 0)
    return invalid_value(std::to_string(fd) + " is no open file descriptor", "handle.fd");
  return {};
}

}  // namespace

Result<Semaphore*> Semaphore::import(Device& device, xpuExternalSemaphoreHandleType type, int fd) {
  XPU_TRY(check_import(device, type, fd));
  ze_external_semaphore_fd_ext_desc_t descriptor = {};
  descriptor.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC;
  descriptor.fd = fd;
  ze_external_semaphore_ext_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC;
  desc.pNext = &descriptor;
  desc.flags = type == xpuExternalSemaphoreHandleTypeOpaqueFd
                   ? ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD
                   : ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD;
  const ze::Table& table = device.ze().table();
  ze_external_semaphore_ext_handle_t native = nullptr;
  const ze_result_t result =
      table.DeviceImportExternalSemaphoreExt(device.ze().handle(), &desc, &native);
  if (result == ZE_RESULT_ERROR_INVALID_ARGUMENT)
    return Status::error(xpuErrorInvalidValue,
                         "the driver does not take descriptor " + std::to_string(fd) +
                             " for a semaphore of this type",
                         "handle.fd", static_cast<uint32_t>(result));
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return Status::error(xpuErrorNotSupported,
                         "the driver knows external semaphores, but imports none of this type here; "
                         "order the work by events, or on the host",
                         "type", static_cast<uint32_t>(result));
  XPU_TRY(ze::check(result, "zeDeviceImportExternalSemaphoreExt"));
  std::shared_ptr<Semaphore> semaphore(new Semaphore(device));
  semaphore->native_ = ze::OwnSemaphore(table, native);
  semaphore->handle_ = OwnedHandle(HandleType::semaphore, semaphore.get());
  if (!semaphore->handle_.value())
    return Status::error(xpuErrorMemoryAllocation, "there is no room for another handle");
  semaphore->self_ = semaphore;
  // The driver has what it needs of it.
  (void)close(fd);
  return semaphore.get();
}

bool Semaphore::destroy(uint64_t handle) noexcept {
  auto* semaphore = static_cast<Semaphore*>(HandleTable::drop(HandleType::semaphore, handle));
  if (!semaphore) return false;
  Device& device = semaphore->device_;
  device.keep_while_running(std::move(semaphore->self_));
  return true;
}

SemaphoreUse::SemaphoreUse(What what, std::span<Semaphore* const> semaphores,
                           std::span<const uint64_t> values) {
  for (size_t i = 0; i < semaphores.size(); i++) {
    semaphores_.push_back(semaphores[i]->shared_from_this());
    natives_.push_back(semaphores[i]->native());
    if (what == What::signal)
      signals_.push_back(
          {ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT, nullptr, values[i]});
    else
      waits_.push_back({ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, values[i]});
  }
}

Status SemaphoreUse::append(ze::List& list, ze::Sync sync) const {
  return signals_.empty() ? list.wait_semaphores(natives_, waits_.data(), sync)
                          : list.signal_semaphores(natives_, signals_.data(), sync);
}

}  // namespace xpu::runtime
