// SPDX-License-Identifier: Apache-2.0
// The deferred fallback for every operator.
#include "fallback.h"

#include <algorithm>
#include <mutex>

#include <ATen/ops/empty_strided.h>
#include <torch/csrc/utils/pybind.h>

#include "allocator.h"
#include "generator.h"
#include "host_operator.h"
#include "host_side.h"
#include "map_tensors.h"
#include "operator_facts.h"
#include "operators.h"
#include "recording.h"
#include "shapes.h"
#include "storage.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

/// The tensors among the arguments, in order and without repeats.
std::vector<at::Tensor> tensors_in(c10::ArrayRef<c10::IValue> arguments) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& argument : arguments) {
    map_tensors(argument, at::kCPU, [&](const at::Tensor& tensor) {
      for (const at::Tensor& known : tensors) {
        if (known.is_same(tensor)) return tensor;
      }
      tensors.push_back(tensor);
      return tensor;
    });
  }
  return tensors;
}

c10::DeviceIndex device_of(const c10::OperatorHandle& op, const std::vector<at::Tensor>& tensors) {
  std::optional<c10::DeviceIndex> index;
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.layout() == at::kStrided, op.schema().name(),
                ": this device has strided tensors only, and "
                "was given one of layout ",
                tensor.layout());
    if (!on_device(tensor)) continue;
    TORCH_CHECK(!index || *index == tensor.device().index(),
                "Expected all tensors to be on the same device, but ", op.schema().name(),
                " was given tensors on ", device(*index), " and ", tensor.device());
    index = tensor.device().index();
  }
  return index.value_or(current_device());
}

/// CPU tensors count as numbers if they have no dimension, and may index; everything else is a
/// mistake.
at::Tensor kept_number(const c10::OperatorHandle& op, const c10::IValue& argument,
                       const at::Tensor& tensor) {
  TORCH_CHECK(tensor.is_cpu() && (tensor.dim() == 0 || argument.isOptionalTensorList()),
              "Expected all tensors to be on the same device, but ", op.schema().name(),
              " was given tensors on ", device(current_device()), " and ", tensor.device());
  return tensor.clone();
}

void add_arguments(HostSide& host, const OperatorFacts& facts,
                   c10::ArrayRef<c10::IValue> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool written = std::find(facts.written.begin(), facts.written.end(), i) != facts.written.end();
    map_tensors(arguments[i], at::kCPU, [&](const at::Tensor& tensor) {
      if (on_device(tensor)) {
        host.add(tensor, written ? HostSide::Use::read_and_write : HostSide::Use::read);
      }
      return tensor;
    });
  }
}

torch::jit::Stack views_of(HostSide& host, const c10::OperatorHandle& op,
                           c10::ArrayRef<c10::IValue> arguments) {
  torch::jit::Stack stack;
  stack.reserve(arguments.size());
  for (const c10::IValue& argument : arguments) {
    stack.push_back(map_tensors(argument, at::kCPU, [&](const at::Tensor& tensor) {
      return on_device(tensor) ? host.view(tensor) : kept_number(op, argument, tensor);
    }));
  }
  return stack;
}

at::Tensor view_of(const at::Tensor& base, const TensorShape& shape) {
  auto view = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW,
                                                       c10::Storage(base.storage()), base.key_set(),
                                                       c10::scalarTypeToTypeMeta(shape.dtype));
  int64_t offset = base.storage_offset() * static_cast<int64_t>(base.itemsize()) /
                   static_cast<int64_t>(c10::elementSize(shape.dtype));
  view.unsafeGetTensorImpl()->set_sizes_and_strides(shape.sizes, shape.strides,
                                                    offset + shape.offset);
  return view;
}

void resize(const at::Tensor& tensor, const TensorShape& shape) {
  tensor.resize_(shape.sizes);
  if (tensor.strides() != c10::IntArrayRef(shape.strides)) {
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(shape.sizes, shape.strides);
  }
}

/// Builds the results from their shapes; `make` is called for each fresh one.
template <typename Make>
void push_results(const Shapes& shapes, const std::vector<at::Tensor>& tensors,
                  torch::jit::Stack* stack, const Make& make) {
  auto build = [&](const TensorShape& shape, size_t result, std::optional<size_t> item) {
    switch (shape.kind) {
      case TensorShape::Kind::undefined:
        return at::Tensor();
      case TensorShape::Kind::argument:
        return tensors[shape.argument];
      case TensorShape::Kind::fresh:
        break;
    }
    return make(shape, result, item);
  };
  for (size_t i = 0; i < shapes.results.size(); ++i) {
    const ResultShape& result = shapes.results[i];
    if (!result.is_list) {
      stack->emplace_back(build(result.tensors[0], i, std::nullopt));
      continue;
    }
    c10::List<at::Tensor> list;
    for (size_t j = 0; j < result.tensors.size(); ++j)
      list.push_back(build(result.tensors[j], i, j));
    stack->emplace_back(std::move(list));
  }
}

