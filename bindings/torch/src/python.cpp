// SPDX-License-Identifier: Apache-2.0
// The extension module xpugraph_torch._C: what Python cannot reach through PyTorch itself.
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include "collectives.h"
#include "device.h"
#include "event.h"
#include "fallback.h"
#include "generator.h"
#include "graph.h"
#include "pool.h"
#include "recording.h"
#include "stream.h"
#include "work.h"

namespace xpugraph_torch {
namespace {

c10::MempoolId_t pool_id(const std::optional<c10::MempoolId_t>& pool) {
  return pool.value_or(c10::MempoolId_t{0, 0});
}

/// For programs that register generators with a graph, as they must elsewhere: any may draw here.
void need_generator_of_device(Graph&, const at::Generator& generator) {
  TORCH_CHECK(generator.device().type() == device_type, "a generator of ", device_type,
              " is wanted, not one of ", generator.device());
}

}  // namespace

PYBIND11_MODULE(_C, m) {
  m.doc() = "PyTorch on libxpugraph; use xpugraph_torch and torch.xpuref instead.";
  m.def("device_count", [] { return int(device_count()); });
  m.def("device_error", &device_error);
  m.def("host_operators", &host_operators);
  m.def("collectives",
        [](c10::intrusive_ptr<c10d::Backend> inner) -> c10::intrusive_ptr<c10d::Backend> {
          return c10::make_intrusive<Collectives>(std::move(inner));
        });
  m.def("is_current_stream_capturing",
        [] { return any_recording() && is_captured(current_stream()); });

  py::class_<PoolHold, std::shared_ptr<PoolHold>>(m, "PoolHold")
      .def(py::init(&PoolHold::create))
      .def_static("find", &PoolHold::find, py::arg("id"))
      .def_property_readonly("id", &PoolHold::id);
  m.def("default_generator", [](int index) { return default_generator(c10::DeviceIndex(index)); });

  py::class_<Event>(m, "ExternalEvent")
      .def(py::init(
               [](bool timing) { return std::make_unique<Event>(current_device(), timing, true); }),
           py::arg("enable_timing") = false)
      .def("record", torch::wrap_pybind_function_no_gil(&Event::record))
      .def("wait", torch::wrap_pybind_function_no_gil(&Event::make_wait))
      .def("query", torch::wrap_pybind_function_no_gil(&Event::is_over))
      .def("synchronize", torch::wrap_pybind_function_no_gil(&Event::synchronize))
      .def("elapsed_time", torch::wrap_pybind_function_no_gil(&Event::milliseconds_until));

  py::class_<Graph, std::shared_ptr<Graph>>(m, "XPUGraph")
      .def(py::init([](bool keep_graph) {
             return std::make_shared<Graph>(at::GraphImplArgs{keep_graph});
           }),
           py::arg("keep_graph") = false)
      .def("capture_begin",
           torch::wrap_pybind_function_no_gil(
               [](Graph& graph, std::optional<c10::MempoolId_t> pool) {
                 graph.capture_begin(pool_id(pool), at::GraphCaptureMode::Default);
               }),
           py::arg("pool") = std::nullopt)
      .def("capture_end", torch::wrap_pybind_function_no_gil(&Graph::capture_end))
      .def("instantiate", torch::wrap_pybind_function_no_gil(&Graph::instantiate))
      .def("register_generator_state", torch::wrap_pybind_function(&need_generator_of_device),
           py::arg("generator"))
      .def("replay", torch::wrap_pybind_function_no_gil(&Graph::replay))
      .def("reset", torch::wrap_pybind_function_no_gil(&Graph::reset))
      .def("pool", torch::wrap_pybind_function(&Graph::pool))
      .def("enable_debug_mode", torch::wrap_pybind_function(&Graph::enable_debug_mode))
      .def("debug_dump", torch::wrap_pybind_function_no_gil(&Graph::debug_dump),
           py::arg("debug_path"))
      .def("raw_xpu_graph", torch::wrap_pybind_function(&Graph::raw_graph))
      .def("raw_xpu_graph_exec", torch::wrap_pybind_function(&Graph::raw_exec))
      .def_property_readonly("_capturing", &Graph::capturing);
}

}  // namespace xpugraph_torch
