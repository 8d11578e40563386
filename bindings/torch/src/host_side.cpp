// SPDX-License-Identifier: Apache-2.0
// Views of device memory for the host, and staged copies where there can be none.
#include "host_side.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/from_blob.h>

#include <xpugraph/memory.h>

#include "host_memory.h"
#include "recording.h"
#include "status.h"
#include "storage.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

char* begin_of(const at::Tensor& tensor) { return static_cast<char*>(tensor.mutable_data_ptr()); }

size_t bytes_of(const at::Tensor& tensor) {
  return at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize());
}

}  // namespace

HostSide::HostSide(c10::DeviceIndex index)
    : stream_(current_stream(index)), direct_(host_reaches(index)) {}

HostSide::Span* HostSide::span_of(const at::Tensor& tensor) {
  for (Span& span : spans_) {
    if (span.storage == tensor.storage().unsafeGetStorageImpl()) return &span;
  }
  return nullptr;
}

void HostSide::add(const at::Tensor& tensor, Use purpose) {
  use(tensor);
  if (direct_ || tensor.numel() == 0) return;
  char* begin = begin_of(tensor);
  char* end = begin + bytes_of(tensor);
  Span* span = span_of(tensor);
  if (!span)
    span = &spans_.emplace_back(
        Span{tensor.storage().unsafeGetStorageImpl(), begin, end, false, false, {}});
  // Written memory is also read if it has gaps: they are written back as they were.
  bool whole = purpose == Use::write && tensor.is_non_overlapping_and_dense();
  span->reads |= !whole || begin > span->begin || end < span->end;
  span->writes |= purpose != Use::read;
  span->begin = std::min(span->begin, begin);
  span->end = std::max(span->end, end);
}

at::Tensor HostSide::view(const at::Tensor& tensor) {
  char* address = tensor.numel() ? begin_of(tensor) : nullptr;
  if (Span* span = address ? span_of(tensor) : nullptr) {
    if (!span->staged) span->staged = host_memory().allocate(span->bytes());
    address = static_cast<char*>(span->staged.mutable_get()) + (address - span->begin);
  }
  at::Tensor view = at::for_blob(address, tensor.sizes())
                        .strides(tensor.strides())
                        .options(at::TensorOptions().dtype(tensor.dtype()).device(at::kCPU))
                        .make_tensor();
  view._set_conj(tensor.is_conj());
  view._set_neg(tensor.is_neg());
  return view;
}

void HostSide::copy(void* target, const void* source, size_t bytes) {
  check(xpuMemcpyAsync(target, source, bytes, xpuMemcpyDefault, native(stream_)));
}

void HostSide::copy_in() {
  for (Span& span : spans_) {
    if (span.staged && span.reads) copy(span.staged.mutable_get(), span.begin, span.bytes());
  }
}

void HostSide::copy_out() {
  std::shared_ptr<Recording> recording = recording_of(stream_);
  for (Span& span : spans_) {
    if (!span.staged) continue;
    if (span.writes) copy(span.begin, span.staged.get(), span.bytes());
    if (recording) {
      recording->keep(std::move(span.staged));
    } else {
      host_memory().record_event(span.staged.mutable_get(), span.staged.get_context(), stream_);
      span.staged.clear();
    }
  }
}

}  // namespace xpugraph_torch
