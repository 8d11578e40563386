// SPDX-License-Identifier: Apache-2.0
// The names under which callers know what a lower floor complains about. One check serves several
// entry points, and each spells its parameters in its own way.
#pragma once

#include <initializer_list>

#include "base/status.h"

namespace xpu::capi {

struct Spelling {
  const char* inside;   // the argument as the check names it
  const char* outside;  // as the entry point's header does
};

// The first that fits says what replaces a failure's argument. The name of a struct fits its
// members too, that of an array its entries: {"dstPtr", "p->dstPtr"} makes "p->dstPtr.pitch" of
// "dstPtr.pitch".
Status respelled(Status failure, std::initializer_list<Spelling> names);
inline Status spelled(Status status, std::initializer_list<Spelling> names) {
  if (status.ok()) [[likely]]
    return status;
  return respelled(std::move(status), names);
}

template <class T>
Result<T> spelled(Result<T> result, std::initializer_list<Spelling> names) {
  if (result.ok()) return result;
  return respelled(result.take_status(), names);
}

// A member of a struct that is a parameter, or of one inside such a struct: "p->member",
// "p->struct.member".
std::string member_of(const std::string& parameter, const std::string& member);

// For structs: members that checks name by themselves become members of the parameter.
Status respelled_in(Status failure, const char* parameter, std::initializer_list<Spelling> members);
inline Status spelled_in(Status status, const char* parameter,
                         std::initializer_list<Spelling> members) {
  if (status.ok()) [[likely]]
    return status;
  return respelled_in(std::move(status), parameter, members);
}

template <class T>
Result<T> spelled_in(Result<T> result, const char* parameter,
                     std::initializer_list<Spelling> members) {
  if (result.ok()) return result;
  return respelled_in(result.take_status(), parameter, members);
}

// Members of the public structs, as the checks of graph/check.h, capi/range.h and the runtime name
// them.
inline constexpr std::initializer_list<Spelling> kCopyMembers = {
    {"kind", "kind"},     {"extent", "extent"}, {"dstPtr", "dstPtr"},
    {"srcPtr", "srcPtr"}, {"dst", "dstPtr"},    {"src", "srcPtr"}};
inline constexpr std::initializer_list<Spelling> kFillMembers = {{"dst", "dst"},
                                                                 {"pitch", "pitch"},
                                                                 {"elementSize", "elementSize"},
                                                                 {"width", "width"},
                                                                 {"height", "height"}};
inline constexpr std::initializer_list<Spelling> kLaunchMembers = {{"gridDim", "gridDim"},
                                                                   {"blockDim", "blockDim"},
                                                                   {"args", "kernelParams"},
                                                                   {"sharedMem", "sharedMemBytes"}};

}  // namespace xpu::capi
