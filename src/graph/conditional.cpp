// SPDX-License-Identifier: Apache-2.0
// Makes conditional nodes, and collects the conditions of a graph.
#include "graph/conditional.h"

#include <algorithm>
#include <string>

#include "base/handle.h"
#include "graph/graph.h"

namespace xpu::graph {
namespace {

Status check_count(Choice choice, size_t bodies) {
  switch (choice) {
    case Choice::either:
      if (bodies == 1 || bodies == 2) return {};
      return invalid_value(
          "size is " + std::to_string(bodies) + "; an \"if\" has 1 body, or 2 with an \"else\"",
          "size");
    case Choice::loop:
      if (bodies == 1) return {};
      return invalid_value("size is " + std::to_string(bodies) + "; a \"while\" has 1 body",
                           "size");
    case Choice::one_of:
      if (bodies >= 1) return {};
      return invalid_value("size is 0; a \"switch\" has at least 1 body", "size");
  }
  return invalid_value("type is " + std::to_string(static_cast<int>(choice)) +
                           "; it is 0 (if), 1 (while) or 2 (switch)",
                       "type");
}

void collect(const Graph& graph, std::vector<std::shared_ptr<Condition>>& all) {
  all.insert(all.end(), graph.conditions().begin(), graph.conditions().end());
  for (const Node* node : graph.nodes()) {
    if (auto* conditional = node->as<ConditionalParams>()) {
      for (const std::shared_ptr<Graph>& body : conditional->bodies()) collect(*body, all);
    }
  }
}

}  // namespace

Result<ParamsRef> ConditionalParams::make(std::shared_ptr<Condition> condition, Choice choice,
                                          std::vector<std::shared_ptr<Graph>> bodies) {
  XPU_TRY(check_count(choice, bodies.size()));
  auto handles = std::make_unique<xpuGraph_t[]>(bodies.size());
  for (size_t i = 0; i < bodies.size(); i++) {
    handles[i] = to_public<xpuGraph_t>(bodies[i]->handle());
    if (!handles[i])
      return Status::error(xpuErrorMemoryAllocation, "no memory is left for another handle");
  }
  auto* made = new ConditionalParams(std::move(condition), choice, std::move(bodies));
  made->handles_ = std::move(handles);
  return ParamsRef::adopt(made);
}

ParamsRef ConditionalParams::clone() const {
  std::vector<std::shared_ptr<Graph>> bodies;
  for (const std::shared_ptr<Graph>& body : bodies_) bodies.push_back(body->clone());
  return ParamsRef::adopt(new ConditionalParams(condition_, choice_, std::move(bodies)));
}

void ConditionalParams::collect(std::vector<const Condition*>& conditions) const {
  conditions.push_back(condition_.get());
  for (const std::shared_ptr<Graph>& body : bodies_) {
    for (const Node* node : body->nodes()) {
      if (auto* inner = node->as<ConditionalParams>()) inner->collect(conditions);
    }
  }
}

size_t ConditionalParams::chosen(uint32_t value) const noexcept {
  switch (choice_) {
    case Choice::either:
      return value ? 0 : 1;  // without a second body that is none
    case Choice::loop:
      return value ? 0 : 1;
    case Choice::one_of:
      break;
  }
  return value < bodies_.size() ? value : bodies_.size();
}

std::vector<std::shared_ptr<Condition>> conditions_in(const Graph& graph) {
  std::vector<std::shared_ptr<Condition>> all;
  // A conditional node has its condition in its own graph, or in one around it.
  if (!graph.conditions().empty()) collect(graph, all);
  return all;
}

Result<Conditions> Conditions::claim(const Graph& graph) {
  Conditions claimed;
  XPU_TRY(claimed.exchange(graph));
  return claimed;
}

Status Conditions::exchange(const Graph& graph) {
  std::vector<std::shared_ptr<Condition>> next = conditions_in(graph);
  const auto has = [](const auto& all, const std::shared_ptr<Condition>& condition) {
    return std::find(all.begin(), all.end(), condition) != all.end();
  };
  Conditions fresh;  // given back unless all goes well
  for (const std::shared_ptr<Condition>& condition : next) {
    if (!condition->node())
      return invalid_value(
          "a conditional handle of the graph has no conditional node; add the node that looks at "
          "it, or make the handle only when there will be one",
          "graph");
    if (has(all_, condition)) continue;
    fresh.all_.reserve(fresh.all_.size() + 1);
    if (!condition->claim())
      return Status::error(
          xpuErrorNotSupported,
          "the graph has conditional nodes and an executable already; both would set the same "
          "values. Destroy that executable first",
          "graph");
    fresh.all_.push_back(condition);
  }
  for (const std::shared_ptr<Condition>& condition : all_) {
    if (!has(next, condition)) condition->unclaim();
  }
  fresh.all_.clear();
  all_ = std::move(next);
  return {};
}

}  // namespace xpu::graph
