// SPDX-License-Identifier: Apache-2.0
// Copies: within a device, between devices, to and from the host, and single numbers for the host.
#include <ATen/Dispatch_v2.h>
#include <ATen/ops/_local_scalar_dense_cpu_dispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <xpugraph/memory.h>

#include "../conversion.h"
#include "../device.h"
#include "../event.h"
#include "../fallback.h"
#include "../host_memory.h"
#include "../operators.h"
#include "../recording.h"
#include "../status.h"
#include "../storage.h"
#include "../stream.h"

namespace xpugraph_torch {
namespace {

/// One run of bytes on each side, element for element.
bool is_plain_copy(const at::Tensor& source, const at::Tensor& target) {
  return source.scalar_type() == target.scalar_type() && source.strides() == target.strides() &&
         source.is_non_overlapping_and_dense() && source.is_conj() == target.is_conj() &&
         source.is_neg() == target.is_neg();
}

void copy_bytes(const at::Tensor& source, const at::Tensor& target, c10::Stream stream) {
  check(xpuMemcpyAsync(target.mutable_data_ptr(), source.const_data_ptr(), source.nbytes(),
                       xpuMemcpyDefault, native(stream)));
}

/// Beyond it a copy of bytes is worth more than it costs to change from kernels to copies.
constexpr size_t small_copy = size_t(1) << 20;

void copy_within(const at::Tensor& source, const at::Tensor& target) {
  c10::Stream stream = current_stream(target.device().index());
  bool is_plain = is_plain_copy(source, target);
  if ((!is_plain || source.nbytes() <= small_copy) && convert(source, target)) return;
  if (is_plain) {
    use(source);
    use(target);
    copy_bytes(source, target, stream);
    return;
  }
  run_on_host("aten::copy_", "", {target, source, false});
}

/// With the layout and type of `like`, on the device of `tensor`.
at::Tensor laid_out_as(const at::Tensor& tensor, const at::Tensor& like) {
  if (is_plain_copy(tensor, like)) return tensor;
  at::Tensor fresh = at::empty_like(like, like.options().device(tensor.device()));
  fresh.copy_(tensor);
  return fresh;
}

void copy_between(const at::Tensor& source, const at::Tensor& target) {
  c10::Stream there = current_stream(source.device().index());
  c10::Stream here = current_stream(target.device().index());
  TORCH_CHECK(!is_captured(there) && !is_captured(here),
              "a copy between devices cannot be captured: capture on one "
              "device, and copy before or after the replay");
  at::Tensor from;
  {
    OnDevice on(source.device().index());
    from = laid_out_as(source, target);
  }
  Event ready(source.device().index(), false);
  ready.record(there);
  ready.make_wait(here);
  copy_bytes(from, target, here);
  from.record_stream(here);
}

/// In a capture the host's side is read or written at each replay, so it has to stay where it is.
void check_capturable(const at::Tensor& host, const at::Tensor& on_device) {
  TORCH_CHECK(is_pinned(host.const_data_ptr()) && is_plain_copy(host, on_device),
              "a copy between host and device can be captured only if the CPU tensor is pinned and "
              "has the type and "
              "layout of the other: the graph reads or writes it at each replay. Pin it "
              "(pin_memory()), or copy "
              "before the capture");
}

void keep_while_copied(const at::Tensor& host, c10::Stream stream) {
  if (std::shared_ptr<Recording> recording = recording_of(stream)) {
    recording->keep(host.storage());
    return;
  }
  const c10::DataPtr& data = host.storage().data_ptr();
  host_memory().record_event(data.get(), data.get_context(), stream);
}

void upload(const at::Tensor& source, const at::Tensor& target, bool non_blocking) {
  c10::Stream stream = current_stream(target.device().index());
  use(target);
  if (is_captured(stream)) {
    check_capturable(source, target);
    copy_bytes(source, target, stream);
    keep_while_copied(source, stream);
    return;
  }
  if (!target.is_non_overlapping_and_dense()) {
    at::Tensor dense = at::empty(target.sizes(), target.options());
    upload(source, dense, non_blocking);
    copy_within(dense, target);
    return;
  }
  at::Tensor from = laid_out_as(source, target);
  copy_bytes(from, target, stream);
  if (!is_pinned(from.const_data_ptr())) return;  // the call itself has waited
  keep_while_copied(from, stream);
  if (!non_blocking) synchronize(stream);
}

void download(const at::Tensor& source, const at::Tensor& target, bool non_blocking) {
  c10::Stream stream = current_stream(source.device().index());
  use(source);
  if (is_captured(stream)) {
    check_capturable(target, source);
    copy_bytes(source, target, stream);
    keep_while_copied(target, stream);
    return;
  }
  if (!target.is_non_overlapping_and_dense()) {
    at::Tensor dense = at::empty(target.sizes(), target.options());
    download(source, dense, false);
    target.copy_(dense);
    return;
  }
  at::Tensor from = laid_out_as(source, target);
  copy_bytes(from, target, stream);
  if (non_blocking && is_pinned(target.const_data_ptr())) {
    keep_while_copied(target, stream);
  } else {
    synchronize(stream);
  }
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& target, bool non_blocking) {
  if (target.numel() == 0 || self.is_same(target)) return target;
  at::Tensor source = self.expand(target.sizes());
  OnDevice there(on_device(target) ? target.device().index() : source.device().index());
  if (!on_device(source)) {
    upload(source, target, non_blocking);
  } else if (!on_device(target)) {
    download(source, target, non_blocking);
  } else if (source.device() == target.device()) {
    copy_within(source, target);
  } else {
    copy_between(source, target);
  }
  return target;
}

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  copy_from(source, self, non_blocking);
  return self;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& target) {
  target.resize_(self.sizes());
  return copy_from(self, target, false);
}

at::Scalar local_scalar_dense(const at::Tensor& self) {
  c10::Stream stream = current_stream(self.device().index());
  TORCH_CHECK(
      !is_captured(stream),
      "the value of a tensor cannot be read while its stream is captured (.item(), "
      "bool(), float(), printing): captured work runs at replay, and there is no value yet. Read "
      "it before "
      "the capture or after the replay, or decide on the device, for example with torch.where");
  at::Tensor number = at::empty({}, self.options().device(at::kCPU));
  download(self.reshape({}), number, false);
  return at::cpu::_local_scalar_dense(number);
}

XPUGRAPH_OPERATORS(m) {
  // PyTorch's own comes to _copy_from for devices from outside its tree only.
  if (claims_xpu) m.impl("copy_", copy);
  m.impl("_copy_from", copy_from);
  m.impl("_copy_from_and_resize", copy_from_and_resize);
  m.impl("_local_scalar_dense", local_scalar_dense);
}

// Their fallbacks would resolve the bits by copying, and so come here again.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

}  // namespace
}  // namespace xpugraph_torch
