// SPDX-License-Identifier: Apache-2.0
// struct_size: forgotten, too small, absurd, and of a program that is newer than the library.
#include "zoo.h"

using namespace xpu::test;

static char* device;  // 256 bytes
static xpuGraph_t graph;
static xpuGraphNode_t k, c, f, h;

static void host_nothing(void*) {}

static xpuKernelNodeParams kernel_params;
static xpuMemcpy3DParms copy_params;
static xpuMemsetParams fill_params;
static xpuHostNodeParams host_params;
static xpuModuleDesc module_desc;

static int open_all(void** state) {
  open_zoo(state);
  void* memory = nullptr;
  assert_ok(xpuMalloc(&memory, 256));
  device = static_cast<char*>(memory);
  graph = new_graph();
  kernel_params = node_params(zoo.kernel(), dim(1), dim(1), nullptr);
  copy_params = {sizeof copy_params,     xpuMemcpyDefault, {}, {device, 8, 8, 1}, {},
                 {device + 64, 8, 8, 1}, {8, 1, 1}};
  fill_params = {sizeof fill_params, 0, device, 8, 1, 1, 8, 1};
  host_params = {sizeof host_params, 0, host_nothing, nullptr};
  module_desc.struct_size = sizeof module_desc;
  module_desc.image = kernels_image().bytes;
  module_desc.imageSize = kernels_image().size;
  assert_ok(xpuGraphAddKernelNode(&k, graph, nullptr, 0, &kernel_params));
  assert_ok(xpuGraphAddMemcpyNode(&c, graph, nullptr, 0, &copy_params));
  assert_ok(xpuGraphAddMemsetNode(&f, graph, nullptr, 0, &fill_params));
  assert_ok(xpuGraphAddHostNode(&h, graph, nullptr, 0, &host_params));
  return 0;
}
static int close_all(void** state) {
  assert_ok(xpuGraphDestroy(graph));
  assert_ok(xpuFree(device));
  return close_zoo(state);
}

// The struct as a program passes it whose struct is larger than the library's.
template <class T>
struct Larger {
  T known;
  unsigned char unknown[24];
};

// Calls call(struct) for each size that is no size of T; the number of wrong answers.
template <class T, class Call>
int taken_with_wrong_size(const char* function, const char* argument, const T& good, Call call) {
  static const uint32_t sizes[] = {0, 1, 4, sizeof(T) - 1, 1u << 20, UINT32_MAX};
  int wrong = 0;
  for (uint32_t size : sizes) {
    T bad = good, before;
    bad.struct_size = size;
    memcpy(&before, &bad, sizeof bad);
    (void)xpuGetLastError();
    clear_outs();
    const Refusal row = {function, argument, "", nullptr, xpuErrorInvalidValue};
    const char* about = wrong_about(row, call(&bad));
    if (memcmp(&before, &bad, sizeof bad)) about = "the struct, which was written";
    if (about) print_error("%s with struct_size %u: wrong is %s\n", function, size, about);
    if (about) wrong++;
  }
  return wrong;
}
#define WRONG_SIZES(T, good, function, argument, ...)                     \
  assert_int_equal(0, taken_with_wrong_size<T>(#function, argument, good, \
                                               [](T* s) { return function(__VA_ARGS__); }))

static void a_struct_that_is_read_has_its_size(void**) {
  WRONG_SIZES(xpuKernelNodeParams, kernel_params, xpuGraphAddKernelNode, "pNodeParams", &outs.node,
              graph, nullptr, 0, s);
  WRONG_SIZES(xpuKernelNodeParams, kernel_params, xpuGraphKernelNodeSetParams, "pNodeParams", k, s);
  WRONG_SIZES(xpuMemcpy3DParms, copy_params, xpuGraphAddMemcpyNode, "pCopyParams", &outs.node,
              graph, nullptr, 0, s);
  WRONG_SIZES(xpuMemcpy3DParms, copy_params, xpuGraphMemcpyNodeSetParams, "pNodeParams", c, s);
  WRONG_SIZES(xpuMemcpy3DParms, copy_params, xpuMemcpy3D, "p", s);
  WRONG_SIZES(xpuMemcpy3DParms, copy_params, xpuMemcpy3DAsync, "p", s, zoo.stream());
  WRONG_SIZES(xpuMemsetParams, fill_params, xpuGraphAddMemsetNode, "pMemsetParams", &outs.node,
              graph, nullptr, 0, s);
  WRONG_SIZES(xpuMemsetParams, fill_params, xpuGraphMemsetNodeSetParams, "pNodeParams", f, s);
  WRONG_SIZES(xpuHostNodeParams, host_params, xpuGraphAddHostNode, "pNodeParams", &outs.node, graph,
              nullptr, 0, s);
  WRONG_SIZES(xpuHostNodeParams, host_params, xpuGraphHostNodeSetParams, "pNodeParams", h, s);
  WRONG_SIZES(xpuModuleDesc, module_desc, xpuModuleLoad, "desc", &outs.module, s);
  WRONG_SIZES(xpuNativeDesc, xpuNativeDesc{}, xpuInitFromNative, "desc", s);
}

