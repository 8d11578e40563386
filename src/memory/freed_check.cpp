// SPDX-License-Identifier: Apache-2.0
// Walks the nodes and compares moments: when a node was given a pointer, when memory was made and
// freed.
#include "memory/freed_check.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "base/serial.h"
#include "graph/external.h"
#include "graph/order.h"
#include "memory/graph_memory.h"
#include "memory/ledger.h"
#include "runtime/freed_memory.h"

namespace xpu::memory {
namespace {

std::string hex(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIxPTR, reinterpret_cast<uintptr_t>(pointer));
  return text;
}

Status stale(const graph::Node& node, const std::string& argument, const void* pointer,
             const std::string& why) {
  return invalid_value(graph::describe(node) + ": " + argument + " is " + hex(pointer) + ", " +
                           why + "; set the node's parameters and instantiate again",
                       "graphExec");
}

}  // namespace

// The memory of another graph's allocation node is there again once that graph is launched again,
// and for the graph's own, and its child graphs', it is always there.
bool FreedCheck::is_back(const runtime::FreedRange& range, const void* pointer) const {
  if (!range.owner) return false;
  for (const std::shared_ptr<GraphMemory>& own : own_) {
    if (range.owner == own.get()) return true;
  }
  Ledger& ledger = Ledger::get();
  const std::lock_guard hold(ledger.mutex);
  const Allocation* const there = ledger.find_around(pointer);
  return there && there->live;
}

Status FreedCheck::check_pointer(const graph::Node& node, const std::string& argument,
                                 const void* pointer) const {
  const uint64_t given = node.params()->made();
  if (!pointer || !given) return {};
  for (const runtime::FreedRange& r : runtime::FreedMemory::get().find(pointer, given)) {
    if (is_back(r, pointer)) continue;
    const auto offset =
        static_cast<const std::byte*>(pointer) - static_cast<const std::byte*>(r.base);
    return stale(node, argument, pointer,
                 "byte " + std::to_string(offset) + " of the " + std::to_string(r.size) +
                     " bytes at " + hex(r.base) + ", which were freed " + r.where +
                     " after the node was given the pointer");
  }
  // Its end may be forgotten; that it is not what is there now is certain all the same.
  const runtime::Allocation now = memory_.find(pointer);
  if (now.made < given) return {};
  return stale(node, argument, pointer,
               "in the " + std::to_string(now.size) + " bytes at " + hex(now.base) +
                   ", which were allocated after the node was given the pointer: what was there "
                   "then has been freed");
}

Status FreedCheck::check(const graph::Node& node) const {
  if (const auto* kernel = node.as<graph::KernelParams>()) {
    const auto& parameters = kernel->signature().parameters();
    for (size_t i = 0; i < parameters.size(); i++) {
      if (parameters[i].kind != ParameterKind::pointer) continue;
      const void* pointer = nullptr;
      std::memcpy(&pointer, kernel->argument(i), sizeof pointer);
      XPU_TRY(check_pointer(node, "argument " + std::to_string(i), pointer));
    }
  } else if (const auto* copy = node.as<graph::CopyParams>()) {
    XPU_TRY(check_pointer(node, "dst", copy->shape().dst.first()));
    XPU_TRY(check_pointer(node, "src", copy->shape().src.first()));
  } else if (const auto* fill = node.as<graph::FillParams>()) {
    XPU_TRY(check_pointer(node, "dst", fill->shape().dst));
  } else if (const auto* batch = node.as<graph::BatchParams>()) {
    size_t i = 0;
    for (const xpuStreamBatchMemOpParams& one : batch->operations())
      XPU_TRY(check_pointer(node, "the address of operation " + std::to_string(i++),
                            one.writeValue.address));
  } else if (const auto* child = node.as<graph::ChildParams>()) {
    Status status = check(*child->graph());
    if (!status.ok())
      return Status::error(status.code(), "in " + graph::describe(node) + ", " + status.sentence(),
                           status.detail()->argument);
  } else if (const auto* conditional = node.as<graph::ConditionalParams>()) {
    for (const std::shared_ptr<graph::Graph>& body : conditional->bodies()) {
      Status status = check(*body);
      if (!status.ok())
        return Status::error(status.code(),
                             "in a body of " + graph::describe(node) + ", " + status.sentence(),
                             status.detail()->argument);
    }
  }
  return {};
}

Status FreedCheck::check(const graph::Graph& graph) const {
  for (const graph::Node* node : graph.nodes()) XPU_TRY(check(*node));
  return {};
}

Result<uint64_t> FreedCheck::prepare() {
  if (inner_) return inner_->prepare();
  return uint64_t{0};
}

// Asked before the inner hook, which holds the ledger until end().
Result<uint64_t> FreedCheck::begin(runtime::Stream& stream) {
  const uint64_t count = runtime::FreedMemory::get().count();
  if (count != looked_ || changed_) {
    XPU_TRY(check(*graph_));
    looked_ = count;
    changed_ = false;
  }
  if (inner_) return inner_->begin(stream);
  return uint64_t{0};
}

void FreedCheck::end(runtime::Stream& stream, bool submitted) noexcept {
  if (inner_) inner_->end(stream, submitted);
}

void FreedCheck::changed() noexcept {
  changed_ = true;
  if (inner_) inner_->changed();
}

std::shared_ptr<runtime::LaunchHook> check_freed(std::shared_ptr<const graph::Graph> graph,
                                                 const runtime::Memory& memory,
                                                 std::shared_ptr<runtime::LaunchHook> inner) {
  if (!has_serials()) [[likely]]
    return inner;
  return std::make_shared<FreedCheck>(std::move(graph), memory, std::move(inner));
}

}  // namespace xpu::memory
