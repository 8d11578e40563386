// SPDX-License-Identifier: Apache-2.0
// Calling the program, and the places where callbacks wait until then.
#include "base/callback.h"

#include <memory>
#include <mutex>
#include <vector>

namespace xpu {
namespace {

constexpr size_t kPlacesInABlock = 64;

// Places stay, so that the driver may be given one that it never calls: a device that is lost, and
// a driver that executes nothing, forget their host functions.
struct Places {
  std::mutex mutex;  // guards all below
  std::vector<std::unique_ptr<Callback[]>> blocks;
  std::vector<Callback*> free;

  Callback* take() {
    const std::lock_guard hold(mutex);
    if (free.empty()) {
      free.reserve((blocks.size() + 1) * kPlacesInABlock);  // giving back cannot fail
      blocks.push_back(std::make_unique<Callback[]>(kPlacesInABlock));
      for (size_t i = kPlacesInABlock; i-- > 0;) free.push_back(&blocks.back()[i]);
    }
    Callback* const place = free.back();
    free.pop_back();
    return place;
  }
  void give(Callback* place) noexcept {
    const std::lock_guard hold(mutex);
    free.push_back(place);
  }
};

// Never destroyed: a stream may still call while the process ends.
Places& places() noexcept {
  static Places* const all = new Places;
  return *all;
}

}  // namespace

void call_back(void* callback) noexcept {
  const Callback call = *static_cast<const Callback*>(callback);
  const InCallback shut;
  call.function(call.data);
}

void* make_once(Callback callback) {
  Callback* const place = places().take();
  *place = callback;
  return place;
}

void call_back_once(void* once) noexcept {
  Callback call = *static_cast<Callback*>(once);
  drop_once(once);
  call_back(&call);
}

void drop_once(void* once) noexcept { places().give(static_cast<Callback*>(once)); }

}  // namespace xpu
