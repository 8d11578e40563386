// SPDX-License-Identifier: Apache-2.0
// Images that are no SPIR-V, or once were: refused by name, whatever is wrong with them.
#include "zoo.h"

using namespace xpu::test;

static unsigned char image[1 << 20];

static uint32_t* words() { return reinterpret_cast<uint32_t*>(image); }

// Fills `image` with the good module; its size in bytes.
static size_t good_image() {
  const Image good = kernels_image();
  memcpy(image, good.bytes, good.size);
  return good.size;
}

static xpuError_t load(size_t size) {
  const xpuError_t code = xpuModuleLoadData(&outs.module, image, size);
  if (code == xpuSuccess) assert_ok(xpuModuleUnload(outs.module));
  return code;
}

#define MALFORMED(what, ...)                                                \
  {                                                                         \
    "xpuModuleLoadData", "image", what, []() -> xpuError_t { __VA_ARGS__ }, \
        xpuErrorInvalidKernelImage                                          \
  }

static void what_is_no_image_is_refused(void**) {
  static const Refusal rows[] = {
    MALFORMED("is empty", return xpuModuleLoadData(&outs.module, image, 0);),
    MALFORMED("is one byte", good_image(); return load(1);),
    MALFORMED("is text", memcpy(image, "kernel void k() {}", 18); return load(18);),
    MALFORMED("is zeros", memset(image, 0, 4096); return load(4096);),
    MALFORMED("is ones", memset(image, 0xff, 4096); return load(4096);),
    MALFORMED("is only a magic number", good_image(); return load(4);),
    MALFORMED("is said to be larger than any memory", good_image(); return load(SIZE_MAX - 3);),
    MALFORMED("is said to be 4 EiB", good_image(); return load(size_t{1} << 62);),
    MALFORMED("is only a header", good_image(); return load(20);),
    // It is a native binary as far as anyone can tell, but no device of this driver made it.
    {"xpuModuleLoadData", "image", "is the beginning of an ELF file",
     []() -> xpuError_t {
       memset(image, 0, 128);
       memcpy(image, "\177ELF\2\1\1", 7);
       return load(128);
     },
     xpuErrorNoKernelImageForDevice},
  };
  assert_all_refused(rows);
}

static void a_damaged_header_is_refused(void**) {
  static const Refusal rows[] = {
    MALFORMED("has another magic number", size_t n = good_image(); words()[0] ^= 1;
              return load(n);),
    MALFORMED("has version 0.0", size_t n = good_image(); words()[1] = 0; return load(n);),
    MALFORMED("has version 9.9", size_t n = good_image(); words()[1] = 0x00090900; return load(n);),
    MALFORMED("has no bound", size_t n = good_image(); words()[3] = 0; return load(n);),
    MALFORMED("has an absurd bound", size_t n = good_image(); words()[3] = UINT32_MAX;
              return load(n);),
    MALFORMED("has an instruction of no words", size_t n = good_image(); words()[5] &= 0xffff;
              return load(n);),
    MALFORMED("has an instruction longer than the rest", size_t n = good_image();
              words()[5] |= 0xffff0000; return load(n);),
  };
  assert_all_refused(rows);
}

static void an_id_is_below_the_bound(void**) {
  static const Refusal rows[] = {
    MALFORMED("has a bound of 1", size_t n = good_image(); words()[3] = 1; return load(n);),
  };
  assert_all_refused(rows);
}

static void a_truncated_image_is_refused(void**) {
  const size_t size = good_image();
  int taken = 0;

  // Cut within an instruction and between two, near the end and all over.
  for (size_t cut = 1; cut < 48; cut++) taken += load(size - cut) != xpuErrorInvalidKernelImage;
  assert_int_equal(0, taken);
  for (size_t part = 1; part < 32; part++)
    taken += load(size * part / 32 / 4 * 4) != xpuErrorInvalidKernelImage;

  if (shown(validates)) assert_int_equal(0, taken);
  (void)xpuGetLastError();
}

