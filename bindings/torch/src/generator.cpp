// SPDX-License-Identifier: Apache-2.0
// Generators: a seed, and how many numbers were drawn since.
#include "generator.h"

#include <ATen/Functions.h>
#include <ATen/Utils.h>

#include "device.h"
#include "recording.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

constexpr int64_t state_bytes = 2 * sizeof(uint64_t);

std::shared_ptr<Recording> recording_here(c10::Device place) {
  return recording_of(current_stream(place.index()));
}

c10::intrusive_ptr<PhiloxState> fresh_state(uint64_t seed) {
  auto state = c10::make_intrusive<PhiloxState>();
  state->seed = seed;
  return state;
}

}  // namespace

Generator::Generator(c10::DeviceIndex index)
    : Generator(index, fresh_state(c10::default_rng_seed_val)) {}

Generator::Generator(c10::DeviceIndex index, c10::intrusive_ptr<PhiloxState> state)
    : GeneratorImpl(xpugraph_torch::device(index), c10::DispatchKeySet(dispatch_key)),
      state_(std::move(state)) {}

c10::DeviceType Generator::device_type() { return xpugraph_torch::device_type; }

void Generator::need_eager(const char* wish) const {
  TORCH_CHECK(!recording_here(device_), "cannot ", wish,
              " a generator while the stream is captured: the "
              "offset of captured work is only known at replay");
}

void Generator::set_current_seed(uint64_t seed) {
  if (recording_here(device_)) {
    TORCH_CHECK(seed == state_->seed,
                "during a capture a generator can only be given the seed that it has, ",
                state_->seed, ", because the graph reads the seed at each replay; it was given ",
                seed, ". Seed it before or after the capture");
    return;
  }
  state_->seed = seed;
  state_->offset = 0;
}

uint64_t Generator::current_seed() const { return state_->seed; }

uint64_t Generator::seed() {
  need_eager("seed");
  uint64_t random = c10::detail::getNonDeterministicRandom(true);
  set_current_seed(random);
  return random;
}

void Generator::set_offset(uint64_t offset) {
  need_eager("set the offset of");
  TORCH_CHECK(offset % 4 == 0, "the offset of a generator must be a multiple of 4, and ", offset,
              " is not");
  state_->offset = offset;
}

uint64_t Generator::get_offset() const {
  need_eager("read the offset of");
  return state_->offset;
}

c10::intrusive_ptr<c10::TensorImpl> Generator::get_state() const {
  need_eager("read the state of");
  at::Tensor bytes =
      at::empty({state_bytes}, at::TensorOptions().device(at::kCPU).dtype(at::kByte));
  const uint64_t words[] = {state_->seed, state_->offset};
  std::memcpy(bytes.mutable_data_ptr(), words, state_bytes);
  return bytes.getIntrusivePtr();
}

void Generator::set_state(const c10::TensorImpl& state) {
  need_eager("set the state of");
  at::detail::check_rng_state(state);
  TORCH_CHECK(state.numel() == state_bytes, "the state of a generator of this device is ",
              state_bytes, " bytes, and this tensor has ", state.numel());
  uint64_t words[2];
  std::memcpy(words, state.data(), state_bytes);
  state_->seed = words[0];
  state_->offset = words[1];
}

void Generator::graphsafe_set_state(const c10::intrusive_ptr<c10::GeneratorImpl>& state) {
  auto* other = dynamic_cast<Generator*>(state.get());
  TORCH_CHECK(
      other,
      "graphsafe_set_state() takes what graphsafe_get_state() of a generator of this device "
      "returned");
  state_ = other->state_;
}

c10::intrusive_ptr<c10::GeneratorImpl> Generator::graphsafe_get_state() const {
  return c10::make_intrusive<Generator>(device_.index(), state_);
}

Generator* Generator::clone_impl() const {
  need_eager("clone");
  auto state = fresh_state(state_->seed);
  state->offset = state_->offset;
  return new Generator(device_.index(), std::move(state));
}

PhiloxDraw Generator::draw(uint64_t increment) {
  if (auto recording = recording_here(device_)) return recording->draw(state_, increment);
  PhiloxDraw draw;
  draw.seed = state_->seed;
  draw.offset = state_->offset;
  state_->offset += philox_round(increment);
  return draw;
}

const at::Generator& default_generator(c10::DeviceIndex index) {
  // Made all at once: the reference must stay good.
  static auto* generators = [] {
    auto* all = new std::vector<at::Generator>;
    for (c10::DeviceIndex i = 0; i < device_count(); ++i) all->push_back(new_generator(i));
    return all;
  }();
  if (index < 0) index = current_device();
  TORCH_CHECK(static_cast<size_t>(index) < generators->size(), "there is no device ", int(index));
  return generators->at(index);
}

at::Generator new_generator(c10::DeviceIndex index) {
  return at::make_generator<Generator>(index < 0 ? current_device() : index);
}

PhiloxDraw draw_from(const std::optional<at::Generator>& generator, uint64_t increment) {
  const at::Generator& used =
      generator && generator->defined() ? *generator : default_generator(-1);
  auto* own = dynamic_cast<Generator*>(used.unsafeGetGeneratorImpl());
  TORCH_CHECK(own, "expected a generator of device ", device(current_device()),
              ", but this one is of ", used.device());
  std::lock_guard lock(own->mutex_);
  return own->draw(increment);
}

}  // namespace xpugraph_torch