static void a_struct_that_is_written_has_its_size(void**) {
  WRONG_SIZES(xpuDeviceProp, xpuDeviceProp{}, xpuGetDeviceProperties, "prop", s, 0);
  WRONG_SIZES(xpuPointerAttributes, xpuPointerAttributes{}, xpuPointerGetAttributes, "attributes",
              s, device);
  WRONG_SIZES(xpuKernelAttributes, xpuKernelAttributes{}, xpuKernelGetAttributes, "attr", s,
              zoo.kernel());
  WRONG_SIZES(xpuKernelNodeParams, kernel_params, xpuGraphKernelNodeGetParams, "pNodeParams", k, s);
  WRONG_SIZES(xpuMemcpy3DParms, copy_params, xpuGraphMemcpyNodeGetParams, "pNodeParams", c, s);
  WRONG_SIZES(xpuMemsetParams, fill_params, xpuGraphMemsetNodeGetParams, "pNodeParams", f, s);
  WRONG_SIZES(xpuHostNodeParams, host_params, xpuGraphHostNodeGetParams, "pNodeParams", h, s);
}

template <class T>
Larger<T> enlarged(const T& good) {
  Larger<T> large = {};
  large.known = good;
  large.known.struct_size = sizeof large;
  return large;
}

// A program that is newer, uses nothing new, and one that does.
#define NEWER(good, call)                                        \
  do {                                                           \
    auto large = enlarged(good);                                 \
    auto* s = &large.known;                                      \
    assert_ok(call);                                             \
    large.unknown[23] = 1;                                       \
    assert_code(call, xpuErrorInvalidValue);                     \
    assert_non_null(strstr(last_failure().sentence, "too old")); \
  } while (0)

static void a_newer_struct_is_read_if_it_asks_for_nothing_new(void**) {
  NEWER(kernel_params, xpuGraphKernelNodeSetParams(k, s));
  NEWER(copy_params, xpuGraphMemcpyNodeSetParams(c, s));
  NEWER(copy_params, xpuMemcpy3D(s));
  NEWER(copy_params, xpuMemcpy3DAsync(s, zoo.stream()));
  NEWER(fill_params, xpuGraphMemsetNodeSetParams(f, s));
  NEWER(host_params, xpuGraphHostNodeSetParams(h, s));
}

#define NEWER_OUT(T, call)                                      \
  do {                                                          \
    Larger<T> large;                                            \
    memset(&large, 0xa5, sizeof large);                         \
    T* s = &large.known;                                        \
    s->struct_size = sizeof large;                              \
    assert_ok(call);                                            \
    static const unsigned char zero[sizeof large.unknown] = {}; \
    assert_memory_equal(zero, large.unknown, sizeof zero);      \
    assert_int_equal(sizeof large, s->struct_size);             \
  } while (0)

static void what_a_newer_struct_has_more_is_set_to_zero(void**) {
  NEWER_OUT(xpuDeviceProp, xpuGetDeviceProperties(s, 0));
  NEWER_OUT(xpuPointerAttributes, xpuPointerGetAttributes(s, device));
  NEWER_OUT(xpuKernelAttributes, xpuKernelGetAttributes(s, zoo.kernel()));
  NEWER_OUT(xpuKernelNodeParams, xpuGraphKernelNodeGetParams(k, s));
  NEWER_OUT(xpuMemcpy3DParms, xpuGraphMemcpyNodeGetParams(c, s));
  NEWER_OUT(xpuMemsetParams, xpuGraphMemsetNodeGetParams(f, s));
  NEWER_OUT(xpuHostNodeParams, xpuGraphHostNodeGetParams(h, s));
  NEWER_OUT(xpuErrorInfo, xpuGetLastErrorInfo(s));
}

static void what_sizes_are_taken_is_told(void**) {
  static xpuMemsetParams huge;
  huge = fill_params;
  huge.struct_size = 5000;
  assert_code(xpuGraphMemsetNodeSetParams(f, &huge), xpuErrorInvalidValue);
  assert_non_null(strstr(last_failure().sentence, "is 5000, expected 48 to 4096"));
  (void)xpuGetLastError();
}

static xpuMemsetParams reserved_fill;
static xpuHostNodeParams reserved_host;

static void a_reserved_member_is_0(void**) {
  reserved_fill = fill_params;
  reserved_fill.reserved = 1;
  reserved_host = host_params;
  reserved_host.reserved = 1u << 31;
  static const Refusal rows[] = {
      REFUSED(xpuErrorInvalidValue, xpuGraphAddMemsetNode, "pMemsetParams", "has a reserved 1",
              &outs.node, graph, nullptr, 0, &reserved_fill),
      REFUSED(xpuErrorInvalidValue, xpuGraphMemsetNodeSetParams, "pNodeParams", "has a reserved 1",
              f, &reserved_fill),
      REFUSED(xpuErrorInvalidValue, xpuGraphAddHostNode, "pNodeParams", "has a reserved bit",
              &outs.node, graph, nullptr, 0, &reserved_host),
      REFUSED(xpuErrorInvalidValue, xpuGraphHostNodeSetParams, "pNodeParams", "has a reserved bit",
              h, &reserved_host),
  };
  assert_all_refused(rows);
}

int main() {
  const Test tests[] = {
      xpu_test(a_struct_that_is_read_has_its_size),
      xpu_test(a_struct_that_is_written_has_its_size),
      xpu_test(a_newer_struct_is_read_if_it_asks_for_nothing_new),
      xpu_test(what_a_newer_struct_has_more_is_set_to_zero),
      xpu_test(what_sizes_are_taken_is_told),
      xpu_test(a_reserved_member_is_0),
  };
  return run_all(tests, open_all, close_all);
}
