// SPDX-License-Identifier: Apache-2.0
// The binary form of the public structs and enums, as release 0.1 fixed it.
//
// The numbers were worked out by hand from the widths of the members: a change that moves a member
// breaks programs that are already compiled, and must end up here as a new one at the end instead.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above before it.
#include <cmocka.h>

#include <xpugraph/xpugraph.h>

#define AT(type, member) ((int)offsetof(type, member))
#define SIZE(type) ((int)sizeof(type))

static void struct_size_comes_first(void** state) {
  (void)state;
  assert_int_equal(AT(xpuErrorInfo, struct_size), 0);
  assert_int_equal(AT(xpuDeviceProp, struct_size), 0);
  assert_int_equal(AT(xpuMemcpy3DParms, struct_size), 0);
  assert_int_equal(AT(xpuPointerAttributes, struct_size), 0);
  assert_int_equal(AT(xpuModuleDesc, struct_size), 0);
  assert_int_equal(AT(xpuKernelAttributes, struct_size), 0);
  assert_int_equal(AT(xpuKernelNodeParams, struct_size), 0);
  assert_int_equal(AT(xpuMemsetParams, struct_size), 0);
  assert_int_equal(AT(xpuHostNodeParams, struct_size), 0);
  assert_int_equal(AT(xpuNativeDesc, struct_size), 0);
  assert_int_equal(AT(xpuGraphNodeParams, struct_size), 0);
  assert_int_equal(AT(xpuGraphInstantiateParams, struct_size), 0);
  assert_int_equal(AT(xpuLaunchConfig_t, struct_size), 0);
  assert_int_equal(AT(xpuGraphNodeProfile, struct_size), 0);
  assert_int_equal(AT(xpuExternalSemaphoreHandleDesc, struct_size), 0);
  assert_int_equal(AT(xpuBatchMemOpNodeParams, struct_size), 0);
  assert_int_equal(AT(xpuExternalSemaphoreSignalNodeParams, struct_size), 0);
  assert_int_equal(AT(xpuExternalSemaphoreWaitNodeParams, struct_size), 0);
}

static void structs_that_may_grow_have_the_size_of_their_first_release(void** state) {
  (void)state;
  assert_int_equal(SIZE(xpuErrorInfo), 4 * 4 + 3 * 8);
  assert_int_equal(SIZE(xpuDeviceProp), 2 * 4 + 256 + 16 + 2 * 4 + 3 * 8 + (1 + 3 + 3 + 7) * 4);
  assert_int_equal(SIZE(xpuBatchMemOpNodeParams), 2 * 4 + 8 + 2 * 4);
  assert_int_equal(SIZE(xpuExternalSemaphoreHandleDesc), 2 * 4 + 2 * 8 + 2 * 4);
  assert_int_equal(SIZE(xpuExternalSemaphoreSignalNodeParams), 2 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuExternalSemaphoreWaitNodeParams), 2 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuMemcpy3DParms), 2 * 4 + 2 * (3 * 8 + 4 * 8) + 3 * 8);
  assert_int_equal(SIZE(xpuPointerAttributes), 4 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuModuleDesc), 2 * 4 + 5 * 8);
  assert_int_equal(SIZE(xpuKernelAttributes), 2 * 4 + 3 * 8 + 2 * 4 + 3 * 4 + 4);
  assert_int_equal(SIZE(xpuKernelNodeParams), 2 * 4 + 8 + 2 * 3 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuMemsetParams), 2 * 4 + 2 * 8 + 2 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuHostNodeParams), 2 * 4 + 2 * 8);
  assert_int_equal(SIZE(xpuNativeDesc), 2 * 4 + 4 * 8);
  assert_int_equal(SIZE(xpuGraphNodeParams), 4 * 4 + 29 * 8 + 8);
  assert_int_equal(SIZE(xpuGraphInstantiateParams), 2 * 4 + 3 * 8);
  assert_int_equal(SIZE(xpuLaunchConfig_t), 2 * 4 + 2 * 3 * 4 + 3 * 8);
  assert_int_equal(SIZE(xpuGraphNodeProfile), 6 * 4 + 3 * 8);
}

static void structs_that_never_grow_are_those_of_cuda(void** state) {
  (void)state;
  assert_int_equal(SIZE(xpuDim3), 12);
  assert_int_equal(SIZE(xpuGraphEdgeData), 8);
  assert_int_equal(AT(xpuGraphEdgeData, to_port), 1);
  assert_int_equal(AT(xpuGraphEdgeData, type), 2);
  assert_int_equal(SIZE(xpuPitchedPtr), 32);
  assert_int_equal(AT(xpuPitchedPtr, pitch), 8);
  assert_int_equal(AT(xpuPitchedPtr, xsize), 16);
  assert_int_equal(AT(xpuPitchedPtr, ysize), 24);
  assert_int_equal(SIZE(xpuExtent), 24);
  assert_int_equal(AT(xpuExtent, height), 8);
  assert_int_equal(SIZE(xpuPos), 24);
  assert_int_equal(SIZE(xpuLaunchAttributeValue), 64);
  assert_int_equal(SIZE(xpuLaunchAttribute), 72);
  assert_int_equal(AT(xpuLaunchAttribute, val), 8);
  assert_int_equal(AT(xpuAccessPolicyWindow, hitRatio), 16);
  assert_int_equal(AT(xpuAccessPolicyWindow, missProp), 24);
  assert_int_equal(AT(xpuPos, y), 8);
}

