// SPDX-License-Identifier: Apache-2.0
// Memory behind tensors: bigger, smaller, and usable or not.
#include "storage.h"

#include <xpugraph/memory.h>

#include "allocator.h"
#include "recording.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {

void resize_storage(const c10::Storage& storage, size_t bytes) {
  if (bytes == storage.nbytes()) return;
  OnDevice there(storage.device().index());
  DeviceMemory& memory = DeviceMemory::instance();
  c10::DataPtr fresh = memory.allocate(bytes);
  if (size_t kept = std::min(bytes, storage.nbytes())) {
    memory.copy_data(fresh.mutable_get(), storage.data(), kept);
  }
  c10::StorageImpl* impl = storage.unsafeGetStorageImpl();
  impl->set_data_ptr_noswap(std::move(fresh));
  impl->set_nbytes(bytes);
}

void use(const at::Tensor& tensor) {
  const Block* block = block_of(tensor.storage().data_ptr());
  if (!block) return;
  c10::Stream stream = current_stream(tensor.device().index());
  check_usable(*block, stream);
  std::shared_ptr<Recording> recording = recording_of(stream);
  if (recording && block->recording != recording) recording->keep(tensor.storage());
}

}  // namespace xpugraph_torch
