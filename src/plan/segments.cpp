// SPDX-License-Identifier: Apache-2.0
// Cuts lanes into segments.
#include "plan/segments.h"

#include <algorithm>

#include "graph/external.h"
#include "plan/clock.h"

namespace xpu::plan {
namespace {

using graph::NodeKind;

SegmentKind segment_kind(const PlanNode& node, const DeviceFacts& facts) {
  switch (node.params->kind()) {
    case NodeKind::host:
      return facts.host_function_in_list ? SegmentKind::work : SegmentKind::host;
    case NodeKind::event_record:
      return SegmentKind::event_record;
    case NodeKind::event_wait:
      return SegmentKind::event_wait;
    case NodeKind::semaphore_signal:
    case NodeKind::semaphore_wait:
    case NodeKind::batch:
      return SegmentKind::external;
    case NodeKind::conditional:
      return SegmentKind::conditional;
    default:
      return SegmentKind::work;
  }
}

class Cutter {
 public:
  Cutter(const Flat& flat, const std::vector<uint32_t>& levels, const Lanes& lanes,
         const DeviceFacts& facts)
      : flat_(flat), levels_(levels), lanes_(lanes), facts_(facts) {}

  Plan cut() {
    put_in_order();
    find_waits();
    make_segments();
    find_ends();
    plan_.lanes = lanes_.all;
    return std::move(plan_);
  }

 private:
  uint32_t lane_count() const noexcept { return static_cast<uint32_t>(lanes_.all.size()); }

  // How many waits for others are on the way to each item, itself included, at most.
  // What depends on none is submitted before all of them: the other program may be waiting for it.
  // Empty without a host lane, where all of these are.
  std::vector<uint32_t> find_awaited() const {
    std::vector<uint32_t> awaited;
    const auto is_host = [](const Lane& lane) { return lane.kind == LaneKind::host; };
    if (std::none_of(lanes_.all.begin(), lanes_.all.end(), is_host)) return awaited;
    awaited.resize(flat_.size());
    for (uint32_t item = 0; item < flat_.size(); item++) {
      for (uint32_t d : flat_.dependencies(item))
        awaited[item] = std::max(awaited[item], awaited[d]);
      if (flat_.is_join(item)) continue;
      const auto* external = flat_.node(item).params.as<graph::ExternalParams>();
      if (external && external->waits()) awaited[item]++;
    }
    return awaited;
  }

  // Epoch: the most changes of lane on any way to the item. Sorting by it first puts what a lane
  // can do without waiting before what it cannot, so that a lane is cut as seldom as possible; by
  // level next, so that barriers are shared. All of these grow along edges, so the order is one
  // that can run.
  void put_in_order() {
    const uint32_t size = flat_.size();
    std::vector<uint32_t> epochs(size);
    if (lane_count() > 1) {
      std::vector<Clock> latest(flat_.joins);  // of joins: per lane, 1 + epoch
      for (uint32_t item = 0; item < size; item++) {
        Clock seen;
        for (uint32_t d : flat_.dependencies(item)) {
          if (flat_.is_join(d)) {
            seen.raise(latest[flat_.join(d)]);
          } else {
            seen.raise(lanes_.of[d], epochs[d] + 1);
          }
        }
        const bool join = flat_.is_join(item);
        for (uint32_t lane = 0; lane < kMostLanes; lane++) {
          if (!seen[lane]) continue;
          const bool crosses = !join && lane != lanes_.of[item];
          epochs[item] = std::max(epochs[item], seen[lane] - 1 + (crosses ? 1 : 0));
        }
        if (join) latest[flat_.join(item)] = seen;
      }
    }
    order_.resize(size);
    for (uint32_t item = 0; item < size; item++) order_[item] = item;
    const std::vector<uint32_t> awaited = find_awaited();
    const auto earlier = [&](uint32_t a, uint32_t b) {
      if (!awaited.empty() && awaited[a] != awaited[b]) return awaited[a] < awaited[b];
      if (epochs[a] != epochs[b]) return epochs[a] < epochs[b];
      if (levels_[a] != levels_[b]) return levels_[a] < levels_[b];
      return a < b;
    };
    if (!std::is_sorted(order_.begin(), order_.end(), earlier)) {
      std::sort(order_.begin(), order_.end(), earlier);
    }
  }

