// SPDX-License-Identifier: Apache-2.0
// Status and Result: how every floor says that something did not work, and why.
#pragma once

#include <xpugraph/error.h>

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace xpu {

// Success is a null pointer, so that the good path costs one register and no allocation.
class [[nodiscard]] Status {
 public:
  struct Detail {
    xpuError_t code;
    uint32_t native = 0;         // the Level Zero result behind it, 0 if none
    std::string argument;        // the argument at fault, empty if none
    std::string sentence;        // what was expected and what to do
    uint64_t node = 0;           // the node at fault, as graph::Node::id(); 0 if none
  };

  Status() noexcept = default;

  // `argument` names the parameter as the public header spells it.
  static Status error(xpuError_t code, std::string sentence, std::string argument = {},
                      uint32_t native = 0) {
    Status s;
    s.detail_ = std::make_unique<Detail>(
        Detail{code, native, std::move(argument), std::move(sentence)});
    return s;
  }

  // The same failure, told of a node.
  Status of_node(uint64_t id) && noexcept {
    if (detail_) detail_->node = id;
    return std::move(*this);
  }

  bool ok() const noexcept { return !detail_; }
  xpuError_t code() const noexcept { return detail_ ? detail_->code : xpuSuccess; }
  uint32_t native() const noexcept { return detail_ ? detail_->native : 0; }
  const Detail* detail() const noexcept { return detail_.get(); }
  std::string sentence() const { return detail_ ? detail_->sentence : std::string(); }

  // A failure that is kept somewhere and reported more than once.
  Status copy() const {
    Status s;
    if (detail_) s.detail_ = std::make_unique<Detail>(*detail_);
    return s;
  }

 private:
  std::unique_ptr<Detail> detail_;
};

inline Status invalid_value(std::string sentence, std::string argument = {}) {
  return Status::error(xpuErrorInvalidValue, std::move(sentence), std::move(argument));
}

// A value or the Status that says why there is none. What it is has to be asked before either is
// taken: afterwards it is neither.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status failure) : status_(std::move(failure)) { assert(!status_.ok()); }

  bool ok() const noexcept { return status_.ok(); }
  T& value() {
    if constexpr (kOptional)
      return *value_;
    else
      return value_;
  }
  const T& value() const { return const_cast<Result*>(this)->value(); }
  T take() { return std::move(value()); }
  const Status& status() const noexcept { return status_; }
  Status take_status() { return std::move(status_); }

 private:
  // Whether there is a value is the status's to say. Most types have an empty one for the other
  // case; a flag beside it would be a tenth of what a captured call costs.
  static constexpr bool kOptional = !std::is_nothrow_default_constructible_v<T>;
  std::conditional_t<kOptional, std::optional<T>, T> value_ = {};
  Status status_;
};

}  // namespace xpu

#define XPU_TRY(expression)                                       \
  do {                                                            \
    if (::xpu::Status xpu_try_ = (expression); !xpu_try_.ok()) {  \
      return xpu_try_;                                            \
    }                                                             \
  } while (false)

#define XPU_TRY_JOIN_(a, b) a##b
#define XPU_TRY_NAME_(a, b) XPU_TRY_JOIN_(a, b)
// XPU_TRY_ASSIGN(auto x, call()): x is the value, or the enclosing function returns the Status.
#define XPU_TRY_ASSIGN(target, expression)                                       \
  auto XPU_TRY_NAME_(xpu_result_, __LINE__) = (expression);                      \
  if (!XPU_TRY_NAME_(xpu_result_, __LINE__).ok())                                \
    return XPU_TRY_NAME_(xpu_result_, __LINE__).take_status();                   \
  target = XPU_TRY_NAME_(xpu_result_, __LINE__).take()
