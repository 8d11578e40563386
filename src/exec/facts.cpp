// SPDX-License-Identifier: Apache-2.0
// Asks the device and the environment what a plan depends on.
#include "exec/facts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/option.h"

namespace xpu::exec {
namespace {

plan::Shape shape_from(const std::string& name) {
  constexpr std::pair<const char*, plan::Shape> kShapes[] = {{"auto", plan::Shape::automatic},
                                                             {"chain", plan::Shape::chain},
                                                             {"levels", plan::Shape::levels},
                                                             {"lanes", plan::Shape::lanes}};
  for (const auto& [known, shape] : kShapes) {
    if (name == known) return shape;
  }
  XPU_LOG(warn, "XPUGRAPH_PLAN=%s is not one of auto, chain, levels, lanes; auto is used",
          name.c_str());
  return plan::Shape::automatic;
}

}  // namespace

plan::DeviceFacts facts_of(runtime::Device& device) {
  static const plan::Shape forced = shape_from(options().plan);
  plan::DeviceFacts facts;
  facts.compute_lanes =
      std::min(std::max(device.lanes().compute_count(), 1u), plan::kMostComputeLanes);
  facts.copy_engine = device.lanes().has_copy();
  facts.host_function_in_list = device.ze().features().host_function;
  facts.shape = forced;
  return facts;
}

}  // namespace xpu::exec
