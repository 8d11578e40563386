// SPDX-License-Identifier: Apache-2.0
// Memory behind tensors: bigger, smaller, and seen from the host.
#include "storage.h"

#include <ATen/ops/from_blob.h>

#include <xpugraph/memory.h>

#include "allocator.h"
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

void check_usable(const at::Tensor& tensor) {
  if (const Block* block = block_of(tensor.storage().data_ptr())) {
    check_usable(*block, current_stream(tensor.device().index()));
  }
}

at::Tensor host_view(const at::Tensor& tensor) {
  check_usable(tensor);
  TORCH_CHECK(host_reaches(tensor.device().index()),
              "this operation has no kernel for the device and "
              "would run on the host, which cannot reach the memory of ",
              tensor.device(), ": move its inputs to the CPU");
  return at::for_blob(tensor.numel() ? tensor.mutable_data_ptr() : nullptr, tensor.sizes())
      .strides(tensor.strides())
      .options(at::TensorOptions().dtype(tensor.dtype()).device(at::kCPU))
      .make_tensor();
}

}  // namespace xpugraph_torch
