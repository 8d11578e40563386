// SPDX-License-Identifier: Apache-2.0
// Reads schemas and tags.
#include "operator_facts.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace xpugraph_torch {
namespace {

bool holds_tensors(const c10::TypePtr& type) {
  return type->isSubtypeOf(*c10::TensorType::get()) ||
         type->isSubtypeOf(*c10::ListType::ofTensors());
}

OperatorFacts read(const c10::OperatorHandle& op) {
  const c10::FunctionSchema& schema = op.schema();
  TORCH_CHECK_NOT_IMPLEMENTED(
      op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU), schema.name(),
      " has neither a kernel for this device nor one for the CPU to run instead");
  OperatorFacts facts;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (argument.is_out()) facts.outs.push_back(i);
    if (argument.alias_info() && argument.alias_info()->isWrite()) facts.written.push_back(i);
    c10::TypePtr type = argument.type();
    if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
    if (type->kind() == c10::TypeKind::GeneratorType) facts.generator = i;
  }
  for (const c10::Argument& result : schema.returns()) {
    if (result.alias_info() && !result.alias_info()->isWrite()) facts.is_view = true;
    if (!holds_tensors(result.type())) facts.reads_values = true;
  }
  facts.is_view = facts.is_view && facts.written.empty();
  if (op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output)) {
    facts.reads_values = true;
  }
  // It writes its running statistics, and its schema does not say so.
  if (schema.name() == "aten::native_batch_norm") {
    for (const char* name : {"running_mean", "running_var"}) {
      facts.written.push_back(static_cast<size_t>(*schema.argumentIndexWithName(name)));
    }
  }
  // Its Meta kernel gives other shapes than its CPU kernel, and the backward pass goes by them.
  if (schema.name() == "aten::_embedding_bag") facts.reads_values = true;
  facts.draws = facts.generator.has_value() || op.hasTag(at::Tag::nondeterministic_seeded);
  return facts;
}

}  // namespace

const OperatorFacts& facts_of(const c10::OperatorHandle& op) {
  static auto* mutex = new std::shared_mutex;
  static auto* known = new std::unordered_map<const c10::FunctionSchema*, OperatorFacts>;
  const c10::FunctionSchema* key = &op.schema();
  {
    std::shared_lock lock(*mutex);
    auto found = known->find(key);
    if (found != known->end()) return found->second;
  }
  OperatorFacts facts = read(op);
  std::unique_lock lock(*mutex);
  return known->emplace(key, std::move(facts)).first->second;
}

}  // namespace xpugraph_torch
