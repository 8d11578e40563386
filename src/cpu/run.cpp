// SPDX-License-Identifier: Apache-2.0
// What each instruction does.
#include "cpu/run.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/log.h"
#include "cpu/clock.h"
#include "cpu/memory.h"
#include "cpu/strict.h"
#include "cpu/worker.h"

namespace xpu::cpu {

namespace {

// A queue that never drains lets the engine's own list grow without bound; 1,024 kernels (about 3
// ms of enqueueing) between drains cost nothing that can be measured.
constexpr uint32_t kLongestStreak = 1024;

// Whether a host access may go ahead. Touching it anyway would end the process, so it is refused in
// either mode; strict mode says why.
bool usable(const char* function, const char* what, const void* pointer, size_t size) {
  std::string sentence;
  const Memory::State state = Memory::check(pointer, size, &sentence);
  if (state == Memory::State::usable || state == Memory::State::foreign) return true;
  (void)misuse(function, ZE_RESULT_ERROR_DEVICE_LOST, "at execution, ", what, ": ", sentence);
  return false;
}

void copy_box(const op::CopyBox& box) noexcept {
  for (size_t z = 0; z < box.depth; ++z) {
    for (size_t y = 0; y < box.height; ++y) {
      std::memmove(box.target + z * box.target_slice + y * box.target_pitch,
                   box.source + z * box.source_slice + y * box.source_pitch, box.width);
    }
  }
}

// From the first byte to the last of a box.
size_t extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) noexcept {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

void fill(std::byte* target, size_t size, const std::vector<std::byte>& pattern) noexcept {
  const size_t n = pattern.size();
  if (n == 1) {
    std::memset(target, static_cast<int>(pattern[0]), size);
    return;
  }
  // Doubles what is already there: log2(size / n) calls instead of size / n.
  size_t filled = std::min(n, size);
  std::memcpy(target, pattern.data(), filled);
  while (filled < size) {
    const size_t more = std::min(filled, size - filled);
    std::memcpy(target + filled, target, more);
    filled += more;
  }
}

bool arguments_usable(const char* function, const KernelSnapshot& kernel) {
  bool good = true;
  const std::vector<Parameter>& parameters = kernel.code->signature.parameters();
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const void* pointer = kernel.pointer(i);
    if (!pointer) continue;
    const std::string what =
        "argument " + std::to_string(i) + " of kernel " + kernel.code->signature.name();
    good = usable(function, what.c_str(), pointer, 0) && good;
  }
  return good;
}

ze_result_t reset(const char* function, EventState& event, uint64_t submission) {
  uint32_t waits = 0;
  if (strict()) {
    event.leave_use();
    waits = event.signalled() ? event.waits_before(submission) : 0;
  }
  event.reset();
  if (waits == 0) return ZE_RESULT_SUCCESS;
  return misuse(function, ZE_RESULT_ERROR_UNKNOWN, "at execution, ", event.describe(),
                " is reset while ", waits, " earlier commands in flight still wait for it");
}

}  // namespace

ze_result_t Runner::drain() {
  if (enqueued_ == 0) return ZE_RESULT_SUCCESS;
  enqueued_ = 0;
  const Status status = queue_->finish();
  if (status.ok()) return ZE_RESULT_SUCCESS;
  XPU_LOG(error, "ze_cpu: a kernel failed: %s", status.sentence().c_str());
  return loss_ = ZE_RESULT_ERROR_DEVICE_LOST;
}

ze_result_t Runner::launch(const char* function, const KernelSnapshot& kernel, const Size3& count) {
  // No groups is how a program skips an indirect launch.
  if (count[0] == 0 || count[1] == 0 || count[2] == 0) return ZE_RESULT_SUCCESS;
  if (strict() && !arguments_usable(function, kernel)) return ZE_RESULT_ERROR_DEVICE_LOST;
  if (!queue_) {
    Result<Engine*> made = engine();
    if (!made.ok()) return ZE_RESULT_ERROR_DEVICE_LOST;
    Result<std::unique_ptr<EngineQueue>> queue = made.value()->queue();
    if (!queue.ok()) return ZE_RESULT_ERROR_DEVICE_LOST;
    queue_ = queue.take();
    Workers::outlived_by_engine();
  }
  const Status status = queue_->enqueue(kernel.work(count));
  if (!status.ok()) {
    XPU_LOG(error, "ze_cpu: kernel %s could not be enqueued: %s",
            kernel.code->signature.name().c_str(), status.sentence().c_str());
    return ZE_RESULT_ERROR_DEVICE_LOST;
  }
  return ++enqueued_ < kLongestStreak ? ZE_RESULT_SUCCESS : drain();
}

