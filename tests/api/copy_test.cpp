// SPDX-License-Identifier: Apache-2.0
// Copies between all types of memory, in all forms, on odd pitches, against plain loops.
#include "block.h"

using namespace xpu::test;

static Buffers to, from;
static unsigned char expected[kBytes], source[kBytes], got[kBytes];

static int open_all(void**) {
  to = make_buffers();
  from = make_buffers();
  return 0;
}
static int close_all(void**) {
  free_buffers(to);
  free_buffers(from);
  return 0;
}

static const char* const kNames[] = {"malloc", "host", "device", "managed"};

static const Block kBlocks[] = {
    {1, 1, 1, {0, 1, 1, 0, 0, 0}, {0, 1, 1, 0, 0, 0}},
    {4096, 1, 1, {3, 4096, 1, 0, 0, 0}, {1, 4096, 1, 0, 0, 0}},
    {13, 7, 1, {0, 13, 7, 0, 0, 0}, {0, 13, 7, 0, 0, 0}},
    {13, 7, 1, {5, 17, 7, 0, 0, 0}, {2, 19, 7, 0, 0, 0}},
    {31, 9, 1, {1, 101, 20, 7, 3, 0}, {9, 64, 12, 11, 2, 0}},
    {64, 8, 4, {0, 64, 8, 0, 0, 0}, {0, 64, 8, 0, 0, 0}},
    {7, 5, 3, {1, 11, 8, 3, 2, 1}, {3, 13, 6, 5, 1, 2}},
    {33, 1, 6, {0, 37, 1, 0, 0, 0}, {4, 41, 3, 2, 1, 0}},
    {1, 16, 16, {0, 3, 17, 1, 1, 1}, {0, 5, 19, 2, 2, 2}},
    {256, 16, 2, {128, 300, 16, 20, 0, 3}, {0, 257, 18, 1, 1, 1}},
};

// Prepares both buffers and the reference.
static void prepare(const Block& b, int dst, int src) {
  scramble(source, 1);
  scramble(expected, 2);
  assert_ok(xpuMemcpy(from.of[src], source, kBytes, xpuMemcpyDefault));
  assert_ok(xpuMemcpy(to.of[dst], expected, kBytes, xpuMemcpyDefault));
  reference_copy(expected, source, b);
}

// How many of the forms that can express the block have a wrong result.
static int wrong_results(const Block& b, int dst, int src, bool async) {
  static const xpuMemcpyKind kinds[2][2] = {{xpuMemcpyHostToHost, xpuMemcpyHostToDevice},
                                            {xpuMemcpyDeviceToHost, xpuMemcpyDeviceToDevice}};
  const xpuMemcpyKind kind = kinds[src == xpuMemoryTypeDevice][dst == xpuMemoryTypeDevice];
  const xpuStream_t s = new_stream();
  int wrong = 0;
  for (int form = 1; form <= 3; form++) {
    if (form < 3 && b.depth > 1) continue;
    if (form < 2 && b.height > 1) continue;
    prepare(b, dst, src);
    unsigned char* d = to.of[dst] + b.dst.at(0, 0, 0);
    unsigned char* f = from.of[src] + b.src.at(0, 0, 0);
    const xpuMemcpy3DParms p = to_params(b, to.of[dst], from.of[src], kind);
    if (form == 1 && async) assert_ok(xpuMemcpyAsync(d, f, b.width, kind, s));
    if (form == 1 && !async) assert_ok(xpuMemcpy(d, f, b.width, kind));
    if (form == 2 && async)
      assert_ok(xpuMemcpy2DAsync(d, b.dst.pitch, f, b.src.pitch, b.width, b.height, kind, s));
    if (form == 2 && !async)
      assert_ok(xpuMemcpy2D(d, b.dst.pitch, f, b.src.pitch, b.width, b.height, kind));
    if (form == 3 && async) assert_ok(xpuMemcpy3DAsync(&p, s));
    if (form == 3 && !async) assert_ok(xpuMemcpy3D(&p));
    assert_ok(xpuStreamSynchronize(s));
    assert_ok(xpuMemcpy(got, to.of[dst], kBytes, xpuMemcpyDefault));
    if (!shown(executes) || memcmp(got, expected, kBytes) == 0) continue;
    print_error("%zu x %zu x %zu from %s to %s in %d-D, %s: wrong bytes\n", b.width, b.height,
                b.depth, kNames[src], kNames[dst], form, async ? "async" : "at once");
    wrong++;
  }
  assert_ok(xpuStreamDestroy(s));
  return wrong;
}

