// SPDX-License-Identifier: Apache-2.0
// Entry point of profile.h.
#include <xpugraph/profile.h>

#include <string>

#include "capi/cast.h"
#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capture/rules.h"
#include "exec/profile.h"
#include "graph/dot.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Status check_room(xpuGraphNodeProfile* nodes, size_t room, size_t rows) {
  if (!rows) return {};
  if (room < rows)
    return invalid_value("the profile has " + std::to_string(rows) + " rows and nodes has room " +
                             "for " + std::to_string(room) +
                             "; pass NULL for nodes and tracePath to learn the number",
                         "numNodes");
  XPU_TRY(check_out_size(nodes, sizeof *nodes, "nodes"));
  if (nodes->struct_size % alignof(xpuGraphNodeProfile) == 0) return {};
  return invalid_value("nodes->struct_size is " + std::to_string(nodes->struct_size) +
                           ", which no array of such structs has: entries are as far apart, so it "
                           "is a multiple of " +
                           std::to_string(alignof(xpuGraphNodeProfile)),
                       "nodes");
}

xpuGraphNodeProfile told(const exec::ProfileRow& row) {
  xpuGraphNodeProfile p = {};
  p.struct_size = sizeof p;
  p.type = static_cast<xpuGraphNodeType>(row.kind);
  p.localId = row.local_id;
  p.parent = row.parent;
  p.lane = row.lane;
  p.timed = row.timed;
  p.name = row.name;
  p.startNs = row.start_ns;
  p.durationNs = row.end_ns - row.start_ns;
  return p;
}

// The first entry's size is that of all.
void fill_rows(xpuGraphNodeProfile* nodes, const exec::Profile& profile) {
  const uint32_t stride = profile.rows.empty() ? 0 : nodes->struct_size;
  auto* at = reinterpret_cast<std::byte*>(nodes);
  for (const exec::ProfileRow& row : profile.rows) {
    auto* entry = reinterpret_cast<xpuGraphNodeProfile*>(at);
    entry->struct_size = stride;
    copy_out(entry, told(row));
    at += stride;
  }
}

Status run_profile(exec::Exec& exec, runtime::Stream& stream, xpuGraphNodeProfile* nodes,
                   const char* trace_path) {
  // Before the run, so that a wrong path is refused before anything happens.
  if (trace_path) XPU_TRY(graph::check_writable(trace_path, "tracePath"));
  XPU_TRY_ASSIGN(const exec::Profile profile, exec.profile(stream));
  if (trace_path) XPU_TRY(graph::write_text(trace_path, exec::to_trace(profile), "tracePath"));
  if (nodes) fill_rows(nodes, profile);
  return {};
}

}  // namespace

xpuError_t xpuGraphExecProfile(xpuGraphExec_t graphExec, xpuStream_t stream,
                               xpuGraphNodeProfile* nodes, size_t* numNodes,
                               const char* tracePath) {
  return guard(__func__, [&](const char* call) -> Status {
    XPU_TRY_ASSIGN(exec::Exec * e, live_exec(graphExec));
    XPU_TRY_ASSIGN(runtime::Stream * s, live_stream(stream));
    if (nodes || !tracePath) XPU_TRY(require(numNodes, "numNodes"));
    const size_t rows = e->profile_size();
    if (nodes) XPU_TRY(check_room(nodes, *numNodes, rows));
    if (nodes || tracePath) {
      XPU_TRY(capture::legacy_use(call, *s));
      XPU_TRY(capture::wait_for_stream(call, *s));
      XPU_TRY(run_profile(*e, *s, nodes, tracePath));
    }
    if (numNodes) *numNodes = rows;
    return {};
  });
}
