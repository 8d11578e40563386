// SPDX-License-Identifier: Apache-2.0
// Structs that begin with `struct_size`, in and out: how callers and libraries of different age
// understand each other.
//
// In: a caller older than the library passes fewer bytes, and the rest is taken as zero; a newer
// one passes more, which is accepted if what this library does not know is zero. Out: the caller's
// size is what gets written, and bytes this library does not know are set to zero. `first` is the
// size that the struct had when it was introduced: below it nothing sensible can be meant, and a
// forgotten struct_size, which is garbage or 0, is told from an old caller.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/status.h"

namespace xpu::capi {

// No real struct comes near it, and garbage usually passes it.
inline constexpr uint32_t kAbsurdStructSize = 4096;

// copy_in() of a struct of which this library knows `known` bytes and the caller others, or of
// NULL.
Status copy_in_of_other_size(void* out, const void* user, size_t first, size_t known,
                             const char* argument);

template <class T>
Status copy_in(T& out, const T* user, const char* argument, size_t first = sizeof(T)) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (user && user->struct_size == sizeof out) [[likely]] {
    std::memcpy(&out, user, sizeof out);
    return {};
  }
  return copy_in_of_other_size(&out, user, first, sizeof out, argument);
}

// Only the size is the caller's input, so an unknown tail need not be zero: it will be.
Status check_out_size(const void* user, size_t first, const char* argument);

template <class T>
void copy_out(T* user, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const uint32_t size = user->struct_size;
  std::memcpy(user, &value, size < sizeof value ? size : sizeof value);
  if (size > sizeof value)
    std::memset(reinterpret_cast<char*>(user) + sizeof value, 0, size - sizeof value);
  user->struct_size = size;
}

}  // namespace xpu::capi
