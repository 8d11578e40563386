// SPDX-License-Identifier: Apache-2.0
// A profile as a file that trace viewers open.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/utf8.h"
#include "exec/profile.h"

namespace xpu::exec {
namespace {

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0 || static_cast<unsigned char>(c) < 0x20) {
      out += '?';
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out + "\"";
}

// The format counts in microseconds; three decimals keep the nanoseconds.
std::string micros(uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%" PRIu64 ".%03u", ns / 1000, static_cast<unsigned>(ns % 1000));
  return text;
}

// What stands on one thread of the viewer may not overlap, so a lane has as many as it takes.
class Threads {
 public:
  explicit Threads(const Profile& profile) : profile_(profile), of_(profile.rows.size()) {
    std::vector<uint32_t> order(profile.rows.size());
    for (uint32_t i = 0; i < order.size(); i++) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return profile.rows[a].start_ns < profile.rows[b].start_ns;
    });
    for (uint32_t i : order) of_[i] = place(profile.rows[i]);
  }
  uint32_t of(uint32_t row) const noexcept { return of_[row]; }
  size_t count() const noexcept { return all_.size(); }
  std::string name(uint32_t thread) const {
    const Thread& t = all_[thread];
    if (t.lane == ProfileRow::kNone) return t.children ? "child graphs" : "nothing to run";
    static constexpr const char* kWords[] = {"compute", "copy", "host"};
    std::string name = "lane " + std::to_string(t.lane) + ", ";
    const plan::Lane& lane = profile_.lanes[t.lane];
    name += kWords[static_cast<size_t>(lane.kind)];
    if (!profile_.devices.empty())
      name += " of device " + std::to_string(profile_.devices[lane.device]);
    return t.beside ? name + ", beside " + std::to_string(t.beside) : name;
  }
  // Lanes above what lies across them.
  size_t rank(uint32_t thread) const noexcept {
    const Thread& t = all_[thread];
    const size_t lane = std::min<size_t>(t.lane, profile_.lanes.size());
    return (lane * 2 + !t.children) * all_.size() + t.beside;
  }

 private:
  struct Thread {
    uint32_t lane;
    bool children;
    uint32_t beside;  // others of its lane before it
    uint64_t busy_until;
  };

  uint32_t place(const ProfileRow& row) {
    const bool children = row.kind == graph::NodeKind::child;
    uint32_t beside = 0;
    for (uint32_t i = 0; i < all_.size(); i++) {
      Thread& t = all_[i];
      if (t.lane != row.lane || t.children != children) continue;
      beside++;
      if (t.busy_until > row.start_ns) continue;
      t.busy_until = row.end_ns;
      return i;
    }
    all_.push_back({row.lane, children, beside, row.end_ns});
    return static_cast<uint32_t>(all_.size() - 1);
  }

  const Profile& profile_;
  std::vector<Thread> all_;
  std::vector<uint32_t> of_;
};

// "2/0": node 0 of the graph of child graph node 2.
std::string path_of(const Profile& profile, const ProfileRow& row) {
  const std::string own = std::to_string(row.local_id);
  if (row.parent == ProfileRow::kNone) return own;
  return path_of(profile, profile.rows[row.parent]) + "/" + own;
}

std::string named(const char* what, uint32_t thread, const std::string& arguments) {
  return std::string("{\"name\":\"") + what +
         "\",\"ph\":\"M\",\"pid\":1,\"tid\":" + std::to_string(thread) + ",\"args\":{" + arguments +
         "}}";
}

}  // namespace

std::string to_trace(const Profile& profile) {
  const Threads threads(profile);
  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  out += named("process_name", 0, "\"name\":\"graph executable\"");
  for (uint32_t i = 0; i < threads.count(); i++) {
    out += ",\n" + named("thread_name", i, "\"name\":" + json_quoted(threads.name(i)));
    out +=
        ",\n" + named("thread_sort_index", i, "\"sort_index\":" + std::to_string(threads.rank(i)));
  }
  for (uint32_t i = 0; i < profile.rows.size(); i++) {
    const ProfileRow& row = profile.rows[i];
    out += ",\n{\"name\":" + json_quoted(row.name) + ",\"cat\":\"" + graph::kind_name(row.kind) +
           "\",\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(threads.of(i)) +
           ",\"ts\":" + micros(row.start_ns) + ",\"dur\":" + micros(row.end_ns - row.start_ns) +
           ",\"args\":{\"node\":\"" + path_of(profile, row) +
           "\",\"timed\":" + (row.timed ? "true" : "false") + "}}";
  }
  return out + "\n]}\n";
}

}  // namespace xpu::exec