  void find_waits() {
    const uint32_t size = flat_.size();
    position_.resize(size);
    own_need_.resize(size);
    signals_.resize(size);
    waits_first_.resize(size);
    waits_count_.resize(size);
    if (lane_count() > 1)
      find_waits_across_lanes();
    else
      find_needs();
  }

  // Nothing waits where there is one lane, and there a clock per item would be a third of planning.
  void find_needs() {
    std::vector<uint32_t> joined(flat_.joins);
    on_lane_[0].reserve(flat_.size());
    for (uint32_t item : order_) {
      uint32_t need = 0;
      for (uint32_t d : flat_.dependencies(item))
        need = std::max(need, flat_.is_join(d) ? joined[flat_.join(d)] : position_[d]);
      if (flat_.is_join(item)) {
        joined[flat_.join(item)] = need;
        continue;
      }
      own_need_[item] = need;
      on_lane_[0].push_back(item);
      position_[item] = static_cast<uint32_t>(on_lane_[0].size());
    }
  }

  // What each item needs to be complete, and which of that its lane does not know to be complete.
  void find_waits_across_lanes() {
    std::vector<Clock> joined(flat_.joins);
    known_at_.resize(flat_.size());
    for (uint32_t item : order_) {
      Clock need;
      for (uint32_t d : flat_.dependencies(item)) {
        if (flat_.is_join(d)) {
          need.raise(joined[flat_.join(d)]);
        } else {
          need.raise(lanes_.of[d], position_[d]);
        }
      }
      if (flat_.is_join(item)) {
        joined[flat_.join(item)] = need;
        continue;
      }
      const uint32_t lane = lanes_.of[item];
      own_need_[item] = need[lane];
      wait_for(item, need);
      known_at_[item] = known_[lane];
      known_at_[item].raise(lane, static_cast<uint32_t>(on_lane_[lane].size()) + 1);
      on_lane_[lane].push_back(item);
      position_[item] = static_cast<uint32_t>(on_lane_[lane].size());
    }
  }

  void wait_for(uint32_t item, const Clock& need) {
    const uint32_t lane = lanes_.of[item];
    Clock& known = known_[lane];
    uint32_t missing[kMostLanes], count = 0;
    for (uint32_t other = 0; other < lane_count(); other++) {
      if (other != lane && need[other] > known[other]) {
        missing[count++] = on_lane_[other][need[other] - 1];
      }
    }
    // The one with the most behind it first: it may imply the others, never the other way round.
    const auto knows_more = [&](uint32_t a, uint32_t b) {
      return known_at_[a][lanes_.of[b]] >= position_[b];
    };
    waits_first_[item] = static_cast<uint32_t>(waits_.size());
    for (uint32_t i = 0; i < count; i++) {
      bool implied = false;
      for (uint32_t j = 0; j < count; j++) {
        implied = implied || (i != j && knows_more(missing[j], missing[i]));
      }
      if (implied) continue;
      waits_.push_back(missing[i]);
      waits_count_[item]++;
      signals_[missing[i]] = true;
    }
    for (uint32_t i = 0; i < count; i++) known.raise(known_at_[missing[i]]);
  }

