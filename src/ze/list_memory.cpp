// SPDX-License-Identifier: Apache-2.0
// Copies and fills of any shape, as few driver commands as the shape allows.
#include <cstring>
#include <limits>

#include "ze/list.h"

namespace xpu::ze {
namespace {

constexpr size_t kMost = std::numeric_limits<uint32_t>::max();  // what a region's fields hold

std::byte* at(void* base, size_t offset) noexcept { return static_cast<std::byte*>(base) + offset; }
const std::byte* at(const void* base, size_t offset) noexcept {
  return static_cast<const std::byte*>(base) + offset;
}

// The same copy with rows, and then slices, that lie end to end joined.
Copy joined(Copy c) noexcept {
  if (c.height > 1 && c.dst_pitch == c.width && c.src_pitch == c.width) {
    const bool slices = c.depth > 1;
    const size_t slice = c.width * c.height;
    if (!slices || (c.dst_slice == slice && c.src_slice == slice)) {
      c.width = slice * c.depth;
      c.height = c.depth = 1;
      return c;
    }
    c.width = slice;
    c.height = 1;
  }
  // Slices of one row are rows.
  if (c.depth > 1 && c.height == 1) {
    c.dst_pitch = c.dst_slice;
    c.src_pitch = c.src_slice;
    c.height = c.depth;
    c.depth = 1;
  }
  return c;
}

// Calls part(copy) for pieces that one command each can do: a run of bytes or a region.
template <class Part>
Status each_part(const Copy& c, Part&& part) {
  const bool rows_fit =
      c.width <= kMost && c.height <= kMost && c.dst_pitch <= kMost && c.src_pitch <= kMost;
  if (c.height == 1 && c.depth == 1) return part(c);
  if (rows_fit && c.depth == 1) return part(c);
  if (rows_fit && c.depth <= kMost && c.dst_slice <= kMost && c.src_slice <= kMost) return part(c);
  for (size_t z = 0; z < c.depth; z++) {
    Copy slice = c;
    slice.dst = at(c.dst, z * c.dst_slice);
    slice.src = at(c.src, z * c.src_slice);
    slice.depth = 1;
    if (rows_fit) {
      XPU_TRY(part(slice));
      continue;
    }
    for (size_t y = 0; y < c.height; y++) {
      Copy row = slice;
      row.dst = at(slice.dst, y * c.dst_pitch);
      row.src = at(slice.src, y * c.src_pitch);
      row.height = 1;
      XPU_TRY(part(row));
    }
  }
  return Status();
}

size_t parts_of(const Copy& whole) noexcept {
  size_t parts = 0;
  (void)each_part(whole, [&](const Copy&) {
    parts++;
    return Status();
  });
  return parts;
}

Status append_part(const Table& table, ze_command_list_handle_t list, const Copy& c,
                   const Sync& sync) {
  const auto waits = static_cast<uint32_t>(sync.waits.size());
  auto* events = waits ? const_cast<ze_event_handle_t*>(sync.waits.data()) : nullptr;
  if (c.height == 1 && c.depth == 1)
    return ZE_CALL(table, CommandListAppendMemoryCopy, list, c.dst, c.src, c.width, sync.signal,
                   waits, events);
  const ze_copy_region_t region = {0,
                                   0,
                                   0,
                                   static_cast<uint32_t>(c.width),
                                   static_cast<uint32_t>(c.height),
                                   static_cast<uint32_t>(c.depth)};
  const bool slices = c.depth > 1;
  return ZE_CALL(table, CommandListAppendMemoryCopyRegion, list, c.dst, &region,
                 static_cast<uint32_t>(c.dst_pitch),
                 slices ? static_cast<uint32_t>(c.dst_slice) : 0, c.src, &region,
                 static_cast<uint32_t>(c.src_pitch),
                 slices ? static_cast<uint32_t>(c.src_slice) : 0, sync.signal, waits, events);
}

// A pattern as short as it can be: a copy engine may take one byte only.
struct Pattern {
  unsigned char bytes[4];
  size_t size;
};

Pattern pattern_of(const Fill& fill) noexcept {
  Pattern p = {{}, fill.element_size};
  std::memcpy(p.bytes, &fill.value, sizeof p.bytes);  // little-endian hosts only, as Level Zero
  while (p.size > 1 && !std::memcmp(p.bytes, p.bytes + p.size / 2, p.size / 2)) p.size /= 2;
  return p;
}

bool in_one_run(const Fill& fill) noexcept {
  return fill.height <= 1 || fill.pitch == fill.width * fill.element_size;
}

}  // namespace

bool List::is_one_command(const Copy& copy) noexcept { return parts_of(joined(copy)) <= 1; }
bool List::is_one_command(const Fill& fill) noexcept { return in_one_run(fill); }

Status List::copy(const Copy& wanted, const Sync& sync) {
  if (!wanted.width || !wanted.height || !wanted.depth) return barrier(sync);
  const Copy whole = joined(wanted);
  const Table& table = device_->table();
  if (parts_of(whole) == 1) {
    XPU_TRY(before());
    return append_part(table, handle_, whole, sync);
  }
  Status status = each_part(whole, [&](const Copy& part) -> Status {
    XPU_TRY(before());
    return append_part(table, handle_, part, {nullptr, sync.waits});
  });
  return status.ok() && sync.signal ? signal(sync.signal) : std::move(status);
}

Status List::fill(const Fill& wanted, const Sync& sync) {
  const size_t width = wanted.width * wanted.element_size;
  if (!width || !wanted.height) return barrier(sync);
  const Pattern pattern = pattern_of(wanted);
  const auto waits = static_cast<uint32_t>(sync.waits.size());
  auto* events = waits ? const_cast<ze_event_handle_t*>(sync.waits.data()) : nullptr;
  auto run = [&](size_t row, size_t bytes, ze_event_handle_t signal) -> Status {
    XPU_TRY(before());
    return ZE_CALL(device_->table(), CommandListAppendMemoryFill, handle_,
                   at(wanted.dst, row * wanted.pitch), pattern.bytes, pattern.size, bytes, signal,
                   waits, events);
  };
  if (in_one_run(wanted)) return run(0, width * wanted.height, sync.signal);

  // Few rows, or rows too long for a region: one command for each.
  constexpr size_t few = 4;
  if (wanted.height <= few || width > kMost || wanted.pitch > kMost || wanted.height > kMost) {
    for (size_t row = 0; row < wanted.height; row++) XPU_TRY(run(row, width, nullptr));
    return sync.signal ? signal(sync.signal) : Status();
  }
  // One row, then the rows there are copied behind themselves until all are: 1 + log2(height)
  // commands.
  XPU_TRY(run(0, width, nullptr));
  for (size_t done = 1; done < wanted.height;) {
    const size_t more = done < wanted.height - done ? done : wanted.height - done;
    if (!ordered_) XPU_TRY(barrier());
    XPU_TRY(copy({.dst = at(wanted.dst, done * wanted.pitch),
                  .src = wanted.dst,
                  .width = width,
                  .height = more,
                  .dst_pitch = wanted.pitch,
                  .src_pitch = wanted.pitch}));
    done += more;
  }
  return sync.signal ? signal(sync.signal) : Status();
}

}  // namespace xpu::ze