// A flipped bit may leave a valid module; anything else must be refused, and nothing may crash.
static void a_flipped_bit_gives_a_module_or_a_refusal(void**) {
  const size_t size = good_image();
  uint32_t random = 12345;
  int odd = 0, refused = 0;
  for (int i = 0; i < 60; i++) {
    random = random * 1664525u + 1013904223u;
    const size_t bit = (random >> 4) % (size * 8);
    image[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
    const xpuError_t code = load(size);
    image[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
    if (code == xpuErrorInvalidKernelImage) refused++;
    if (code != xpuErrorInvalidKernelImage && code != xpuSuccess) {
      print_error("bit %zu gave %s\n", bit, xpuGetErrorName(code));
      odd++;
    }
  }

  assert_int_equal(0, odd);
  assert_true(refused > 0);
  assert_ok(load(size));
}

static void garbage_behind_a_good_header_is_refused(void**) {
  uint32_t random = 99;
  int taken = 0;
  for (int i = 0; i < 40; i++) {
    const size_t size = good_image();
    for (size_t at = 5; at < 200; at++) words()[at] = random = random * 1664525u + 1013904223u;
    taken += load(size) != xpuErrorInvalidKernelImage;
  }
  assert_int_equal(0, taken);
}

static void a_description_must_suit_its_image(void**) {
  static xpuModuleDesc desc;
  good_image();
  desc = {};
  desc.struct_size = sizeof desc;
  desc.image = image;
  desc.imageSize = kernels_image().size;
  desc.format = static_cast<xpuModuleFormat>(3);
  static xpuModuleDesc empty;
  empty = desc;
  empty.format = xpuModuleFormatAuto;
  empty.image = nullptr;
  static xpuModuleDesc text;
  text = desc;
  text.format = xpuModuleFormatSpirv;
  text.image = "this is no SPIR-V, though it is long enough to have a header";
  text.imageSize = 56;
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuModuleLoad, "desc", "has format 3", &outs.module, &desc),
      REFUSED(xpuErrorInvalidValue, xpuModuleLoad, "desc", "has no image", &outs.module, &empty),
      REFUSED(xpuErrorInvalidKernelImage, xpuModuleLoad, "desc", "has text as SPIR-V", &outs.module,
              &text),
  };
  assert_all_refused(rows);
}

static void the_build_log_tells_what_is_wrong_and_fits(void**) {
  char log[256];
  xpuModuleDesc desc = {};
  memset(log, 'x', sizeof log);
  const size_t size = good_image();
  for (size_t at = 40; at < 60; at++) words()[at] = 0xdeadbeef;
  desc.struct_size = sizeof desc;
  desc.image = image;
  desc.imageSize = size;
  desc.buildLog = log;
  desc.buildLogSize = 64;

  assert_code(xpuModuleLoad(&outs.module, &desc), xpuErrorInvalidKernelImage);

  assert_non_null(memchr(log, '\0', 64));
  assert_int_equal('x', log[64]);
  assert_true(strlen(log) > 0);
}

// A good module as far as its words go: only the compiler can know. A driver that links modules
// later takes this one and refuses its kernel.
static void what_the_compiler_says_reaches_the_log(void**) {
  static unsigned char bytes[1 << 16];
  static size_t size = 0;
  char log[4096] = {};
  const Image unlinked = image_of("XPU_TEST_UNLINKED", bytes, size);
  xpuModuleDesc desc = {};
  desc.struct_size = sizeof desc;
  desc.image = unlinked.bytes;
  desc.imageSize = unlinked.size;
  desc.buildLog = log;
  desc.buildLogSize = sizeof log;

  xpuError_t got = xpuModuleLoad(&outs.module, &desc);
  if (got == xpuSuccess) {
    got = xpuModuleGetKernel(&outs.kernel, outs.module, "lost");
    assert_ok(xpuModuleUnload(outs.module));
  } else {
    assert_non_null(strstr(last_failure().sentence, "elsewhere"));
  }

  assert_int_equal(xpuErrorInvalidKernelImage, got);
  assert_non_null(strstr(log, "elsewhere"));
}

int main() {
  const Test tests[] = {
      xpu_test(what_is_no_image_is_refused),
      xpu_test(a_damaged_header_is_refused),
      xpu_test(an_id_is_below_the_bound, needs(validates)),
      xpu_test(a_truncated_image_is_refused, results(validates)),
      xpu_test(a_flipped_bit_gives_a_module_or_a_refusal, needs(validates)),
      xpu_test(garbage_behind_a_good_header_is_refused),
      xpu_test(a_description_must_suit_its_image),
      xpu_test(the_build_log_tells_what_is_wrong_and_fits),
      xpu_test(what_the_compiler_says_reaches_the_log),
  };
  return run_all(tests, open_zoo, close_zoo);
}
