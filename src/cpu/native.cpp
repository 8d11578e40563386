// SPDX-License-Identifier: Apache-2.0
// Writes and reads native modules: a magic word, a checksum of the rest, then length-prefixed
// fields.
#include "cpu/native.h"

#include <cstring>

#include "cpu/cache.h"

namespace xpu::cpu {
namespace {

constexpr char kNativeMagic[8] = {'Z', 'E', 'C', 'P', 'U', 'M', '0', '2'};
constexpr size_t kSum = 32;
constexpr size_t kNativeHeader = sizeof kNativeMagic + kSum;
// Where a count is not backed by bytes, this keeps a damaged one from asking for the world.
constexpr uint32_t kMost = 1 << 20;
constexpr uint32_t kNotKnown = UINT32_MAX;

class Writer {
 public:
  void word(uint32_t value) { raw(&value, sizeof value); }
  void field(const void* data, size_t size) {
    word(static_cast<uint32_t>(size));
    raw(data, size);
  }
  void text(const std::string& s) { field(s.data(), s.size()); }
  std::vector<std::byte> out = std::vector<std::byte>(kNativeHeader);

 private:
  void raw(const void* data, size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
  }
};

class BinaryReader {
 public:
  BinaryReader(const std::byte* data, size_t size) : at_(data), left_(size) {}
  uint32_t word() {
    uint32_t value = 0;
    if (left_ < sizeof value) return fail();
    std::memcpy(&value, at_, sizeof value);
    step(sizeof value);
    return value;
  }
  std::vector<std::byte> field() {
    const uint32_t size = word();
    if (size > left_) return fail(), std::vector<std::byte>();
    std::vector<std::byte> bytes(at_, at_ + size);
    step(size);
    return bytes;
  }
  std::string text() {
    const std::vector<std::byte> bytes = field();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool ok() const { return ok_; }

 private:
  uint32_t fail() {
    ok_ = false;
    left_ = 0;
    return 0;
  }
  void step(size_t size) {
    at_ += size;
    left_ -= size;
  }
  const std::byte* at_;
  size_t left_;
  bool ok_ = true;
};

SpirvKernel read_kernel(BinaryReader* in) {
  SpirvKernel kernel;
  kernel.name = in->text();
  kernel.refusal = in->text();
  for (uint32_t& size : kernel.required_group_size) size = in->word();
  for (uint32_t& size : kernel.group_size_hint) size = in->word();
  if (const uint32_t local = in->word(); local != kNotKnown) kernel.local_bytes = local;
  const uint32_t count = in->word();
  for (uint32_t i = 0; i < count && in->ok() && count < kMost; ++i) {
    const auto kind = static_cast<ParameterKind>(in->word());
    kernel.parameters.push_back({kind, in->word(), 0});
  }
  return kernel;
}

Status broken(const char* what) { return invalid_value(what, "image"); }

}  // namespace

std::vector<std::byte> write_native(const NativeModule& module) {
  Writer w;
  w.text(module.engine);
  w.text(module.options);
  w.word(static_cast<uint32_t>(module.kernels.size()));
  for (const SpirvKernel& kernel : module.kernels) {
    w.text(kernel.name);
    w.text(kernel.refusal);
    for (const uint32_t size : kernel.required_group_size) w.word(size);
    for (const uint32_t size : kernel.group_size_hint) w.word(size);
    w.word(static_cast<uint32_t>(kernel.local_bytes.value_or(kNotKnown)));
    w.word(static_cast<uint32_t>(kernel.parameters.size()));
    for (const Parameter& p : kernel.parameters) {
      w.word(static_cast<uint32_t>(p.kind));
      w.word(p.size);
    }
  }
  w.field(module.binary.data(), module.binary.size());
  std::memcpy(w.out.data(), kNativeMagic, sizeof kNativeMagic);
  const std::string sum = checksum(w.out.data() + kNativeHeader, w.out.size() - kNativeHeader);
  std::memcpy(w.out.data() + sizeof kNativeMagic, sum.data(), kSum);
  return std::move(w.out);
}

Result<NativeModule> read_native(const void* image, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(image);
  if (size < kNativeHeader || std::memcmp(bytes, kNativeMagic, sizeof kNativeMagic) != 0)
    return broken("not a native module of this driver; SPIR-V has format 0");
  const std::string sum = checksum(bytes + kNativeHeader, size - kNativeHeader);
  if (std::memcmp(bytes + sizeof kNativeMagic, sum.data(), kSum) != 0)
    return broken("the native module is damaged: its checksum is wrong");
  BinaryReader in(bytes + kNativeHeader, size - kNativeHeader);
  NativeModule module;
  module.engine = in.text();
  module.options = in.text();
  const uint32_t count = in.word();
  for (uint32_t i = 0; i < count && in.ok() && count < kMost; ++i)
    module.kernels.push_back(read_kernel(&in));
  module.binary = in.field();
  if (!in.ok()) return broken("the native module is cut off");
  return module;
}

}  // namespace xpu::cpu
