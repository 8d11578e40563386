// SPDX-License-Identifier: Apache-2.0
// The host's side of an operation's tensors: their own memory where the host reaches it, else
// copies in pinned memory that are filled before the operation and written back after it, in the
// order of the stream.
#pragma once

#include <memory>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <c10/core/Stream.h>

namespace xpugraph_torch {

class HostSide {
 public:
  /// Of a device; copies are queued in its current stream.
  explicit HostSide(c10::DeviceIndex index);

  enum class Use { read, write, read_and_write };
  /// To be called for all tensors before the first view. Throws if the current stream may not use
  /// one.
  void add(const at::Tensor& tensor, Use use);

  /// A CPU tensor over the host's side of a tensor that was added, which it does not keep.
  at::Tensor view(const at::Tensor& tensor);

  /// Queue the copies, if there are any: before and behind the operation.
  void copy_in();
  /// Also gives the memory up: to the capture, or to whoever comes behind this work.
  void copy_out();

 private:
  /// What tensors of one storage span together, so that tensors that overlap do so on the host as
  /// well.
  struct Span {
    const c10::StorageImpl* storage;
    char* begin;
    char* end;
    bool reads = false, writes = false;
    c10::DataPtr staged;

    size_t bytes() const { return static_cast<size_t>(end - begin); }
  };

  Span* span_of(const at::Tensor& tensor);
  void copy(void* target, const void* source, size_t bytes);

  const c10::Stream stream_;
  const bool direct_;
  std::vector<Span> spans_;
};

}  // namespace xpugraph_torch
