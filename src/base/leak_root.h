// SPDX-License-Identifier: Apache-2.0
// Tells LeakSanitizer to look into reserved address space, which it does not by itself: a slot
// there may be all that keeps an object, and what a live handle names is no leak.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define XPU_WITH_LEAK_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define XPU_WITH_LEAK_SANITIZER 1
#endif
#endif

#ifdef XPU_WITH_LEAK_SANITIZER
extern "C" void __lsan_register_root_region(const void* at, size_t bytes);
#endif

namespace xpu {

// Call it for each part that comes into use: the reserved range as a whole would take seconds to
// scan.
inline void leak_root([[maybe_unused]] const void* at, [[maybe_unused]] size_t bytes) noexcept {
#ifdef XPU_WITH_LEAK_SANITIZER
  __lsan_register_root_region(at, bytes);
#endif
}

}  // namespace xpu
