// SPDX-License-Identifier: Apache-2.0
// Random generators of the device, for torch.Generator and the ops that draw.
#pragma once

#include <ATen/core/Generator.h>

#include "philox.h"

namespace xpugraph_torch {

class Generator final : public c10::GeneratorImpl {
 public:
  explicit Generator(c10::DeviceIndex index);
  Generator(c10::DeviceIndex index, c10::intrusive_ptr<PhiloxState> state);
  static c10::DeviceType device_type();

  void set_current_seed(uint64_t seed) override;
  uint64_t current_seed() const override;
  uint64_t seed() override;
  void set_offset(uint64_t offset) override;
  uint64_t get_offset() const override;
  void set_state(const c10::TensorImpl& state) override;
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override;
  void graphsafe_set_state(const c10::intrusive_ptr<c10::GeneratorImpl>& state) override;
  c10::intrusive_ptr<c10::GeneratorImpl> graphsafe_get_state() const override;

  /// Reserves `increment` numbers for an operation in the current stream.
  PhiloxDraw draw(uint64_t increment);

 private:
  Generator* clone_impl() const override;
  /// Throws in a capture, where the offset is only known within the graph.
  void need_eager(const char* wish) const;

  c10::intrusive_ptr<PhiloxState> state_;
};

const at::Generator& default_generator(c10::DeviceIndex index);
at::Generator new_generator(c10::DeviceIndex index);

/// A draw from the given generator, or from the default one of the current device.
PhiloxDraw draw_from(const std::optional<at::Generator>& generator, uint64_t increment);

}  // namespace xpugraph_torch
