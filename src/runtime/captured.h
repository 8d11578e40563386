// SPDX-License-Identifier: Apache-2.0
// What the capture floor hangs on a stream or an event. The runtime keeps it and knows nothing
// more.
#pragma once

namespace xpu::runtime {

struct Captured {
  virtual ~Captured() = default;
};

}  // namespace xpu::runtime
