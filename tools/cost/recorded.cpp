// SPDX-License-Identifier: Apache-2.0
// The rival: the driver records what is appended to its own lists and replays it.
#include <utility>
#include <vector>

#include "contender.h"
#include "record_replay.h"

namespace cost {
namespace {

class Recorded final : public Contender {
 public:
  explicit Recorded(const Ground& ground)
      : ground_(ground),
        ze_(ground.calls()),
        graphs_(ground.driver()),
        queue_(ground.immediate()) {}
  ~Recorded() override {
    (void)ze_.CommandListDestroy(queue_);
    for (auto lane : lanes_) (void)ze_.CommandListDestroy(lane);
    for (auto event : events_) (void)ze_.EventDestroy(event);
  }

  const char* name() const override { return "driver"; }
  std::string lacks(Figure figure) const override;

  void prepare(const Shape& shape) override;
  void capture() override;
  void drop_capture() override { GOOD(graphs_.GraphDestroyExt(std::exchange(graph_, nullptr))); }
  void instantiate() override { GOOD(graphs_.GraphInstantiateExt(graph_, nullptr, &executable_)); }
  void drop_instance() override {
    GOOD(graphs_.ExecutableGraphDestroyExt(std::exchange(executable_, nullptr)));
  }
  void launch() override {
    GOOD(graphs_.CommandListAppendGraphExt(queue_, executable_, nullptr, nullptr, 0, nullptr));
  }
  void wait() override { GOOD(ze_.CommandListHostSynchronize(queue_, UINT64_MAX)); }
  void make_updatable() override {}
  void update(int, int, bool) override {}
  void update_graph(bool, bool) override {}
  void keep() override {
    kept_.emplace_back(std::exchange(graph_, nullptr), std::exchange(executable_, nullptr));
  }
  void drop_kept() override;

 private:
  void plan_lanes();

  const Ground& ground_;
  const xpu::ze::Table& ze_;
  const RecordReplay graphs_;
  const Shape* shape_ = nullptr;
  ze_command_list_handle_t queue_;
  std::vector<ze_command_list_handle_t> lanes_;
  std::vector<ze_event_handle_t> events_;   // of the nodes that signal one, in their order
  std::vector<ze_event_handle_t> signals_;  // by node
  std::vector<ze_event_handle_t> waits_;    // room for those of one node
  std::vector<bool> forks_;  // by node: the first of a lane that does not wait for node 0
  std::vector<ze_event_handle_t> joins_;  // what lane 0 has not waited for when all is appended
  DriverGraph* graph_ = nullptr;
  DriverExecutable* executable_ = nullptr;
  std::vector<std::pair<DriverGraph*, DriverExecutable*>> kept_;
};

std::string Recorded::lacks(Figure figure) const {
  if (!graphs_.missing.empty()) return "the driver has no " + graphs_.missing;
  if (figure == Figure::update_one || figure == Figure::update_one_launch ||
      figure == Figure::update_all || figure == Figure::update_graph ||
      figure == Figure::update_graph_same)
    return "the extension has no updates: record and instantiate again";
  return "";
}

void Recorded::prepare(const Shape& shape) {
  shape_ = &shape;
  while (static_cast<int>(lanes_.size()) < shape.lanes) lanes_.push_back(ground_.immediate());
  signals_.assign(shape.nodes.size(), nullptr);
  size_t used = 0;
  for (int i = 0; i < shape.size(); i++) {
    if (!shape.nodes[i].signals) continue;
    if (used == events_.size()) {
      ze_event_counter_based_desc_t desc = {};
      desc.stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC;
      // Both: recorded on an immediate list, it ends up in a closed one.
      desc.flags =
          ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE;
      ze_event_handle_t event = nullptr;
      GOOD(ze_.EventCounterBasedCreate(ground_.driver().context(), ground_.device().handle(), &desc,
                                       &event));
      events_.push_back(event);
    }
    signals_[i] = events_[used++];
  }
  waits_.resize(shape.lanes);
  plan_lanes();
}

// The driver takes a lane for forked from the first event that it waits for, and wants it joined to
// where that came from. A row of the grid begins after the row above but is waited for by the row
// below; so lanes are forked from node 0, which is before everything, and joined to lane 0 at the
// end.
void Recorded::plan_lanes() {
  forks_.assign(shape_->nodes.size(), false);
  joins_.clear();
  std::vector<int> last(shape_->lanes, -1);
  std::vector<bool> joined(shape_->nodes.size(), false);
  for (int i = 0; i < shape_->size(); i++) {
    const Node& node = shape_->nodes[i];
    forks_[i] = node.lane != 0 && last[node.lane] < 0 && node.waits.front() != 0;
    last[node.lane] = i;
    if (node.lane == 0)
      for (int before : node.waits) joined[before] = true;
  }
  for (int lane = 1; lane < shape_->lanes; lane++)
    if (!joined[last[lane]]) joins_.push_back(signals_[last[lane]]);
}

void Recorded::capture() {
  GOOD(graphs_.CommandListBeginGraphCaptureExt(lanes_[0], nullptr));
  for (int i = 0; i < shape_->size(); i++) {
    const Node& node = shape_->nodes[i];
    uint32_t count = 0;
    if (forks_[i]) GOOD(ze_.CommandListAppendWaitOnEvents(lanes_[node.lane], 1, &signals_[0]));
    for (int before : node.waits) waits_[count++] = signals_[before];
    ground_.append(lanes_[node.lane], i, node, signals_[i], count, count ? waits_.data() : nullptr);
  }
  if (!joins_.empty())
    GOOD(ze_.CommandListAppendWaitOnEvents(lanes_[0], static_cast<uint32_t>(joins_.size()),
                                           joins_.data()));
  GOOD(graphs_.CommandListEndGraphCaptureExt(lanes_[0], nullptr, &graph_));
}

void Recorded::drop_kept() {
  for (auto [graph, executable] : kept_) {
    GOOD(graphs_.ExecutableGraphDestroyExt(executable));
    GOOD(graphs_.GraphDestroyExt(graph));
  }
  kept_.clear();
}

}  // namespace

std::unique_ptr<Contender> make_recorded(const Ground& ground) {
  return std::make_unique<Recorded>(ground);
}

}  // namespace cost
