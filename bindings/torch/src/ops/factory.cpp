// SPDX-License-Identifier: Apache-2.0
// Empty tensors, views and storages: what needs memory or metadata and no kernel.
#include <ATen/EmptyTensor.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_cpu_dispatch.h>
#include <ATen/ops/set_cpu_dispatch.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>

#include "../allocator.h"
#include "../device.h"
#include "../operators.h"
#include "../storage.h"

namespace xpugraph_torch {
namespace {

void check_options(std::optional<c10::Layout> layout, std::optional<bool> pinned) {
  TORCH_CHECK(c10::layout_or_default(layout) == c10::Layout::Strided,
              "this device has strided tensors only");
  TORCH_CHECK(!c10::pinned_memory_or_default(pinned), "only CPU tensors can be pinned");
}

c10::DeviceIndex index_of(std::optional<c10::Device> place) {
  return place && place->has_index() ? place->index() : current_device();
}

at::Tensor empty(c10::IntArrayRef sizes, std::optional<c10::ScalarType> dtype,
                 std::optional<c10::Layout> layout, std::optional<c10::Device> place,
                 std::optional<bool> pinned, std::optional<c10::MemoryFormat> format) {
  check_options(layout, pinned);
  OnDevice there(index_of(place));
  return at::detail::empty_generic(sizes, &DeviceMemory::instance(),
                                   c10::DispatchKeySet(dispatch_key), c10::dtype_or_default(dtype),
                                   format);
}

at::Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides,
                         std::optional<c10::ScalarType> dtype, std::optional<c10::Layout> layout,
                         std::optional<c10::Device> place, std::optional<bool> pinned) {
  check_options(layout, pinned);
  OnDevice there(index_of(place));
  return at::detail::empty_strided_generic(sizes, strides, &DeviceMemory::instance(),
                                           c10::DispatchKeySet(dispatch_key),
                                           c10::dtype_or_default(dtype));
}

at::Tensor as_strided(const at::Tensor& self, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                      std::optional<int64_t> offset) {
  return at::cpu::as_strided(self, sizes, strides, offset);
}

at::Tensor view(const at::Tensor& self, c10::IntArrayRef sizes) {
  return at::native::view(self, sizes);
}

at::Tensor reshape_alias(const at::Tensor& self, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  return at::native::_reshape_alias(self, sizes, strides);
}

const at::Tensor& resize(const at::Tensor& self, c10::IntArrayRef sizes,
                         std::optional<c10::MemoryFormat> format) {
  c10::TensorImpl* impl = self.unsafeGetTensorImpl();
  impl->set_sizes_contiguous(sizes);
  if (format && *format != c10::MemoryFormat::Preserve) impl->empty_tensor_restride(*format);
  size_t needed = at::detail::computeStorageNbytes(self.sizes(), self.strides(), self.itemsize(),
                                                   self.storage_offset());
  if (self.numel() > 0 && needed > self.storage().nbytes()) resize_storage(self.storage(), needed);
  return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage source) {
  return at::native::set_(self, source);
}

at::Tensor& set_storage_at(at::Tensor& self, at::Storage source, int64_t offset,
                           c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  return at::cpu::set_(self, source, offset, sizes, strides);
}

at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  return at::native::set_tensor_(self, source);
}

void record_stream(at::Tensor& self, c10::Stream stream) {
  DeviceMemory::instance().recordStream(self.storage().data_ptr(), stream);
}

XPUGRAPH_OPERATORS(m) {
  m.impl("empty.memory_format", empty);
  m.impl("empty_strided", empty_strided);
  m.impl("as_strided", as_strided);
  m.impl("view", view);
  m.impl("_reshape_alias", reshape_alias);
  m.impl("resize_", resize);
  m.impl("set_.source_Storage", set_storage);
  m.impl("set_.source_Storage_storage_offset", set_storage_at);
  m.impl("set_.source_Tensor", set_tensor);
  m.impl("record_stream", record_stream);
}

}  // namespace
}  // namespace xpugraph_torch
