// SPDX-License-Identifier: Apache-2.0
// Writes arguments down, each with its kind, so that no two lists of arguments read the same.
#include "signature.h"

#include <bit>

#include <c10/core/DefaultDtype.h>

namespace xpugraph_torch {
namespace {

class Writer {
 public:
  Writer(Signature& words, const std::vector<at::Tensor>& tensors)
      : words_(words), tensors_(tensors) {}

  bool write(const c10::IValue& value) {
    if (value.isNone()) return kind(1);
    if (value.isTensor()) return kind(2) && write(value.toTensor());
    if (value.isInt()) return kind(3) && word(value.toInt());
    if (value.isDouble()) return kind(4) && word(std::bit_cast<uint64_t>(value.toDouble()));
    if (value.isBool()) return kind(5) && word(value.toBool());
    if (value.isDevice()) return kind(6) && word(static_cast<uint64_t>(value.toDevice().type()));
    if (value.isGenerator()) return kind(7);
    if (value.isString()) {
      const std::string& text = value.toStringRef();
      kind(8);
      word(text.size());
      for (char letter : text) word(letter);
      return true;
    }
    if (value.isList()) {
      c10::ArrayRef<c10::IValue> items = value.toListRef();
      kind(9);
      word(items.size());
      for (const c10::IValue& item : items) {
        if (!write(item)) return false;
      }
      return true;
    }
    return false;
  }

 private:
  bool kind(uint64_t number) { return word(number); }
  bool word(uint64_t value) {
    words_.push_back(value);
    return true;
  }

  bool write(const at::Tensor& tensor) {
    if (!tensor.defined()) return word(0);
    // Arguments that are the same tensor are told by their place.
    size_t place = 0;
    while (!tensors_[place].is_same(tensor)) ++place;
    word(1 + place);
    word(static_cast<uint64_t>(tensor.scalar_type()) << 16 |
         static_cast<uint64_t>(tensor.device().type()) << 8 |
         tensor.unsafeGetTensorImpl()->is_wrapped_number());
    word(tensor.dim());
    for (int64_t size : tensor.sizes()) word(size);
    for (int64_t stride : tensor.strides()) word(stride);
    return true;
  }

  Signature& words_;
  const std::vector<at::Tensor>& tensors_;
};

}  // namespace

size_t SignatureHash::operator()(const Signature& signature) const noexcept {
  uint64_t hash = signature.size();
  for (uint64_t word : signature) hash = (std::rotl(hash, 5) ^ word) * 0x9e3779b97f4a7c15u;
  return hash;
}

std::optional<Signature> signature_of(const c10::OperatorHandle& op,
                                      c10::ArrayRef<c10::IValue> arguments,
                                      const std::vector<at::Tensor>& tensors) {
  Signature words;
  words.reserve(16 + 12 * arguments.size());
  words.push_back(reinterpret_cast<uint64_t>(&op.schema()));
  words.push_back(static_cast<uint64_t>(c10::get_default_dtype_as_scalartype()));
  Writer writer(words, tensors);
  for (const c10::IValue& argument : arguments) {
    if (!writer.write(argument)) return std::nullopt;
  }
  return words;
}

}  // namespace xpugraph_torch