static void every_form_between_all_memories_equals_plain_loops(void**) {
  int wrong = 0;
  for (const Block& b : kBlocks)
    for (int dst = 0; dst < 4; dst++)
      for (int src = 0; src < 4; src++) wrong += wrong_results(b, dst, src, false);
  assert_int_equal(0, wrong);
}

static void every_queued_form_between_all_memories_equals_plain_loops(void**) {
  int wrong = 0;
  for (const Block& b : kBlocks)
    for (int dst = 0; dst < 4; dst++)
      for (int src = 0; src < 4; src++) wrong += wrong_results(b, dst, src, true);
  assert_int_equal(0, wrong);
}

static void the_direction_is_read_from_the_addresses_in_any_case(void**) {
  static const xpuMemcpyKind kinds[] = {xpuMemcpyHostToHost, xpuMemcpyHostToDevice,
                                        xpuMemcpyDeviceToHost, xpuMemcpyDeviceToDevice,
                                        xpuMemcpyDefault};
  for (xpuMemcpyKind kind : kinds) {
    const int mark = 1000 + static_cast<int>(kind);
    int back = 0;
    assert_ok(xpuMemcpy(to.of[xpuMemoryTypeDevice], &mark, sizeof mark, kind));
    assert_ok(xpuMemcpy(&back, to.of[xpuMemoryTypeDevice], sizeof back, xpuMemcpyDeviceToHost));
    if (shown(executes)) assert_int_equal(mark, back);
  }
}

static void a_queued_copy_from_malloc_has_read_its_source_on_return(void**) {
  const xpuStream_t s = new_stream();
  int value = 5, back = 0;

  assert_ok(
      xpuMemcpyAsync(to.of[xpuMemoryTypeDevice], &value, sizeof value, xpuMemcpyHostToDevice, s));
  value = 6;
  assert_ok(
      xpuMemcpyAsync(&back, to.of[xpuMemoryTypeDevice], sizeof back, xpuMemcpyDeviceToHost, s));

  if (shown(executes)) assert_int_equal(5, back);
  assert_ok(xpuStreamDestroy(s));
}

static void a_large_copy_arrives_whole(void**) {
  const size_t bytes = size_t{16} << 20;
  void *a = nullptr, *b = nullptr;
  unsigned char* host = static_cast<unsigned char*>(malloc(bytes));
  for (size_t i = 0; i < bytes; i++) host[i] = static_cast<unsigned char>(i * 7 + i / 997);
  assert_ok(xpuMalloc(&a, bytes));
  assert_ok(xpuMalloc(&b, bytes));

  assert_ok(xpuMemcpy(a, host, bytes, xpuMemcpyHostToDevice));
  assert_ok(xpuMemcpy(b, a, bytes, xpuMemcpyDeviceToDevice));
  memset(host, 0, bytes);
  assert_ok(xpuMemcpy(host, b, bytes, xpuMemcpyDeviceToHost));

  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++)
    wrong += host[i] != static_cast<unsigned char>(i * 7 + i / 997);
  if (shown(executes)) assert_int_equal(0, wrong);
  free(host);
  assert_ok(xpuFree(a));
  assert_ok(xpuFree(b));
}

static void an_extent_with_a_zero_copies_nothing(void**) {
  const Block b = {0, 4, 4, {0, 16, 4, 0, 0, 0}, {0, 16, 4, 0, 0, 0}};
  xpuMemcpy3DParms p = to_params(b, to.of[xpuMemoryTypeDevice], from.of[xpuMemoryTypeDevice]);
  assert_ok(xpuMemcpy3D(&p));
  p.extent = {16, 0, 4};
  assert_ok(xpuMemcpy3D(&p));
  p.extent = {16, 4, 0};
  assert_ok(xpuMemcpy3DAsync(&p, nullptr));
}

int main() {
  const Test tests[] = {
      xpu_test(every_form_between_all_memories_equals_plain_loops, results(executes)),
      xpu_test(every_queued_form_between_all_memories_equals_plain_loops, results(executes)),
      xpu_test(the_direction_is_read_from_the_addresses_in_any_case, results(executes)),
      xpu_test(a_queued_copy_from_malloc_has_read_its_source_on_return, results(executes)),
      xpu_test(a_large_copy_arrives_whole, results(executes)),
      xpu_test(an_extent_with_a_zero_copies_nothing),
  };
  return run_all(tests, open_all, close_all);
}
