// SPDX-License-Identifier: Apache-2.0
// Makes the stream, and ties it to the one that was given.
#include "exec/stand_in.h"

#include <algorithm>
#include <utility>

namespace xpu::exec {

Result<std::unique_ptr<StandIn>> StandIn::make(runtime::Device& home) {
  XPU_TRY_ASSIGN(ze::List list, home.new_list(0));
  XPU_TRY_ASSIGN(std::shared_ptr<runtime::Stream> stream,
                 runtime::Stream::make(home, runtime::Stream::Kind::created, std::move(list),
                                       xpuStreamNonBlocking, 0));
  return std::unique_ptr<StandIn>(new StandIn(std::move(stream)));
}

// Its work may not be over: the device keeps it until then.
StandIn::~StandIn() {
  runtime::Device& home = stream_->device();
  home.retire(std::move(stream_));
}

Status StandIn::begin_after(runtime::Stream& given) {
  auto begin = std::find_if(begins_.begin(), begins_.end(),
                            [&](const auto& known) { return known.first == &given.device(); });
  if (begin == begins_.end()) begin = begins_.emplace(begin, &given.device(), nullptr);
  XPU_TRY(given.device().marks().renew(begin->second));
  XPU_TRY(given.signal(*begin->second));
  return stream_->wait(*begin->second);
}

Status StandIn::end_before(runtime::Stream& given) {
  XPU_TRY(stream_->device().marks().renew(end_));
  XPU_TRY(stream_->signal(*end_));
  return given.wait(*end_);
}

}  // namespace xpu::exec
