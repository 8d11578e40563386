// SPDX-License-Identifier: Apache-2.0
// The captures under way, by the library's number.
#include "recording.h"

#include <map>

#include <c10/util/Exception.h>

#include <xpugraph/capture.h>

#include "allocator.h"
#include "status.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

struct UnderWay {
  std::mutex mutex;
  std::map<unsigned long long, std::shared_ptr<Recording>> by_id;
  std::atomic<size_t> count = 0;
};

UnderWay& under_way() {
  static auto* all = new UnderWay;
  return *all;
}

/// The node that what is captured next in the stream comes behind, if it is one.
xpuGraphNode_t only_dependency(c10::Stream stream) {
  xpuStreamCaptureStatus status = xpuStreamCaptureStatusNone;
  const xpuGraphNode_t* nodes = nullptr;
  const xpuGraphEdgeData* edges = nullptr;
  size_t count = 0;
  check(xpuStreamGetCaptureInfo(native(stream), &status, nullptr, nullptr, &nodes, &edges, &count));
  return count == 1 ? nodes[0] : nullptr;
}

}  // namespace

void Recording::keep(std::unique_ptr<WorkSequence> sequence, c10::Stream stream) {
  std::lock_guard lock(mutex_);
  if (xpuGraphNode_t node = only_dependency(stream)) sequences_[node] = sequence.get();
  kept->work.push_back(std::move(sequence));
}

bool Recording::add_behind(std::unique_ptr<Work>& work, c10::Stream stream) {
  std::lock_guard lock(mutex_);
  auto last = sequences_.find(only_dependency(stream));
  if (last == sequences_.end()) return false;
  last->second->add(std::move(work));
  return true;
}

void Recording::keep(c10::DataPtr pinned) {
  std::lock_guard lock(mutex_);
  kept->pinned.push_back(std::move(pinned));
}

void Recording::keep(const c10::Storage& storage) {
  std::lock_guard lock(mutex_);
  used_.try_emplace(storage.unsafeGetStorageImpl(), storage);
}

std::vector<c10::Storage> Recording::used() {
  std::vector<c10::Storage> used;
  std::lock_guard lock(mutex_);
  for (const auto& entry : used_) used.push_back(entry.second);
  return used;
}

void Recording::let_go(std::optional<c10::Stream> last_replay) {
  decltype(used_) dropped;  // outside of the lock: other blocks of this capture may go with it
  {
    std::lock_guard lock(mutex_);
    dropped.swap(used_);
  }
  if (!last_replay) return;
  for (const auto& entry : dropped) {
    DeviceMemory::instance().recordStream(entry.second.data_ptr(), *last_replay);
  }
}

PhiloxDraw Recording::draw(const c10::intrusive_ptr<PhiloxState>& state, uint64_t increment) {
  std::lock_guard lock(mutex_);
  for (PhiloxUse& use : kept->philox) {
    if (use.state == state) return use.draw(increment);
  }
  return kept->philox.emplace_back(state).draw(increment);
}

void Recording::begin() {
  std::lock_guard lock(under_way().mutex);
  under_way().by_id[id] = shared_from_this();
  ++under_way().count;
}

void Recording::end(State state) {
  {
    std::lock_guard lock(under_way().mutex);
    under_way().by_id.erase(id);
    --under_way().count;
  }
  std::lock_guard lock(mutex_);
  state_.store(state, std::memory_order_release);
}

bool any_recording() { return under_way().count.load(std::memory_order_acquire) > 0; }

bool is_captured(c10::Stream stream) {
  if (!any_recording()) return false;
  xpuStreamCaptureStatus status = xpuStreamCaptureStatusNone;
  check(xpuStreamIsCapturing(native(stream), &status));
  return status != xpuStreamCaptureStatusNone;
}

std::shared_ptr<Recording> recording_of(c10::Stream stream) {
  if (!any_recording()) return nullptr;
  xpuStreamCaptureStatus status = xpuStreamCaptureStatusNone;
  unsigned long long id = 0;
  check(xpuStreamGetCaptureInfo(native(stream), &status, &id, nullptr, nullptr, nullptr, nullptr));
  if (status == xpuStreamCaptureStatusNone) return nullptr;
  TORCH_CHECK(status == xpuStreamCaptureStatusActive,
              "the capture of this stream is invalid, because "
              "something was called that cannot be captured; all that is left is to end it");
  std::lock_guard lock(under_way().mutex);
  auto found = under_way().by_id.find(id);
  TORCH_CHECK(found != under_way().by_id.end(),
              "this stream is captured by other means than a graph of "
              "this package: use torch.xpuref.graph() or torch.accelerator.Graph");
  return found->second;
}

}  // namespace xpugraph_torch