ze_result_t Runner::act(const char* function, const Operation& operation, uint64_t submission) {
  if (const auto* one = std::get_if<op::Launch>(&operation)) {
    return launch(function, one->kernel, one->count);
  }
  if (std::holds_alternative<op::Nothing>(operation)) return ZE_RESULT_SUCCESS;
  const ze_result_t drained = drain();
  if (drained != ZE_RESULT_SUCCESS) return drained;
  const ze_result_t lost = ZE_RESULT_ERROR_DEVICE_LOST;
  if (const auto* many = std::get_if<op::LaunchIndirect>(&operation)) {
    size_t n = many->kernels.size();
    if (many->limit) {
      if (!usable(function, "the kernel count", many->limit, sizeof *many->limit)) return lost;
      n = std::min<size_t>(n, *many->limit);
    }
    if (!usable(function, "the group counts", many->counts, n * sizeof *many->counts)) return lost;
    for (size_t i = 0; i < n; ++i) {
      const ze_group_count_t& c = many->counts[i];
      const ze_result_t result =
          launch(function, many->kernels[i], {c.groupCountX, c.groupCountY, c.groupCountZ});
      if (result != ZE_RESULT_SUCCESS) return result;
    }
  } else if (const auto* copy = std::get_if<op::Copy>(&operation)) {
    if (!usable(function, "the target", copy->target, copy->size)) return lost;
    if (!usable(function, "the source", copy->source, copy->size)) return lost;
    std::memmove(copy->target, copy->source, copy->size);
  } else if (const auto* box = std::get_if<op::CopyBox>(&operation)) {
    if (!usable(
            function, "the target", box->target,
            extent(box->width, box->height, box->depth, box->target_pitch, box->target_slice))) {
      return lost;
    }
    if (!usable(
            function, "the source", box->source,
            extent(box->width, box->height, box->depth, box->source_pitch, box->source_slice))) {
      return lost;
    }
    copy_box(*box);
  } else if (const auto* f = std::get_if<op::Fill>(&operation)) {
    if (!usable(function, "the target", f->target, f->size)) return lost;
    fill(f->target, f->size, f->pattern);
  } else if (const auto* r = std::get_if<op::Reset>(&operation)) {
    return reset(function, *r->event, submission);
  } else if (const auto* signals = std::get_if<op::SignalSemaphores>(&operation)) {
    for (const SemaphorePoint& point : signals->points) point.counter->signal(point.value);
  } else if (const auto* clock = std::get_if<op::WriteClock>(&operation)) {
    if (!usable(function, "the target", clock->target, sizeof *clock->target)) return lost;
    *clock->target = clock_now();
  } else if (const auto* write = std::get_if<op::WriteTicks>(&operation)) {
    for (size_t i = 0; i < write->events.size(); ++i) {
      const Ticks t = write->events[i]->ticks();
      const ze_kernel_timestamp_result_t value = {{t.start, t.end}, {t.start, t.end}};
      if (!usable(function, "the target", write->targets[i], sizeof value)) return lost;
      std::memcpy(write->targets[i], &value, sizeof value);
    }
  }
  return ZE_RESULT_SUCCESS;
}

Runner::Outcome Runner::run(const Instruction& instruction, uint64_t submission) {
  Outcome out{ZE_RESULT_SUCCESS, {}};
  auto note = [&out](ze_result_t result) {
    if (out.result == ZE_RESULT_SUCCESS) out.result = result;
  };
  const bool timed = instruction.signal && instruction.signal.event->has_ticks();
  if (timed) {
    // A duration must not contain the kernels before it.
    note(drain());
    out.ticks.start = clock_now();
  }
  note(act(instruction.function, instruction.operation, submission));
  if (instruction.signal) note(drain());
  if (timed) out.ticks.end = clock_now();
  return out;
}

}  // namespace xpu::cpu
