// SPDX-License-Identifier: Apache-2.0
// Closed lists on an immediate list for drivers that cannot append them: through a queue of the
// same engine, tied to the immediate list with events.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "ze/own.h"

namespace xpu::ze {

class Device;
class List;

// The immediate list signals `start` after its earlier work; the queue executes a list that waits
// for it, the caller's lists, and one that signals `end`; the immediate list waits for `end` before
// its later work. The queue's part is submitted before that wait, so on a shared engine the wait
// never blocks what it waits for. Used under the immediate list's lock.
class Bridge {
 public:
  Bridge(Device& device, uint32_t ordinal, uint32_t index) noexcept
      : device_(device), ordinal_(ordinal), index_(index) {}
  ~Bridge();

  Status append(List& list, std::span<const ze_command_list_handle_t> lists);

 private:
  // One crossing. Its lists are closed, so it is used again only when the immediate list is past
  // it.
  struct Span {
    ze_event_handle_t start = nullptr, end = nullptr, passed = nullptr;
    OwnList first, last;
    bool in_use = false;
    bool lost = false;  // a step failed: nobody can tell any more when it is over
  };

  Status open();
  Result<Span*> free_span();
  Status make(Span& span);
  Status cross(List& list, Span& span, std::span<ze_command_list_handle_t> all);
  Result<OwnList> closed_list(ze_event_handle_t wait, ze_event_handle_t signal);

  Device& device_;
  const uint32_t ordinal_, index_;
  OwnQueue queue_;
  std::vector<std::unique_ptr<Span>> spans_;
};

}  // namespace xpu::ze