static void members_stay_where_compiled_programs_look_for_them(void** state) {
  (void)state;
  assert_int_equal(AT(xpuErrorInfo, code), 4);
  assert_int_equal(AT(xpuErrorInfo, nativeResult), 8);
  assert_int_equal(AT(xpuErrorInfo, function), 16);
  assert_int_equal(AT(xpuErrorInfo, sentence), 32);
  assert_int_equal(AT(xpuDeviceProp, name), 8);
  assert_int_equal(AT(xpuDeviceProp, uuid), 264);
  assert_int_equal(AT(xpuDeviceProp, totalGlobalMem), 288);
  assert_int_equal(AT(xpuDeviceProp, maxThreadsPerBlock), 312);
  assert_int_equal(AT(xpuDeviceProp, asyncEngineCount), 364);
  assert_int_equal(AT(xpuMemcpy3DParms, kind), 4);
  assert_int_equal(AT(xpuMemcpy3DParms, srcPtr), 32);
  assert_int_equal(AT(xpuMemcpy3DParms, dstPos), 64);
  assert_int_equal(AT(xpuMemcpy3DParms, extent), 120);
  assert_int_equal(AT(xpuPointerAttributes, device), 8);
  assert_int_equal(AT(xpuPointerAttributes, devicePointer), 16);
  assert_int_equal(AT(xpuModuleDesc, image), 8);
  assert_int_equal(AT(xpuModuleDesc, buildLogSize), 40);
  assert_int_equal(AT(xpuKernelAttributes, sharedSizeBytes), 8);
  assert_int_equal(AT(xpuKernelAttributes, requiredBlockDim), 40);
  assert_int_equal(AT(xpuKernelNodeParams, func), 8);
  assert_int_equal(AT(xpuKernelNodeParams, gridDim), 16);
  assert_int_equal(AT(xpuKernelNodeParams, blockDim), 28);
  assert_int_equal(AT(xpuKernelNodeParams, kernelParams), 40);
  assert_int_equal(AT(xpuMemsetParams, dst), 8);
  assert_int_equal(AT(xpuMemsetParams, value), 24);
  assert_int_equal(AT(xpuMemsetParams, height), 40);
  assert_int_equal(AT(xpuHostNodeParams, fn), 8);
  assert_int_equal(AT(xpuNativeDesc, driver), 8);
  assert_int_equal(AT(xpuGraphNodeProfile, parent), 12);
  assert_int_equal(AT(xpuGraphNodeProfile, name), 24);
  assert_int_equal(AT(xpuGraphNodeProfile, durationNs), 40);
  assert_int_equal(AT(xpuNativeDesc, driverPath), 32);
  assert_int_equal(AT(xpuGraphNodeParams, kernel), 16);
  assert_int_equal(AT(xpuGraphNodeParams, memcpy.copyParams), 32);
  assert_int_equal(AT(xpuGraphNodeParams, reserved2), 248);
  assert_int_equal(AT(xpuGraphInstantiateParams, errNode_out), 24);
  assert_int_equal(AT(xpuLaunchConfig_t, gridDim), 8);
  assert_int_equal(AT(xpuLaunchConfig_t, attrs), 48);
  assert_int_equal(AT(xpuConditionalNodeParams, type), 8);
  assert_int_equal(AT(xpuConditionalNodeParams, phGraph_out), 16);
}

static void enums_are_four_bytes(void** state) {
  (void)state;
  assert_int_equal(SIZE(xpuError_t), 4);
  assert_int_equal(SIZE(xpuMemcpyKind), 4);
  assert_int_equal(SIZE(xpuMemoryType), 4);
  assert_int_equal(SIZE(xpuModuleFormat), 4);
  assert_int_equal(SIZE(xpuDeviceType), 4);
  assert_int_equal(SIZE(xpuDeviceAttr), 4);
  assert_int_equal(SIZE(xpuGraphNodeType), 4);
  assert_int_equal(SIZE(xpuGraphChildGraphNodeOwnership), 4);
  assert_int_equal(SIZE(xpuLaunchAttributeID), 4);
  assert_int_equal(SIZE(xpuGraphInstantiateResult), 4);
  assert_int_equal(SIZE(xpuGraphConditionalNodeType), 4);
  assert_int_equal(SIZE(xpuStreamCaptureMode), 4);
  assert_int_equal(SIZE(xpuStreamCaptureStatus), 4);
}

static void the_special_streams_are_those_of_cuda(void** state) {
  (void)state;
  assert_int_equal((uintptr_t)xpuStreamLegacy, 1);
  assert_int_equal((uintptr_t)xpuStreamPerThread, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(struct_size_comes_first),
      cmocka_unit_test(structs_that_may_grow_have_the_size_of_their_first_release),
      cmocka_unit_test(structs_that_never_grow_are_those_of_cuda),
      cmocka_unit_test(members_stay_where_compiled_programs_look_for_them),
      cmocka_unit_test(enums_are_four_bytes),
      cmocka_unit_test(the_special_streams_are_those_of_cuda),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
