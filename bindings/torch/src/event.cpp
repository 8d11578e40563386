// SPDX-License-Identifier: Apache-2.0
// Events in and out of captures. The library gives up a capture whose event is asked or waited for
// outside of it, so all of that is refused here before the library hears of it.
#include "event.h"

#include <c10/util/Exception.h>

#include "device.h"
#include "recording.h"
#include "status.h"
#include "stream.h"
#include "work.h"

namespace xpugraph_torch {

Event::Event(c10::DeviceIndex index, bool timing, bool external) : external_(external) {
  OnDevice there(index);
  check(xpuEventCreateWithFlags(&handle_, timing ? xpuEventDefault : xpuEventDisableTiming));
}

Event::~Event() { xpuEventDestroy(handle_); }

void Event::record(c10::Stream stream) {
  std::shared_ptr<Recording> recording = recording_of(stream);
  if (recording && external_) {
    // What it stands for stays what it was until a replay records it.
    check(xpuEventRecordWithFlags(handle_, native(stream), xpuEventRecordExternal));
  } else {
    check(xpuEventRecord(handle_, native(stream)));
    captured_in_ = std::move(recording);
  }
  recorded_ = true;
}

void Event::make_wait(c10::Stream stream) {
  std::shared_ptr<Recording> recording = recording_of(stream);
  if (recording && external_) {
    check(xpuStreamWaitEvent(native(stream), handle_, xpuEventWaitExternal));
    return;
  }
  if (!recorded_) return;
  if (captured_in_) {
    TORCH_CHECK(
        captured_in_->state() == Recording::State::under_way, stream,
        " cannot wait for an event that was recorded in a capture that has ended: what it stands "
        "for runs at replay. Record an event behind the replay instead");
    TORCH_CHECK(!recording || recording == captured_in_, stream,
                " cannot wait for an event of another capture: two captures cannot be joined");
  } else if (recording) {
    TORCH_CHECK(
        is_over(), "a captured ", stream,
        " would wait for an event that was recorded outside of "
        "the capture and is not finished: synchronize before the capture begins, record the event "
        "in the capture, or use an event with external=True");
    return;
  }
  check(xpuStreamWaitEvent(native(stream), handle_, xpuEventWaitDefault));
}

void Event::need_eager(const char* wish) const {
  TORCH_CHECK(!captured_in_, "cannot ", wish,
              " an event that was recorded in a capture: what it stands "
              "for runs at replay");
}

bool Event::is_over() {
  if (!recorded_) return true;
  need_eager("ask about");
  xpuError_t answer = xpuEventQuery(handle_);
  if (answer == xpuErrorNotReady) return false;
  check(answer);
  return true;
}

void Event::synchronize() {
  if (!recorded_) return;
  need_eager("wait for");
  check(xpuEventSynchronize(handle_));
  throw_failure();
}

float Event::milliseconds_until(Event& later) {
  need_eager("measure from");
  later.need_eager("measure to");
  float elapsed = 0;
  check(xpuEventElapsedTime(&elapsed, handle_, later.handle_));
  return elapsed;
}

}  // namespace xpugraph_torch