std::optional<PhiloxDraw> draw_for(const c10::OperatorHandle& op, const OperatorFacts& facts,
                                   c10::ArrayRef<c10::IValue> arguments) {
  if (!facts.draws) return std::nullopt;
  TORCH_CHECK_NOT_IMPLEMENTED(facts.generator, op.schema().name(),
                              " draws random numbers from PyTorch's CPU generator, "
                              "which a graph could not repeat, and has no kernel for this device");
  return draw_from(arguments[*facts.generator].toOptional<at::Generator>(), 4);
}

/// What an operator of which only values tell the results returned on the CPU.
c10::IValue to_device(const c10::IValue& result, const torch::jit::Stack& host,
                      c10::ArrayRef<c10::IValue> arguments) {
  if (!result.isTensor() || !result.toTensor().defined()) return result;
  for (size_t i = 0; i < host.size(); ++i) {
    if (host[i].isTensor() && host[i].toTensor().is_same(result.toTensor())) return arguments[i];
  }
  return result.toTensor().to(device(current_device()));
}

void run_now(const c10::OperatorHandle& op, const OperatorFacts& facts, torch::jit::Stack* stack,
             const std::string& reason) {
  TORCH_CHECK(
      !is_captured(current_stream()), op.schema().name(), " cannot be captured: ", reason,
      ", which the host has to read, and captured work runs at replay. Move it out of the capture");
  // An `out` of the wrong size is refused by the kernel: memory of others cannot be resized.
  size_t count = op.schema().arguments().size();
  torch::jit::Stack arguments = torch::jit::pop(*stack, count);
  HostSide side(current_device());
  add_arguments(side, facts, arguments);
  torch::jit::Stack host = views_of(side, op, arguments);
  if (auto draw = draw_for(op, facts, arguments)) host[*facts.generator] = twister(*draw);
  side.copy_in();
  synchronize(current_stream());
  torch::jit::Stack results = host;
  {
    at::AutoDispatchBelowAutograd below_autograd;
    op.callBoxed(&results);
  }
  // Before the memory may be another's.
  for (const c10::IValue& result : results) stack->push_back(to_device(result, host, arguments));
  side.copy_out();
}

struct Counts {
  std::mutex mutex;
  std::map<std::string, size_t> of;
};

Counts& counts() {
  static auto* all = new Counts;
  return *all;
}

void count(const c10::OperatorHandle& op) {
  std::string name = op.schema().name();
  if (!op.schema().overload_name().empty()) name += "." + op.schema().overload_name();
  std::lock_guard lock(counts().mutex);
  ++counts().of[name];
}

}  // namespace

std::map<std::string, size_t> host_operators() {
  std::lock_guard lock(counts().mutex);
  return counts().of;
}

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const OperatorFacts& facts = facts_of(op);
  if (!facts.is_view) count(op);
  size_t count = op.schema().arguments().size();
  std::vector<at::Tensor> tensors = tensors_in(torch::jit::last(*stack, count));
  OnDevice there(device_of(op, tensors));
  if (facts.reads_values) return run_now(op, facts, stack, "what it returns depends on values");

  std::shared_ptr<const Shapes> shapes;
  try {
    shapes = infer_shapes(op, facts, torch::jit::last(*stack, count), tensors);
  } catch (const c10::NotImplementedError&) {
  } catch (const pybind11::error_already_set& error) {
    // Many Meta kernels are Python.
    pybind11::gil_scoped_acquire locked;
    if (!error.matches(PyExc_NotImplementedError)) throw;
  }
  if (!shapes) {
    return run_now(op, facts, stack,
                   "PyTorch cannot tell the shape of what it returns without values");
  }
  torch::jit::Stack arguments = torch::jit::pop(*stack, count);
  if (facts.is_view) {
    auto base = std::find_if(tensors.begin(), tensors.end(), on_device);
    push_results(*shapes, tensors, stack,
                 [&](const TensorShape& shape, size_t, auto) { return view_of(*base, shape); });
    return;
  }
  for (const TensorShape& shape : shapes->resized) resize(tensors[shape.argument], shape);
  std::optional<PhiloxDraw> draw = draw_for(op, facts, arguments);
  HostSide host(current_device());
  add_arguments(host, facts, arguments);
  struct Fresh {
    size_t result;
    std::optional<size_t> item;
    at::Tensor tensor;
  };
  std::vector<Fresh> fresh;
  push_results(*shapes, tensors, stack,
               [&](const TensorShape& shape, size_t result, std::optional<size_t> item) {
                 at::Tensor made = at::empty_strided(
                     shape.sizes, shape.strides,
                     at::TensorOptions().dtype(shape.dtype).device(device(current_device())));
                 host.add(made, HostSide::Use::write);
                 fresh.push_back({result, item, made});
                 return made;
               });
  auto work = std::make_unique<HostOperator>(op, facts, views_of(host, op, arguments), draw);
  for (const Fresh& made : fresh) work->add_target(made.result, made.item, host.view(made.tensor));
  host.copy_in();
  enqueue(std::move(work), current_stream());
  host.copy_out();
}

torch::jit::Stack run_on_host(const char* name, const char* overload, torch::jit::Stack arguments) {
  c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  run_on_host(op, &arguments);
  return arguments;
}

XPUGRAPH_OPERATORS_OF("_", m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_host>());
}

}  // namespace xpugraph_torch
