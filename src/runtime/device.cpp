// SPDX-License-Identifier: Apache-2.0
// A device's streams: default ones, created ones, and those whose work outlives them.
#include "runtime/device.h"

#include <algorithm>

#include "base/afterwards.h"
#include "base/log.h"
#include "runtime/memory.h"
#include "ze/address_range.h"
#include "ze/list.h"

namespace xpu::runtime {
namespace {

std::atomic<uint64_t> next_serial{1};

// A thread that is ending may call once more, from a destructor that runs after its streams are
// gone; so may one that runs static destructors.
thread_local constinit bool thread_streams_gone = false;

// What a thread knows of its default streams.
struct ThreadStreams {
  struct Entry {
    uint64_t device;
    std::weak_ptr<Stream> stream;
  };
  // Gone with the thread, and so the devices see that it is.
  std::shared_ptr<const void> token = std::make_shared<int>(0);
  std::vector<Entry> entries;
  ~ThreadStreams() { thread_streams_gone = true; }
};
thread_local ThreadStreams thread_streams;

}  // namespace

Device::Device(int index, std::unique_ptr<ze::Device> device, Memory& memory)
    : index_(index),
      serial_(next_serial.fetch_add(1, std::memory_order_relaxed)),
      ze_(std::move(device)),
      memory_(memory),
      marks_(std::make_shared<Marks>(*ze_)),
      lanes_(*ze_, *marks_),
      default_order_(*this) {}

Result<std::unique_ptr<Device>> Device::make(int index, const ze::Driver& driver,
                                             ze_device_handle_t handle, Memory& memory) {
  XPU_TRY_ASSIGN(std::unique_ptr<ze::Device> probed, ze::Device::probe(driver, handle));
  std::unique_ptr<Device> device(new Device(index, std::move(probed), memory));
  XPU_TRY(device->read_properties());
  XPU_TRY(device->read_limits());
  XPU_TRY(device->read_memory());
  memory.add_device(*device);
  return device;
}

// Only in tests: the runtime's devices are never destroyed. Streams must go while the order and the
// marks they refer to are there.
Device::~Device() {
  (void)synchronize();
  retired_.clear();
  thread_streams_.clear();
  legacy_.reset();
}

Result<ze::List> Device::new_list(int priority) {
  // Streams go round the engines, so that independent ones run at the same time.
  const ze::Engines& engines = ze_->engines();
  ze::List::Immediate what;
  what.ordinal = engines.compute_ordinal;
  what.index = next_queue_.fetch_add(1, std::memory_order_relaxed) % engines.compute_queues;
  what.priority =
      priority < 0 ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH : ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
  return ze::List::immediate(*ze_, what);
}

Result<Stream*> Device::legacy_stream() {
  if (Stream* made = legacy_made_.load(std::memory_order_acquire)) [[likely]]
    return made;
  XPU_TRY_ASSIGN(ze::List list, new_list(0));
  XPU_TRY_ASSIGN(std::shared_ptr<Stream> stream,
                 Stream::make(*this, Stream::Kind::legacy, std::move(list), xpuStreamDefault, 0));
  std::lock_guard hold(lock_);
  // Of two threads that made one, the second's goes unused.
  if (!legacy_) {
    legacy_ = std::move(stream);
    legacy_made_.store(legacy_.get(), std::memory_order_release);
  }
  return legacy_.get();
}

Result<Stream*> Device::per_thread_stream() {
  if (thread_streams_gone)
    return Status::error(xpuErrorIllegalState,
                         "the thread is ending, and its default stream is gone; use another stream",
                         "stream");
  for (const ThreadStreams::Entry& entry : thread_streams.entries) {
    if (entry.device == serial_) return entry.stream.lock().get();
  }
  XPU_TRY_ASSIGN(ze::List list, new_list(0));
  XPU_TRY_ASSIGN(
      std::shared_ptr<Stream> stream,
      Stream::make(*this, Stream::Kind::per_thread, std::move(list), xpuStreamDefault, 0));
  Stream* raw = stream.get();
  thread_streams.entries.push_back({serial_, stream});
  {
    std::lock_guard hold(lock_);
    thread_streams_.push_back({thread_streams.token, std::move(stream)});
  }
  reap();
  return raw;
}

bool Device::can_map() noexcept {
  std::call_once(map_tried_, [this] { can_map_ = ze::can_map(*ze_); });
  return can_map_;
}

Result<bool> Device::can_reach(const Device& other) const {
  ze_bool_t can = 0;
  ZE_TRY(ze_->table(), DeviceCanAccessPeer, ze_->handle(), other.ze().handle(), &can);
  return can != 0;
}

bool Device::can_wait_for_64_bits() noexcept {
  std::call_once(wait_tried_, [this] { can_wait_for_64_bits_ = ze::can_wait_for_64_bits(*ze_); });
  return can_wait_for_64_bits_;
}

void Device::enter(const std::shared_ptr<Stream>& stream) {
  {
    std::lock_guard hold(lock_);
    std::erase_if(streams_, [](const std::weak_ptr<Stream>& s) { return s.expired(); });
    streams_.push_back(stream);
  }
  reap();
}

bool Device::is_over(Stream& stream) noexcept {
  return stream.queue().query().ok() && default_order_.release(stream);
}

void Device::retire(std::shared_ptr<Stream> stream) noexcept {
  if (!stream) return;
  if (!is_over(*stream)) {
    std::lock_guard hold(lock_);
    retired_.push_back(std::move(stream));
  }
  stream.reset();
  reap();
}

// Asking a queue takes its lock, which may be held by a thread that wants ours.
void Device::reap() noexcept {
  marks_->sweep();
  std::vector<std::shared_ptr<Stream>> old;
  {
    std::lock_guard hold(lock_);
    std::erase_if(thread_streams_, [&](ThreadStream& mine) {
      if (!mine.token.expired()) return false;
      retired_.push_back(std::move(mine.stream));
      return true;
    });
    if (retired_.empty()) return;
    old.swap(retired_);
  }
  std::erase_if(old, [&](const std::shared_ptr<Stream>& stream) { return is_over(*stream); });
  std::lock_guard hold(lock_);
  retired_.insert(retired_.end(), old.begin(), old.end());
}

void Device::keep_while_running(std::shared_ptr<const void> thing) noexcept {
  const std::weak_ptr<const void> watch = thing;
  marks_->hold(std::move(thing));
  if (watch.expired()) return;
  try {
    afterwards::until([watch, weak = marks_->weak_from_this()] {
      if (const std::shared_ptr<Marks> marks = weak.lock()) marks->sweep();
      return watch.expired();
    });
  } catch (const std::bad_alloc&) {
    XPU_LOG(warn, "no memory to watch what still runs: it is let go at a later call");
  }
}

std::vector<std::shared_ptr<Stream>> Device::streams() const {
  std::vector<std::shared_ptr<Stream>> live;
  std::lock_guard hold(lock_);
  live.reserve(streams_.size());
  for (const std::weak_ptr<Stream>& weak : streams_) {
    if (std::shared_ptr<Stream> stream = weak.lock()) live.push_back(std::move(stream));
  }
  return live;
}

Status Device::synchronize() {
  Status first;
  for (const std::shared_ptr<Stream>& stream : streams()) {
    Status status = stream->synchronize();
    if (first.ok()) first = std::move(status);
  }
  Status lanes = lanes_.synchronize();
  if (first.ok()) first = std::move(lanes);
  reap();
  return first;
}

}  // namespace xpu::runtime
