// SPDX-License-Identifier: Apache-2.0
// The table of errors.inc and the search in it.
#include "base/error_name.h"

#include <algorithm>
#include <iterator>

namespace xpu {

constexpr ErrorName kErrorNames[] = {
#define ERROR(name, sentence) {xpu##name, "xpu" #name, sentence},
#include "base/errors.inc"
#undef ERROR
};
constexpr size_t kErrorNameCount = std::size(kErrorNames);

static_assert(std::is_sorted(std::begin(kErrorNames), std::end(kErrorNames),
                             [](const ErrorName& a, const ErrorName& b) {
                               return a.code < b.code;
                             }),
              "errors.inc must ascend: the search below relies on it");

namespace {

constexpr char kUnrecognized[] = "unrecognized error code";

const ErrorName* find(xpuError_t code) noexcept {
  const ErrorName* end = std::end(kErrorNames);
  const ErrorName* at =
      std::lower_bound(std::begin(kErrorNames), end, code,
                       [](const ErrorName& e, xpuError_t c) { return e.code < c; });
  return at != end && at->code == code ? at : nullptr;
}

}  // namespace

const char* error_name(xpuError_t code) noexcept {
  const ErrorName* found = find(code);
  return found ? found->name : kUnrecognized;
}

const char* error_string(xpuError_t code) noexcept {
  const ErrorName* found = find(code);
  return found ? found->sentence : kUnrecognized;
}

}  // namespace xpu
