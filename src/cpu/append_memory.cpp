// SPDX-License-Identifier: Apache-2.0
// Copies, fills and memory hints.
#include "cpu/append.h"
#include "cpu/strict.h"

namespace xpu::cpu {

namespace {

ze_result_t append_copy(Append& append, void* target, const void* source, size_t size) {
  if (!append.ok()) return append.result();
  if (!target || !source) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  append.memory("the target", target, size).memory("the source", source, size);
  return append.commit(op::Copy{target, source, size});
}

ze_result_t append_fill(Append& append, void* target, const void* pattern, size_t pattern_size,
                        size_t size) {
  if (!append.ok()) return append.result();
  if (!target || !pattern) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (pattern_size == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  append.memory("the target", target, size);
  const auto* bytes = static_cast<const std::byte*>(pattern);
  return append.commit(
      op::Fill{static_cast<std::byte*>(target), size, {bytes, bytes + pattern_size}});
}

// Rows and slices of one side of a region copy.
struct Side {
  size_t start, pitch, slice;
};

// A pitch of 0 means rows without a gap, a slice pitch of 0 slices without one.
bool read_side(const ze_copy_region_t& region, uint32_t pitch, uint32_t slice, size_t height,
               size_t depth, Side* out) noexcept {
  out->pitch = pitch ? pitch : region.width;
  out->slice = slice ? slice : out->pitch * height;
  if (height > 1 && out->pitch < region.width) return false;
  if (depth > 1 && out->slice < out->pitch * height) return false;
  out->start = region.originZ * out->slice + region.originY * out->pitch + region.originX;
  return true;
}

}  // namespace

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void* target,
                                          const void* source, size_t size, ze_event_handle_t signal,
                                          uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_copy(append, target, source, size);
}

ze_result_t zeCommandListAppendMemoryCopyWithParameters(ze_command_list_handle_t list, void* target,
                                                        const void* source, size_t size,
                                                        const void* next, ze_event_handle_t signal,
                                                        uint32_t wait_count,
                                                        ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (next) append.refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return append_copy(append, target, source, size);
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t list, void* target,
                                                     ze_context_handle_t context,
                                                     const void* source, size_t size,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (append.ok() && !cast<Context>(context)) append.refuse(refused(context));
  return append_copy(append, target, source, size);
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t list, void* target, const ze_copy_region_t* target_region,
    uint32_t target_pitch, uint32_t target_slice, const void* source,
    const ze_copy_region_t* source_region, uint32_t source_pitch, uint32_t source_slice,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (!append.ok()) return append.result();
  if (!target || !target_region || !source || !source_region) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const ze_copy_region_t& to = *target_region;
  const ze_copy_region_t& from = *source_region;
  const size_t width = to.width;
  const size_t height = to.height ? to.height : 1;
  const size_t depth = to.depth ? to.depth : 1;
  Side in{}, out{};
  const bool same = from.width == to.width && (from.height ? from.height : 1) == height &&
                    (from.depth ? from.depth : 1) == depth;
  if (!same || !read_side(to, target_pitch, target_slice, height, depth, &out) ||
      !read_side(from, source_pitch, source_slice, height, depth, &in)) {
    return misuse(__func__, ZE_RESULT_ERROR_INVALID_SIZE,
                  "both regions must have one extent, and rows and slices must fit their pitches");
  }
  if (width == 0) return append.commit(op::Nothing{});
  op::CopyBox box{static_cast<std::byte*>(target) + out.start,
                  static_cast<const std::byte*>(source) + in.start,
                  width,
                  height,
                  depth,
                  out.pitch,
                  out.slice,
                  in.pitch,
                  in.slice};
  append
      .memory("the target", box.target, (depth - 1) * out.slice + (height - 1) * out.pitch + width)
      .memory("the source", box.source, (depth - 1) * in.slice + (height - 1) * in.pitch + width);
  return append.commit(box);
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void* target,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t signal, uint32_t wait_count,
                                          ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  return append_fill(append, target, pattern, pattern_size, size);
}

ze_result_t zeCommandListAppendMemoryFillWithParameters(ze_command_list_handle_t list, void* target,
                                                        const void* pattern, size_t pattern_size,
                                                        size_t size, const void* next,
                                                        ze_event_handle_t signal,
                                                        uint32_t wait_count,
                                                        ze_event_handle_t* waits) {
  Append append(__func__, list, signal, wait_count, waits);
  if (next) append.refuse(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return append_fill(append, target, pattern, pattern_size, size);
}

// Hints: there is nothing to move on a CPU, so nothing is appended.
ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t list, const void* pointer,
                                              size_t size) {
  Append append(__func__, list, nullptr, 0, nullptr);
  if (append.ok() && !pointer) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return append.memory("the range", pointer, size).result();
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t device,
                                         const void* pointer, size_t size,
                                         ze_memory_advice_t advice) {
  Append append(__func__, list, nullptr, 0, nullptr);
  if (!append.ok()) return append.result();
  if (!cast<Device>(device)) return refused(device);
  if (!pointer) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  // The newest advice, CLEAR_SYSTEM_MEMORY_PREFERRED_LOCATION, is 9.
  if (static_cast<uint32_t>(advice) > 9) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return append.memory("the range", pointer, size).result();
}

}  // namespace xpu::cpu
