// SPDX-License-Identifier: Apache-2.0
// A stream of the executable's device, in place of one of another device that a launch was given:
// lists of one device cannot go to a queue of another.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "runtime/device.h"
#include "runtime/mark.h"
#include "runtime/stream.h"

namespace xpu::exec {

// Not synchronised: the executable's lock guards it.
class StandIn {
 public:
  static Result<std::unique_ptr<StandIn>> make(runtime::Device& home);
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  ~StandIn();

  runtime::Stream& stream() const noexcept { return *stream_; }
  // What comes next here is behind all that `given` has so far.
  Status begin_after(runtime::Stream& given);
  // What comes next in `given` is behind all that was submitted here.
  Status end_before(runtime::Stream& given);

 private:
  explicit StandIn(std::shared_ptr<runtime::Stream> stream) noexcept : stream_(std::move(stream)) {}

  std::shared_ptr<runtime::Stream> stream_;
  runtime::MarkRef end_;
  // Of each device that launches came from.
  std::vector<std::pair<const runtime::Device*, runtime::MarkRef>> begins_;
};

}  // namespace xpu::exec
