// SPDX-License-Identifier: Apache-2.0
// The table of streams, and the stream that each thread works in.
#include "stream.h"

#include <array>
#include <atomic>
#include <mutex>

#include <c10/util/Exception.h>

#include <xpugraph/device.h>

#include "recording.h"
#include "status.h"
#include "work.h"

namespace xpugraph_torch {
namespace {

constexpr int in_turn = 32;
// 0 is the default stream, then come the ordinary ones, then the urgent ones.
constexpr int stream_count = 1 + 2 * in_turn;

struct DeviceStreams {
  std::array<std::atomic<xpuStream_t>, stream_count> made = {};
  std::atomic<unsigned> handed_out = 0;
};

std::array<DeviceStreams, most_devices>& table() {
  static auto* streams = new std::array<DeviceStreams, most_devices>;
  return *streams;
}

std::mutex making;
thread_local std::array<c10::StreamId, most_devices> current = {};

c10::Stream numbered(c10::DeviceIndex index, c10::StreamId id) {
  return c10::Stream(c10::Stream::UNSAFE, device(index), id);
}

}  // namespace

xpuStream_t native(c10::Stream stream) {
  c10::StreamId id = stream.id();
  TORCH_CHECK(stream.device_type() == device_type && id >= 0 && id < stream_count,
              "this is no stream of this backend: ", stream);
  std::atomic<xpuStream_t>& entry = table().at(stream.device_index()).made[id];
  if (xpuStream_t known = entry.load(std::memory_order_acquire)) return known;

  std::lock_guard lock(making);
  if (xpuStream_t known = entry.load()) return known;
  OnDevice there(stream.device_index());
  int least = 0, greatest = 0;
  check(xpuDeviceGetStreamPriorityRange(&least, &greatest));
  xpuStream_t made = nullptr;
  check(xpuStreamCreateWithPriority(&made, xpuStreamNonBlocking,
                                    id > in_turn ? greatest : (least + greatest) / 2));
  entry.store(made, std::memory_order_release);
  return made;
}

c10::Stream default_stream(c10::DeviceIndex index) { return numbered(index, 0); }

c10::Stream next_stream(c10::DeviceIndex index, bool urgent) {
  unsigned turn = table().at(index).handed_out++;
  return numbered(index, 1 + turn % in_turn + (urgent ? in_turn : 0));
}

c10::Stream current_stream(c10::DeviceIndex index) { return numbered(index, current.at(index)); }

c10::Stream current_stream() { return current_stream(current_device()); }

c10::Stream set_current_stream(c10::Stream stream) {
  native(stream);
  return numbered(stream.device_index(),
                  std::exchange(current.at(stream.device_index()), stream.id()));
}

void synchronize(c10::Stream stream) {
  TORCH_CHECK(!is_captured(stream),
              "cannot wait for a stream while it is captured: what was captured "
              "runs at replay. Move what waits (synchronize, .item(), .cpu(), printing) out of the "
              "capture");
  check(xpuStreamSynchronize(native(stream)));
  throw_failure();
}

bool is_idle(c10::Stream stream) {
  TORCH_CHECK(!is_captured(stream), "cannot ask whether a stream is finished while it is captured");
  xpuError_t answer = xpuStreamQuery(native(stream));
  if (answer == xpuErrorNotReady) return false;
  check(answer);
  throw_failure();
  return true;
}

void synchronize_device(c10::DeviceIndex index) {
  TORCH_CHECK(!any_recording(),
              "cannot wait for a device while a stream is captured: what was captured "
              "runs at replay. Call synchronize() before or after the capture");
  OnDevice there(index);
  check(xpuDeviceSynchronize());
  throw_failure();
}

}  // namespace xpugraph_torch
