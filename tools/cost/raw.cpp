// SPDX-License-Identifier: Apache-2.0
// The limit: Level Zero written by hand, as well as it can be for a graph that is launched often.
//
// One plain list with a barrier between levels, not an in-order one: that is cheaper to encode by 4
// % and dearer to launch by 7 % (docs/design/encoding.md). One kernel handle serves all nodes.
// Updates patch a mutable list, which only they use: it costs twice as much to encode.
#include <utility>
#include <vector>

#include "contender.h"

namespace cost {
namespace {

class Raw final : public Contender {
 public:
  explicit Raw(const Ground& ground)
      : ground_(ground), ze_(ground.calls()), queue_(ground.immediate()) {}
  ~Raw() override { (void)ze_.CommandListDestroy(queue_); }

  const char* name() const override { return "raw"; }
  std::string lacks(Figure figure) const override;

  void prepare(const Shape& shape) override { shape_ = &shape; }
  void capture() override {}
  void drop_capture() override {}
  void instantiate() override;
  void drop_instance() override { GOOD(ze_.CommandListDestroy(std::exchange(list_, nullptr))); }
  void launch() override {
    GOOD(ze_.CommandListImmediateAppendCommandListsExp(queue_, 1, &list_, nullptr, 0, nullptr));
  }
  void wait() override { GOOD(ze_.CommandListHostSynchronize(queue_, UINT64_MAX)); }
  void make_updatable() override;
  void update(int first, int count, bool flip) override;
  void update_graph(bool flip, bool) override { update(0, shape_->size(), flip); }
  void keep() override { kept_.push_back(std::exchange(list_, nullptr)); }
  void drop_kept() override {
    for (auto list : kept_) GOOD(ze_.CommandListDestroy(list));
    kept_.clear();
  }

 private:
  const Ground& ground_;
  const xpu::ze::Table& ze_;
  const Shape* shape_ = nullptr;
  ze_command_list_handle_t queue_;
  ze_command_list_handle_t list_ = nullptr;
  std::vector<ze_command_list_handle_t> kept_;
  std::vector<ze_mutable_kernel_argument_exp_desc_t> changes_;  // by node: of its buffer
};

std::string Raw::lacks(Figure figure) const {
  const uint32_t can = ground_.device().features().mutable_commands;
  switch (figure) {
    case Figure::capture:
      return "nothing is captured: instantiate is all it costs to write the list";
    case Figure::update_one:
    case Figure::update_one_launch:
    case Figure::update_all:
    case Figure::update_graph:
      if (!can) return "the device has no mutable lists";
      if (!(can & ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS))
        return "mutable lists of this device do not change arguments";
      return "";
    case Figure::update_graph_same:
      return "what is written by hand is not compared: who knows that nothing differs does nothing";
    default:
      return ze_.CommandListImmediateAppendCommandListsExp && ze_.CommandListHostSynchronize
                 ? ""
                 : "the driver does not append closed lists to an immediate one";
  }
}

void Raw::instantiate() {
  list_ = ground_.regular();
  int level = 0;
  for (int number : shape_->by_level) {
    const Node& node = shape_->nodes[number];
    if (node.level != level) GOOD(ze_.CommandListAppendBarrier(list_, nullptr, 0, nullptr));
    level = node.level;
    ground_.append(list_, number, node);
  }
  GOOD(ze_.CommandListClose(list_));
}

void Raw::make_updatable() {
  drop_instance();
  ze_mutable_command_list_exp_desc_t can_change = {};
  can_change.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC;
  list_ = ground_.regular(&can_change);
  ze_mutable_command_id_exp_desc_t what = {};
  what.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC;
  what.flags = ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS;
  ze_mutable_kernel_argument_exp_desc_t change = {};
  change.stype = ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC;
  change.argSize = sizeof(void*);
  changes_.assign(shape_->nodes.size(), change);
  int level = 0;
  for (int number : shape_->by_level) {
    const Node& node = shape_->nodes[number];
    if (node.level != level) GOOD(ze_.CommandListAppendBarrier(list_, nullptr, 0, nullptr));
    level = node.level;
    GOOD(ze_.CommandListGetNextCommandIdExp(list_, &what, &changes_[number].commandId));
    ground_.append(list_, number, node);
  }
  GOOD(ze_.CommandListClose(list_));
}

void Raw::update(int first, int count, bool flip) {
  const void* next = nullptr;
  for (int i = first; i < first + count; i++) {
    changes_[i].pNext = next;
    changes_[i].pArgValue = flip ? ground_.spare() : ground_.buffer(shape_->nodes[i].buffer);
    next = &changes_[i];
  }
  ze_mutable_commands_exp_desc_t all = {};
  all.stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC;
  all.pNext = next;
  GOOD(ze_.CommandListUpdateMutableCommandsExp(list_, &all));
  GOOD(ze_.CommandListClose(list_));
}

}  // namespace

std::unique_ptr<Contender> make_raw(const Ground& ground) { return std::make_unique<Raw>(ground); }

}  // namespace cost
