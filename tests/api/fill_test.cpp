// SPDX-License-Identifier: Apache-2.0
// Fills of bytes and rows, eager and as nodes with elements of 1, 2 and 4 bytes, against plain
// loops.
#include "block.h"

using namespace xpu::test;

static Buffers buffers;
static unsigned char expected[kBytes], got[kBytes];

static int open_all(void**) {
  buffers = make_buffers();
  return 0;
}
static int close_all(void**) {
  free_buffers(buffers);
  return 0;
}

struct Fill {
  size_t offset, pitch;
  uint32_t value, element;
  size_t width, height;  // elements, rows
};

static const Fill kFills[] = {
    {0, 0, 0xab, 1, 1, 1},         {1, 0, 0x1ff, 1, 4097, 1},
    {3, 17, 0x5a, 1, 13, 9},       {0, 64, 0, 1, 64, 8},
    {2, 0, 0x12345, 2, 1001, 1},   {4, 38, 0xbeef, 2, 17, 11},
    {0, 0, 0xdeadbeef, 4, 777, 1}, {8, 52, 0x01020304, 4, 11, 7},
    {0, 4, 0xffffffff, 4, 1, 32},  {12, 1028, 0x80000001, 4, 256, 4},
};

static void prepare(unsigned char* memory) {
  scramble(expected, 3);
  assert_ok(xpuMemcpy(memory, expected, kBytes, xpuMemcpyDefault));
}

static void reference(const Fill& f) {
  for (size_t row = 0; row < f.height; row++)
    for (size_t i = 0; i < f.width; i++)
      memcpy(expected + f.offset + row * f.pitch + i * f.element, &f.value, f.element);
}

static int differs(const unsigned char* memory) {
  assert_ok(xpuMemcpy(got, memory, kBytes, xpuMemcpyDefault));
  return memcmp(got, expected, kBytes) != 0;
}

// `how` fills what the row says; the number of rows and memories with a wrong result.
static int wrong_results(bool (*suits)(const Fill&), void (*how)(const Fill&, unsigned char*)) {
  static const int kinds[] = {xpuMemoryTypeHost, xpuMemoryTypeDevice, xpuMemoryTypeManaged};
  int wrong = 0;
  for (const Fill& f : kFills) {
    if (!suits(f)) continue;
    for (int kind : kinds) {
      prepare(buffers.of[kind]);
      how(f, buffers.of[kind] + f.offset);
      assert_ok(xpuDeviceSynchronize());
      reference(f);
      if (!shown(executes) || !differs(buffers.of[kind])) continue;
      print_error("%zu x %zu elements of %u bytes in memory of type %d: wrong bytes\n", f.width,
                  f.height, f.element, kind);
      wrong++;
    }
  }
  return wrong;
}

static bool is_run_of_bytes(const Fill& f) { return f.element == 1 && f.height == 1; }
static bool is_rows_of_bytes(const Fill& f) { return f.element == 1 && f.pitch >= f.width; }
static bool is_any(const Fill&) { return true; }

static void a_fill_sets_bytes(void**) {
  assert_int_equal(0, wrong_results(is_run_of_bytes, [](const Fill& f, unsigned char* at) {
                     assert_ok(xpuMemset(at, static_cast<int>(f.value), f.width));
                   }));
}

static void a_queued_fill_sets_bytes(void**) {
  assert_int_equal(
      0, wrong_results(is_run_of_bytes, [](const Fill& f, unsigned char* at) {
        assert_ok(xpuMemsetAsync(at, static_cast<int>(f.value), f.width, xpuStreamPerThread));
      }));
}

static void a_fill_sets_rows(void**) {
  assert_int_equal(
      0, wrong_results(is_rows_of_bytes, [](const Fill& f, unsigned char* at) {
        assert_ok(xpuMemset2D(at, f.pitch, static_cast<int>(f.value), f.width, f.height));
      }));
}

static void a_queued_fill_sets_rows(void**) {
  assert_int_equal(0, wrong_results(is_rows_of_bytes, [](const Fill& f, unsigned char* at) {
                     assert_ok(xpuMemset2DAsync(at, f.pitch, static_cast<int>(f.value), f.width,
                                                f.height, nullptr));
                   }));
}

static void a_fill_node_sets_elements(void**) {
  assert_int_equal(0, wrong_results(is_any, [](const Fill& f, unsigned char* at) {
                     const xpuGraph_t graph = new_graph();
                     const xpuMemsetParams p = {sizeof p, 0,         at,      f.pitch,
                                                f.value,  f.element, f.width, f.height};
                     xpuGraphNode_t node = nullptr;
                     assert_ok(xpuGraphAddMemsetNode(&node, graph, nullptr, 0, &p));
                     const xpuGraphExec_t exec = instantiate(graph);
                     assert_ok(xpuGraphLaunch(exec, nullptr));
                     assert_ok(xpuGraphExecDestroy(exec));
                     assert_ok(xpuGraphDestroy(graph));
                   }));
}

int main() {
  const Test tests[] = {
      xpu_test(a_fill_sets_bytes, results(executes)),
      xpu_test(a_queued_fill_sets_bytes, results(executes)),
      xpu_test(a_fill_sets_rows, results(executes)),
      xpu_test(a_queued_fill_sets_rows, results(executes)),
      xpu_test(a_fill_node_sets_elements, results(executes)),
  };
  return run_all(tests, open_all, close_all);
}
