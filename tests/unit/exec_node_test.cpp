// SPDX-License-Identifier: Apache-2.0
// What single nodes write, and which instantiation flags are refused.
#include <cstring>

#include "exec_world.h"

namespace {

using namespace xpu;
using namespace xpu::test;

constexpr size_t kPitch = 64, kRows = 12;
struct Image {
  bool ok = false;
  unsigned char got[kPitch * kRows * 2] = {};
  unsigned char expected[kPitch * kRows * 2] = {};
};

// A 3-D copy of 2 slices of 3 rows of 5 bytes, between places of different pitch.
Image volume_copy() {
  Image image;
  auto* src = managed<unsigned char>(sizeof image.got);
  auto* dst = managed<unsigned char>(sizeof image.got);
  for (size_t i = 0; i < sizeof image.got; i++) src[i] = static_cast<unsigned char>(i * 7 + 1);
  graph::CopyShape shape;
  shape.src.base = src;
  shape.src.pitch = 32;
  shape.src.ysize = 6;
  shape.src.x = 3;
  shape.src.y = 1;
  shape.dst.base = dst;
  shape.dst.pitch = kPitch;
  shape.dst.ysize = kRows;
  shape.dst.x = 10;
  shape.dst.y = 2;
  shape.width = 5;
  shape.height = 3;
  shape.depth = 2;
  shape.linear = false;
  for (size_t z = 0; z < 2; z++) {
    for (size_t y = 0; y < 3; y++) {
      for (size_t x = 0; x < 5; x++) {
        image.expected[(z * kRows + 2 + y) * kPitch + 10 + x] = src[(z * 6 + 1 + y) * 32 + 3 + x];
      }
    }
  }
  Sketch sketch;
  sketch.copy(shape);
  auto exec = sketch.instantiate();
  runtime::Stream& stream = new_stream();
  image.ok = exec->launch(stream).ok() && stream.synchronize().ok();
  memcpy(image.got, dst, sizeof image.got);
  exec.reset();
  destroy(stream);
  free_managed(src);
  free_managed(dst);
  return image;
}

void a_volume_copy_touches_exactly_its_bytes(void**) {
  static Image image;
  image = volume_copy();

  assert_true(image.ok);
  assert_memory_equal(image.got, image.expected, sizeof image.got);
}

Image rows_filled(uint32_t element_size) {
  Image image;
  auto* dst = managed<unsigned char>(sizeof image.got);
  const uint32_t value = 0x44332211;
  graph::FillShape shape;
  shape.dst = dst + kPitch;
  shape.pitch = kPitch;
  shape.value = value;
  shape.element_size = element_size;
  shape.width = 5;
  shape.height = 4;
  for (size_t y = 0; y < 4; y++) {
    for (size_t i = 0; i < 5 * element_size; i++) {
      image.expected[kPitch * (1 + y) + i] =
          static_cast<unsigned char>(value >> (8 * (i % element_size)));
    }
  }
  Sketch sketch;
  sketch.fill(shape);
  auto exec = sketch.instantiate();
  runtime::Stream& stream = new_stream();
  image.ok = exec->launch(stream).ok() && stream.synchronize().ok();
  memcpy(image.got, dst, sizeof image.got);
  exec.reset();
  destroy(stream);
  free_managed(dst);
  return image;
}

void pitched_fills_of_every_element_size_touch_exactly_their_bytes(void**) {
  static Image image;
  for (const uint32_t size : {1u, 2u, 4u}) {
    image = rows_filled(size);

    assert_true(image.ok);
    assert_memory_equal(image.got, image.expected, sizeof image.got);
  }
}

struct Refusal {
  xpuError_t code = xpuSuccess;
  char sentence[300] = "";
};

Refusal flags_refused(uint64_t flags) {
  Refusal refusal;
  Sketch sketch;
  auto exec = exec::Exec::instantiate(sketch.graph(), device(), flags);
  refusal.code = exec.status().code();
  snprintf(refusal.sentence, sizeof refusal.sentence, "%s", exec.status().sentence().c_str());
  return refusal;
}

void flags_are_accepted_or_refused_as_the_header_says(void**) {
  assert_int_equal(flags_refused(0).code, xpuSuccess);
  assert_int_equal(flags_refused(1).code, xpuSuccess);
  assert_int_equal(flags_refused(2).code, xpuErrorInvalidValue);
  assert_int_equal(flags_refused(4).code, xpuErrorNotSupported);
  assert_int_equal(flags_refused(5).code, xpuErrorInvalidValue);
  assert_int_equal(flags_refused(8).code, xpuSuccess);
  const Refusal unknown = flags_refused(64);
  assert_int_equal(unknown.code, xpuErrorInvalidValue);
  assert_non_null(strstr(unknown.sentence, "unknown bits"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_volume_copy_touches_exactly_its_bytes),
      cmocka_unit_test(pitched_fills_of_every_element_size_touch_exactly_their_bytes),
      cmocka_unit_test(flags_are_accepted_or_refused_as_the_header_says),
  };
  return finish_execs(XPU_RUN_TESTS(tests));
}
