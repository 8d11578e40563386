// SPDX-License-Identifier: Apache-2.0
// Rewrites the argument of a failure.
#include "capi/spelling.h"

#include <cstring>

namespace xpu::capi {
namespace {

// What replaces `argument`, empty if no name fits.
std::string replaced(const std::string& argument, std::initializer_list<Spelling> names) {
  for (const Spelling& name : names) {
    const size_t n = std::strlen(name.inside);
    if (argument.compare(0, n, name.inside) != 0) continue;
    if (argument.size() != n && argument[n] != '.' && argument[n] != '[') continue;
    return name.outside + argument.substr(n);
  }
  return {};
}

Status renamed(Status status, std::string argument) {
  if (argument.empty()) return status;
  const Status::Detail& was = *status.detail();
  return Status::error(was.code, was.sentence, std::move(argument), was.native).of_node(was.node);
}

}  // namespace

Status respelled(Status failure, std::initializer_list<Spelling> names) {
  std::string argument = replaced(failure.detail()->argument, names);
  return renamed(std::move(failure), std::move(argument));
}

std::string member_of(const std::string& parameter, const std::string& member) {
  return parameter + (parameter.find("->") == std::string::npos ? "->" : ".") + member;
}

Status respelled_in(Status failure, const char* parameter,
                    std::initializer_list<Spelling> members) {
  std::string argument = replaced(failure.detail()->argument, members);
  if (!argument.empty()) argument = member_of(parameter, argument);
  return renamed(std::move(failure), std::move(argument));
}

}  // namespace xpu::capi
