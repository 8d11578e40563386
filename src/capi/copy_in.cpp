// SPDX-License-Identifier: Apache-2.0
// The struct_size rule, once for all structs.
#include "capi/copy_in.h"

#include <algorithm>

#include "capi/spelling.h"

namespace xpu::capi {
namespace {

uint32_t size_of(const void* user) {
  uint32_t size = 0;
  std::memcpy(&size, user, sizeof size);
  return size;
}

Status refuse(uint32_t size, size_t first, const char* argument) {
  return invalid_value(member_of(argument, "struct_size") + " is " + std::to_string(size) +
                           ", expected " + std::to_string(first) + " to " +
                           std::to_string(kAbsurdStructSize) +
                           "; set it to sizeof of the struct before the call",
                       argument);
}

}  // namespace

Status check_out_size(const void* user, size_t first, const char* argument) {
  if (!user)
    return invalid_value(std::string(argument) + " is NULL; it must point to a struct", argument);
  const uint32_t size = size_of(user);
  if (size < first || size > kAbsurdStructSize) return refuse(size, first, argument);
  return {};
}

Status copy_in_of_other_size(void* out, const void* user, size_t first, size_t known,
                             const char* argument) {
  XPU_TRY(check_out_size(user, first, argument));
  const size_t size = size_of(user);
  const char* bytes = static_cast<const char*>(user);
  for (size_t i = known; i < size; i++) {
    if (bytes[i] == 0) continue;
    return invalid_value(std::string(argument) + " has a member at byte " + std::to_string(i) +
                             " that this library is too old to know; set it to zero or use a newer "
                             "library",
                         argument);
  }
  std::memset(out, 0, known);
  std::memcpy(out, user, std::min(size, known));
  const auto own = static_cast<uint32_t>(known);
  std::memcpy(out, &own, sizeof own);
  return {};
}

}  // namespace xpu::capi