  void make_segments() {
    std::vector<uint32_t> open(lane_count(), kNone), barrier_from(lane_count());
    std::vector<bool> after_cooperative(lane_count());
    std::vector<uint32_t> segment_of(flat_.size());
    for (uint32_t item : order_) {
      if (flat_.is_join(item)) continue;
      const uint32_t lane = lanes_.of[item];
      const SegmentKind kind = segment_kind(flat_.node(item), facts_);
      const bool cut = open[lane] == kNone || waits_count_[item] || kind != SegmentKind::work ||
                       plan_.segments[open[lane]].kind != SegmentKind::work ||
                       signals_[on_lane_[lane][position_[item] - 2]];
      if (cut) {
        open[lane] = static_cast<uint32_t>(plan_.segments.size());
        Segment segment;
        segment.kind = kind;
        segment.lane = static_cast<uint16_t>(lane);
        for (uint32_t i = 0; i < waits_count_[item]; i++) {
          segment.waits_on.push_back(segment_of[waits_[waits_first_[item] + i]]);
        }
        std::sort(segment.waits_on.begin(), segment.waits_on.end());
        if (lane_count() == 1 && plan_.segments.empty()) segment.steps.reserve(order_.size());
        plan_.segments.push_back(std::move(segment));
        barrier_from[lane] = position_[item];
      }
      const bool cooperative = is_cooperative(flat_.node(item));
      const bool barrier = !cut && (own_need_[item] >= barrier_from[lane] || cooperative ||
                                    after_cooperative[lane] || facts_.shape == Shape::chain);
      after_cooperative[lane] = cooperative;
      if (barrier) barrier_from[lane] = position_[item];
      Segment& segment = plan_.segments[open[lane]];
      segment.steps.push_back({flat_.items[item], barrier});
      if (signals_[item]) segment.signals = true;
      segment_of[item] = open[lane];
    }
    for (Segment& segment : plan_.segments) order_chain(segment);
    last_ = std::move(open);
  }

  // A barrier between every two steps is an in-order list, which needs none.
  static void order_chain(Segment& segment) {
    segment.steps.shrink_to_fit();
    segment.in_order = std::all_of(segment.steps.begin() + 1, segment.steps.end(),
                                   [](const Step& s) { return s.barrier_before; });
    if (!segment.in_order) return;
    for (Step& step : segment.steps) step.barrier_before = false;
  }

  // The last segment of each lane, unless a last segment of another lane comes after it.
  void find_ends() {
    for (uint32_t lane = 0; lane < lane_count(); lane++) {
      const auto count = static_cast<uint32_t>(on_lane_[lane].size());
      bool implied = false;
      for (uint32_t other = 0; other < lane_count(); other++) {
        implied = implied || (other != lane && known_[other][lane] >= count);
      }
      if (implied || last_[lane] == kNone) continue;
      plan_.ends.push_back(last_[lane]);
      plan_.segments[last_[lane]].signals = true;
    }
    std::sort(plan_.ends.begin(), plan_.ends.end());
  }

  static constexpr uint32_t kNone = UINT32_MAX;

  const Flat& flat_;
  const std::vector<uint32_t>& levels_;
  const Lanes& lanes_;
  const DeviceFacts& facts_;
  Plan plan_;
  std::vector<uint32_t> order_;                // items as they are submitted
  std::vector<uint32_t> on_lane_[kMostLanes];  // items of a lane, in that order
  std::vector<uint32_t> position_;             // of an item on its lane, from 1
  std::vector<uint32_t> own_need_;             // last position of its own lane that it needs
  std::vector<bool> signals_;                  // another lane waits for the item
  std::vector<uint32_t> waits_;                // items waited for, grouped by the waiting item
  std::vector<uint32_t> waits_first_, waits_count_;
  std::vector<Clock> known_at_;  // complete when the item's segment is
  Clock known_[kMostLanes];      // complete before the next item of a lane begins
  std::vector<uint32_t> last_;   // last segment of each lane
};

}  // namespace

Plan cut_segments(const Flat& flat, const std::vector<uint32_t>& levels, const Lanes& lanes,
                  const DeviceFacts& facts) {
  return Cutter(flat, levels, lanes, facts).cut();
}

}  // namespace xpu::plan
