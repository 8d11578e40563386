// SPDX-License-Identifier: Apache-2.0
// Encoding bodies, and running them.
#include "exec/conditional.h"

#include <atomic>
#include <utility>

#include "base/log.h"
#include "base/trace.h"
#include "exec/encode.h"

namespace xpu::exec {

namespace {

Status in_body(Status status, const plan::PlanNode& node) {
  return Status::error(status.code(),
                       "in a body of node " + std::to_string(node.local_id) +
                           " (conditional): " + status.sentence(),
                       status.detail()->argument, status.native())
      .of_node(node.id);
}

}  // namespace

Result<std::shared_ptr<Conditional>> Conditional::encode(const Snapshot& snapshot, uint32_t segment,
                                                         const Versions& versions) {
  return encode(snapshot, segment, versions, snapshot.loops);
}

Result<std::shared_ptr<Conditional>> Conditional::encode(const Snapshot& snapshot, uint32_t segment,
                                                         const Versions& versions,
                                                         const std::shared_ptr<Loops>& loops) {
  const plan::Step& step = snapshot.plan.segments[segment].steps[0];
  std::shared_ptr<Conditional> made(new Conditional(versions.params(step.node), loops));
  for (const std::shared_ptr<graph::Graph>& body : made->params().bodies()) {
    Result<Parts> parts = made->encode_body(*body, snapshot.device);
    if (!parts.ok()) return in_body(parts.take_status(), snapshot.plan.nodes[step.node]);
    made->bodies_.push_back(parts.take());
  }
  return made;
}

Result<Conditional::Parts> Conditional::encode_body(const graph::Graph& graph,
                                                    runtime::Device& device) {
  XPU_TRY_ASSIGN(std::shared_ptr<const Snapshot> body, Snapshot::make_body(graph, device));
  Staging unused(device.ze());  // a body is on one device
  Parts parts;
  for (uint32_t i = 0; i < body->plan.segments.size(); i++) {
    Part part;
    if (body->plan.segments[i].kind == plan::SegmentKind::conditional) {
      XPU_TRY_ASSIGN(part.inner, encode(*body, i, body->versions, loops_));
    } else {
      XPU_TRY_ASSIGN(part.list,
                     exec::encode(*body, body->plan.segments[i], body->versions, unused));
    }
    parts.push_back(std::move(part));
  }
  snapshots_.push_back(std::move(body));
  return parts;
}

Status Conditional::append(ze::List& list, runtime::Stream& stream, ze::Sync sync) {
  struct Lent {
    Run* run;
    bool taken = false;  // the thread frees it
    ~Lent() {
      if (!taken) delete run;
    }
  } lent{new Run{shared_from_this(), stream}};
  Status status = list.thread_function(run_on_thread, lent.run, sync, lent.taken);
  // The thread may run it although the list does not wait for that: at least it is soon over.
  if (lent.taken && !status.ok()) loops_->fail(status);
  return status;
}

void Conditional::run_on_thread(void* of_launch, ze_result_t before) noexcept {
  const std::unique_ptr<Run> launch(static_cast<Run*>(of_launch));
  Conditional* const node = launch->node.get();
  const Loops::Inside inside;
  Status status = ze::check(before, "zeEventHostSynchronize");
  if (status.ok()) {
    const Zone zone("conditional node");
    try {
      status = node->run();
    } catch (const std::bad_alloc&) {
      status = Status::error(xpuErrorMemoryAllocation, "the host has no memory left for a loop");
    }
  }
  if (status.ok()) return;
  XPU_LOG(info, "a conditional node failed: %s", status.sentence().c_str());
  // What was submitted of a body must not run into what follows in the stream.
  (void)node->loops_->queue().synchronize();
  // The launch that failed has told it.
  if (node->loops_->has_failed()) return;
  node->loops_->fail(Status::error(status.code(),
                                   "a conditional node failed in a launch of this executable (" +
                                       status.sentence() + "); instantiate the graph again",
                                   {}, status.native()));
  launch->stream.keep_error(std::move(status));
}

Status Conditional::run() {
  const std::atomic_ref<uint32_t> value(*params().condition()->word());
  for (;;) {
    const size_t chosen = params().chosen(value.load(std::memory_order_acquire));
    if (chosen >= bodies_.size()) return {};
    XPU_TRY(loops_->may_go_on());
    XPU_TRY(run(bodies_[chosen]));
    if (params().choice() != graph::Choice::loop) return {};
  }
}

// Complete when it returns.
Status Conditional::run(const Parts& body) {
  bool pending = false;
  for (const Part& part : body) {
    if (!part.inner) {
      XPU_TRY(submit(part.list));
      pending = true;
      continue;
    }
    if (std::exchange(pending, false)) XPU_TRY(loops_->queue().synchronize());
    XPU_TRY(part.inner->run());
  }
  return pending ? loops_->queue().synchronize() : Status();
}

Status Conditional::submit(const ze::List& closed) {
  const ze_command_list_handle_t handle = closed.get();
  return loops_->queue().submit([&](ze::List& list) { return list.append_lists({&handle, 1}); });
}

}  // namespace xpu::exec
