// SPDX-License-Identifier: Apache-2.0
// A command list compiled to a small instruction stream.
//
// An instruction is a value: what to do, with operands copied at append; what to wait for; what to
// signal. Nothing in it points to a handle's object, so running it never depends on what the
// program destroyed since.
#pragma once

#include "spec/levelzero.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cpu/event.h"
#include "cpu/external_semaphore.h"
#include "cpu/kernel.h"
#include "cpu/schedule.h"

namespace xpu::cpu {

namespace op {

struct Nothing {};  // barriers, signals and waits: only ordering, waits and the signal count
struct Launch {
  KernelSnapshot kernel;
  Size3 count;
};
struct LaunchIndirect {
  std::vector<KernelSnapshot> kernels;
  const uint32_t* limit;  // how many of the kernels run, read at execution; nullptr: all
  const ze_group_count_t* counts;
};
struct Copy {
  void* target;
  const void* source;
  size_t size;
};
// A box of rows: byte strides, all known at append.
struct CopyBox {
  std::byte* target;
  const std::byte* source;
  size_t width, height, depth;
  size_t target_pitch, target_slice, source_pitch, source_slice;
};
struct Fill {
  std::byte* target;
  size_t size;
  std::vector<std::byte> pattern;
};
struct Reset {
  std::shared_ptr<EventState> event;
};
struct WriteClock {
  uint64_t* target;
};
struct WriteTicks {
  std::vector<std::shared_ptr<EventState>> events;
  std::vector<std::byte*> targets;
};
struct HostCall {
  ze_host_function_callback_t function;
  void* data;
};

// Signals run on the worker's thread, waits on one that may block.
struct SignalSemaphores {
  std::vector<SemaphorePoint> points;
};
struct WaitSemaphores {
  std::vector<SemaphorePoint> points;
};

// On a thread that may block, like a wait for a semaphore.
struct WaitValue {
  void* at;
  uint64_t value;
  uint32_t bytes;   // 4 or 8
  uint32_t action;  // ZE_WAIT_ON_MEMORY_*
};

}  // namespace op

using Operation = std::variant<op::Nothing, op::Launch, op::LaunchIndirect, op::Copy, op::CopyBox,
                               op::Fill, op::Reset, op::WriteClock, op::WriteTicks, op::HostCall,
                               op::SignalSemaphores, op::WaitSemaphores, op::WaitValue>;

struct Instruction {
  const char* function = "";  // that appended it, for reports
  Operation operation;
  Ordering ordering = kUnordered;  // in a list that is not in-order
  std::vector<Wait> waits;
  Signal signal;

  // Orders what is around it and does nothing else.
  bool is_only_a_barrier() const noexcept {
    return std::holds_alternative<op::Nothing>(operation) && ordering == kFullyOrdered &&
           waits.empty() && !signal;
  }
  bool ready() const noexcept {
    for (const Wait& w : waits) {
      if (!w.ready()) return false;
    }
    return true;
  }
};

// The content of a regular list. Runs share it, so it is not changed while one is in flight: a list
// that must change then (strict mode refuses that) goes on with a copy.
struct Code {
  bool in_order = false;
  // Each instruction comes after the one before, by what the list is or by barriers: there is
  // nothing to choose.
  bool chain = true;
  std::vector<Instruction> instructions;
  std::shared_ptr<Counter> counter;  // of an in-order list
  uint64_t marks = 0;                // counter values given out
  std::string name;                  // "list 0x…", for reports
  std::atomic<uint32_t> in_flight{0};

  Code() = default;
  Code(const Code& other)
      : in_order(other.in_order),
        chain(other.chain),
        instructions(other.instructions),
        counter(other.counter),
        marks(other.marks),
        name(other.name) {}

  void append(Instruction&& next);
  // Whether it was a barrier at the end of a chain: that says of the last instruction only that it
  // comes before all later ones, and need not be one more to execute.
  bool take_in(const Instruction& barrier) noexcept;
};

inline void Code::append(Instruction&& next) {
  if (!instructions.empty() && !in_order)
    chain =
        chain && ((instructions.back().ordering & kBeforeLater) || (next.ordering & kAfterEarlier));
  instructions.push_back(std::move(next));
}

inline bool Code::take_in(const Instruction& barrier) noexcept {
  if (!chain || instructions.empty() || !barrier.is_only_a_barrier()) return false;
  Ordering& last = instructions.back().ordering;
  last = static_cast<Ordering>(last | kBeforeLater);
  return true;
}

}  // namespace xpu::cpu
