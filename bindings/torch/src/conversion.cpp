// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/convert.cl by types.
#include "conversion.h"

#include "elements.h"

namespace xpugraph_torch {
namespace {

struct Conversion {
  at::ScalarType from, to;
  Kernel dense, any;

  Conversion(at::ScalarType from, at::ScalarType to, const std::string& name)
      : from(from), to(to), dense("convert", name + "_dense"), any("convert", name + "_any") {}
};

/// NULL if there is no kernel for it.
const Conversion* conversion(at::ScalarType from, at::ScalarType to) {
  constexpr auto bits = at::ScalarType::Undefined;  // whatever they mean
  static const Conversion same[] = {{bits, bits, "bytes1"},
                                    {bits, bits, "bytes2"},
                                    {bits, bits, "bytes4"},
                                    {bits, bits, "bytes8"}};
  static const Conversion other[] = {
      {at::kFloat, at::kLong, "float_long"}, {at::kFloat, at::kInt, "float_int"},
      {at::kFloat, at::kBool, "float_bool"}, {at::kFloat, at::kBFloat16, "float_bfloat"},
      {at::kFloat, at::kHalf, "float_half"}, {at::kLong, at::kFloat, "long_float"},
      {at::kLong, at::kInt, "long_int"},     {at::kLong, at::kBool, "long_bool"},
      {at::kInt, at::kFloat, "int_float"},   {at::kInt, at::kLong, "int_long"},
      {at::kBool, at::kFloat, "bool_float"}, {at::kBool, at::kLong, "bool_long"},
      {at::kBool, at::kInt, "bool_int"},     {at::kBFloat16, at::kFloat, "bfloat_float"},
      {at::kHalf, at::kFloat, "half_float"},
  };
  if (from == to) {
    switch (c10::elementSize(from)) {
      case 1:
        return &same[0];
      case 2:
        return &same[1];
      case 4:
        return &same[2];
      case 8:
        return &same[3];
      default:
        return nullptr;
    }
  }
  for (const Conversion& known : other)
    if (known.from == from && known.to == to) return &known;
  return nullptr;
}

}  // namespace

bool convert(const at::Tensor& source, const at::Tensor& target) {
  const Conversion* kernels = conversion(source.scalar_type(), target.scalar_type());
  if (!kernels || !is_plain(source, source.scalar_type()) ||
      !is_plain(target, target.scalar_type()))
    return false;
  OnDevice there(target.device().index());
  at::TensorIterator iter = at::TensorIteratorConfig()
                                .set_check_mem_overlap(true)
                                .check_all_same_dtype(false)
                                .resize_outputs(false)
                                .add_output(target)
                                .add_const_input(source)
                                .build();
  auto n = static_cast<uint32_t>(iter.numel());
  std::optional<Places> layout = places_of(iter);
  if (!layout) return false;
  use(source);
  use(target);
  if (iter.is_contiguous())
    launch_items(kernels->dense.get(), n, iter.data_ptr(0), iter.data_ptr(1), n);
  else
    launch_items(kernels->any.get(), n, iter.data_ptr(0), iter.data_ptr(1), n, *layout);
  return true;
}

}  // namespace xpugraph_torch
