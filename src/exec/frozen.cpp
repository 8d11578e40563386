// SPDX-License-Identifier: Apache-2.0
// Compares what a node did when it was planned with what it is to do.
//
// Some of these rules are CUDA's and not the driver's: a segment can be encoded anew with whatever
// copy. They are kept because a program that an update refuses on one of the two should hear so on
// both, and because lanes were dealt out for a direction.
#include "exec/frozen.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/conditional.h"
#include "graph/external.h"
#include "graph/graph.h"
#include "graph/order.h"
#include "graph/pairing.h"
#include "runtime/event.h"
#include "runtime/kernel.h"

namespace xpu::exec {
namespace {

using runtime::MemoryKind;

const char* name_of(MemoryKind kind) noexcept {
  switch (kind) {
    case MemoryKind::unregistered:
      return "pageable host memory";
    case MemoryKind::host:
      return "host memory";
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::managed:
      return "managed memory";
  }
  return "memory";
}

Status check_place(const Place& was, const Place& next, const char* argument) {
  if (was == next) [[likely]]
    return Status();
  if (was.kind == next.kind)
    return invalid_value("the memory was of device " + std::to_string(was.device) +
                             " when the graph was instantiated, now it is of device " +
                             std::to_string(next.device) + "; instantiate again",
                         argument);
  return invalid_value(std::string("the node was instantiated for ") + name_of(was.kind) +
                           ", this is " + name_of(next.kind) +
                           "; an update keeps the type of memory, so instantiate again",
                       argument);
}

Status check_device(const char* what, const runtime::Device& was, const runtime::Device& next,
                    const char* argument) {
  if (&was == &next) return Status();
  return invalid_value(std::string("the node's ") + what + " was of device " +
                           std::to_string(was.index()) + " when the graph was instantiated, this " +
                           "one is of device " + std::to_string(next.index()) +
                           "; a node stays on its device, so instantiate again",
                       argument);
}

Status check_kernel(const graph::KernelParams& was, const graph::KernelParams& next, Outcome& why) {
  const auto& before = static_cast<const runtime::Kernel&>(was.signature());
  const auto& kernel = static_cast<const runtime::Kernel&>(next.signature());
  if (Status status = check_device("kernel", before.device(), kernel.device(), "func");
      !status.ok()) {
    why = Outcome::unsupported_function_change;
    return status;
  }
  if (was.cooperative() != next.cooperative()) {
    why = Outcome::attributes_changed;
    return invalid_value(
        "a node that was instantiated as a cooperative launch stays one, and no other becomes one; "
        "instantiate again");
  }
  return next.cooperative() ? kernel.check_cooperative(next.grid(), next.block()) : Status();
}

bool is_one_row(const graph::CopyShape& shape) noexcept {
  return shape.height == 1 && shape.depth == 1;
}

// Which of the two sides is host memory by what the program said; neither answer for Default, which
// leaves it to the memory.
bool other_direction(xpuMemcpyKind was, xpuMemcpyKind next) noexcept {
  return was != next && was != xpuMemcpyDefault && next != xpuMemcpyDefault;
}

Status check_copy(const Snapshot& snapshot, const Touches& touches, const graph::CopyShape& was,
                  const graph::CopyShape& next) {
  if (!is_one_row(was))
    return invalid_value(
        "the node was instantiated with a copy of several rows, and such copies cannot be updated; "
        "instantiate again");
  if (!is_one_row(next))
    return invalid_value(
        "an update gives a copy of one row; for one of several rows instantiate again", "extent");
  if (other_direction(was.kind, next.kind))
    return invalid_value("the copy's kind was " + std::to_string(was.kind) + " and would be " +
                             std::to_string(next.kind) +
                             "; an update keeps the direction, so instantiate again",
                         "kind");
  const runtime::Memory& memory = snapshot.device.memory();
  XPU_TRY(check_place(touches.dst, place_of(memory, next.dst.first()), "dst"));
  return check_place(touches.src, place_of(memory, next.src.first()), "src");
}

Status check_fill(const Snapshot& snapshot, const Touches& touches, const graph::FillShape& was,
                  const graph::FillShape& next) {
  if (was.height != next.height)
    return invalid_value("the fill had " + std::to_string(was.height) + " rows and would have " +
                             std::to_string(next.height) +
                             "; an update keeps their number, so instantiate again",
                         "height");
  const bool rows = was.height > 1;
  if (rows && (was.width != next.width || was.element_size != next.element_size))
    return invalid_value(
        "an update of a fill of several rows keeps their width and the size of an element; "
        "instantiate again",
        was.width != next.width ? "width" : "elementSize");
  if (rows && was.pitch != next.pitch)
    return invalid_value("an update of a fill of several rows keeps their pitch, which was " +
                             std::to_string(was.pitch) + "; instantiate again",
                         "pitch");
  return check_place(touches.dst, place_of(snapshot.device.memory(), next.dst), "dst");
}

Status check_semaphores(const Snapshot& snapshot, const graph::SemaphoreParams& was,
                        const graph::SemaphoreParams& next) {
  if (was.semaphores().size() != next.semaphores().size())
    return invalid_value(
        "the node was instantiated for " + std::to_string(was.semaphores().size()) +
            " semaphores and would have " + std::to_string(next.semaphores().size()) +
            "; an update keeps their number, so instantiate again",
        "numExtSems");
  return check_external(snapshot.device, next, "extSemArray");
}

Status check_batch(const Snapshot& snapshot, const graph::BatchParams& was,
                   const graph::BatchParams& next) {
  const bool same = std::equal(
      was.operations().begin(), was.operations().end(), next.operations().begin(),
      next.operations().end(),
      [](const auto& one, const auto& other) { return one.operation == other.operation; });
  if (!same)
    return invalid_value(
        "an update keeps how many operations there are and what each does; instantiate again",
        "paramArray");
  return check_external(snapshot.device, next, "paramArray");
}

// The queue that it is recorded in is one of the event's device.
Status check_record(const graph::EventParams& was, const graph::EventParams& next) {
  return check_device("event", static_cast<runtime::Event*>(was.event().get())->device(),
                      static_cast<runtime::Event*>(next.event().get())->device(), "event");
}

Status in_a_body(std::string why) { return invalid_value("in a body, " + std::move(why)); }

// The form stays, and so does what a conditional node is. What else the nodes do may change, more
// freely than outside: a body is planned and encoded as a whole.
Status check_body(const Snapshot& snapshot, const graph::Graph& was, const graph::Graph& next,
                  Outcome& why);

Status check_conditional(const Snapshot& snapshot, const graph::ConditionalParams& was,
                         const graph::ConditionalParams& next, Outcome& why) {
  if (was.choice() != next.choice() || was.bodies().size() != next.bodies().size())
    return invalid_value(
        "a conditional node keeps its type and the number of its bodies; instantiate again",
        "conditional");
  for (size_t i = 0; i < was.bodies().size(); i++) {
    XPU_TRY(check_body(snapshot, *was.bodies()[i], *next.bodies()[i], why));
    // What the device cannot run is found now, and not by the next launch.
    if (Status status = Snapshot::make_body(*next.bodies()[i], snapshot.device).take_status();
        !status.ok()) {
      why = Outcome::not_supported;
      return in_a_body(status.sentence());
    }
  }
  return Status();
}

Status check_body(const Snapshot& snapshot, const graph::Graph& was, const graph::Graph& next,
                  Outcome& why) {
  std::vector<graph::Node*> partners;
  graph::Mismatch mismatch = graph::pair(was, next, partners);
  if (!mismatch.why.empty()) {
    why = Outcome::topology_changed;
    return in_a_body(std::move(mismatch.why));
  }
  for (const graph::Node* node : was.nodes()) {
    const graph::Node& partner = *partners[node->slot()];
    if (node->kind() != partner.kind()) {
      why = Outcome::node_type_changed;
      return in_a_body(graph::describe(partner) + " stands for " + graph::a_node(node->kind()) +
                       " of the executable");
    }
    if (const auto* child = node->as<graph::ChildParams>())
      XPU_TRY(
          check_body(snapshot, *child->graph(), *partner.as<graph::ChildParams>()->graph(), why));
    if (const auto* inner = node->as<graph::ConditionalParams>())
      XPU_TRY(check_conditional(snapshot, *inner, *partner.as<graph::ConditionalParams>(), why));
  }
  return Status();
}

}  // namespace

Status check_change(const Snapshot& snapshot, uint32_t node, const graph::NodeParams& was,
                    const graph::NodeParams& next, Outcome& why) {
  why = Outcome::parameters_changed;
  switch (next.kind()) {
    case graph::NodeKind::kernel:
      return check_kernel(static_cast<const graph::KernelParams&>(was),
                          static_cast<const graph::KernelParams&>(next), why);
    case graph::NodeKind::copy:
      return check_copy(snapshot, snapshot.touches[node],
                        static_cast<const graph::CopyParams&>(was).shape(),
                        static_cast<const graph::CopyParams&>(next).shape());
    case graph::NodeKind::fill:
      return check_fill(snapshot, snapshot.touches[node],
                        static_cast<const graph::FillParams&>(was).shape(),
                        static_cast<const graph::FillParams&>(next).shape());
    case graph::NodeKind::host:
    case graph::NodeKind::event_wait:
      return Status();
    case graph::NodeKind::semaphore_signal:
    case graph::NodeKind::semaphore_wait:
      return check_semaphores(snapshot, static_cast<const graph::SemaphoreParams&>(was),
                              static_cast<const graph::SemaphoreParams&>(next));
    case graph::NodeKind::batch:
      return check_batch(snapshot, static_cast<const graph::BatchParams&>(was),
                         static_cast<const graph::BatchParams&>(next));
    case graph::NodeKind::event_record:
      return check_record(static_cast<const graph::EventParams&>(was),
                          static_cast<const graph::EventParams&>(next));
    case graph::NodeKind::mem_alloc:
    case graph::NodeKind::mem_free:
      return invalid_value(
          "the memory of an executable is that of the graph it was made of, and this is the memory "
          "of another graph");
    case graph::NodeKind::conditional:
      return check_conditional(snapshot, static_cast<const graph::ConditionalParams&>(was),
                               static_cast<const graph::ConditionalParams&>(next), why);
    case graph::NodeKind::child:
    case graph::NodeKind::empty:
      break;
  }
  why = Outcome::not_supported;
  return invalid_value("nodes of this kind cannot be updated");
}

}  // namespace xpu::exec
