// SPDX-License-Identifier: Apache-2.0
// This library, as a program uses it: through the C API, on the driver and context of the others.
#include <xpugraph/xpugraph.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "contender.h"

namespace cost {
namespace {

void check(xpuError_t error) {
  if (error == xpuSuccess) return;
  xpuErrorInfo info = {};
  info.struct_size = sizeof info;
  (void)xpuGetLastErrorInfo(&info);
  throw std::runtime_error(std::string(info.function) + ": " + info.sentence);
}

class Ours final : public Contender {
 public:
  explicit Ours(const Ground& ground);
  ~Ours() override;

  const char* name() const override { return "ours"; }
  std::string lacks(Figure) const override { return ""; }

  void prepare(const Shape& shape) override;
  void capture() override { graph_ = captured(false); }
  void drop_capture() override;
  void instantiate() override { check(xpuGraphInstantiate(&exec_, graph_, 0)); }
  void drop_instance() override { check(xpuGraphExecDestroy(std::exchange(exec_, nullptr))); }
  void launch() override { check(xpuGraphLaunch(exec_, streams_[0])); }
  void wait() override { check(xpuStreamSynchronize(streams_[0])); }
  void make_updatable() override;
  void update(int first, int count, bool flip) override;
  void update_graph(bool flip, bool same) override;
  void keep() override {
    kept_.emplace_back(std::exchange(graph_, nullptr), std::exchange(exec_, nullptr));
  }
  void drop_kept() override;

 private:
  const Ground& ground_;
  const Shape* shape_ = nullptr;
  xpuModule_t module_ = nullptr;
  xpuKernel_t kernel_ = nullptr;
  std::vector<xpuStream_t> streams_;  // by lane
  std::vector<xpuEvent_t> events_;    // of the nodes that signal one, in their order
  std::vector<xpuEvent_t> signals_;   // by node
  xpuGraph_t captured(bool elsewhere);
  void need_pooled(int count);
  void** buffer_of(int node, bool elsewhere) {
    const Node& of = shape_->nodes[node];
    if (shape_->pooled && !elsewhere) return &pooled_[of.buffer];
    return const_cast<void**>(elsewhere ? ground_.spare() : ground_.buffer(of.buffer));
  }

  xpuGraphPool pool_ = {};
  xpuGraph_t pools_graph_ = nullptr;  // in which the buffers were allocated
  std::vector<void*> pooled_;

  xpuGraph_t graph_ = nullptr;
  xpuGraph_t same_ = nullptr, other_ = nullptr;  // with the same arguments, with other ones
  std::vector<xpuGraphNode_t> nodes_;            // of graph_, when there may be updates
  xpuGraphExec_t exec_ = nullptr;
  std::vector<std::pair<xpuGraph_t, xpuGraphExec_t>> kept_;
};

Ours::Ours(const Ground& ground) : ground_(ground) {
  const ze_device_handle_t device = ground.device().handle();
  xpuNativeDesc native = {};
  native.struct_size = sizeof native;
  native.driver = ground.driver().handle();
  native.deviceCount = 1;
  native.devices = &device;
  native.context = ground.driver().context();
  native.driverPath = ground.driver_path().empty() ? nullptr : ground.driver_path().c_str();
  check(xpuInitFromNative(&native));
  check(xpuModuleLoadData(&module_, ground.image().data(), ground.image().size()));
  check(xpuModuleGetKernel(&kernel_, module_, "touch"));
}

Ours::~Ours() {
  for (void* buffer : pooled_) (void)xpuFree(buffer);
  if (pools_graph_) {
    (void)xpuGraphDestroy(pools_graph_);
    (void)xpuGraphPoolRelease(pool_);
  }
  for (xpuEvent_t event : events_) (void)xpuEventDestroy(event);
  for (xpuStream_t stream : streams_) (void)xpuStreamDestroy(stream);
  (void)xpuModuleUnload(module_);
}

void Ours::prepare(const Shape& shape) {
  shape_ = &shape;
  while (static_cast<int>(streams_.size()) < shape.lanes) {
    streams_.push_back(nullptr);
    check(xpuStreamCreateWithFlags(&streams_.back(), xpuStreamNonBlocking));
  }
  if (shape.pooled) need_pooled(1000);
  signals_.assign(shape.nodes.size(), nullptr);
  size_t used = 0;
  for (int i = 0; i < shape.size(); i++) {
    if (!shape.nodes[i].signals) continue;
    if (used == events_.size()) {
      events_.push_back(nullptr);
      check(xpuEventCreateWithFlags(&events_.back(), xpuEventDisableTiming));
    }
    signals_[i] = events_[used++];
  }
}

// As large as the ground's are.
void Ours::need_pooled(int count) {
  if (!pooled_.empty()) return;
  pooled_.resize(count);
  check(xpuGraphPoolCreate(&pool_));
  xpuStreamCaptureParams params = {};
  params.struct_size = sizeof params;
  params.pool = pool_;
  check(xpuStreamBeginCaptureWithParams(streams_[0], &params));
  for (void*& buffer : pooled_) check(xpuMallocAsync(&buffer, kBufferBytes, streams_[0]));
  check(xpuStreamEndCapture(streams_[0], &pools_graph_));
}

xpuGraph_t Ours::captured(bool elsewhere) {
  check(xpuStreamBeginCapture(streams_[0], xpuStreamCaptureModeThreadLocal));
  for (int i = 0; i < shape_->size(); i++) {
    const Node& node = shape_->nodes[i];
    const xpuStream_t stream = streams_[node.lane];
    for (int before : node.waits) check(xpuStreamWaitEvent(stream, signals_[before], 0));
    void* arguments[] = {buffer_of(i, elsewhere), &i};
    check(xpuLaunchKernel(kernel_, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream));
    if (node.signals) check(xpuEventRecord(signals_[i], stream));
  }
  // A capture ends where it began; only in the grid is that not where its last node is.
  if (shape_->nodes.back().lane != 0) check(xpuStreamWaitEvent(streams_[0], signals_.back(), 0));
  xpuGraph_t graph = nullptr;
  check(xpuStreamEndCapture(streams_[0], &graph));
  return graph;
}

void Ours::drop_capture() {
  check(xpuGraphDestroy(std::exchange(graph_, nullptr)));
  for (xpuGraph_t* graph : {&same_, &other_})
    if (*graph) check(xpuGraphDestroy(std::exchange(*graph, nullptr)));
}

// Nothing has to be made updatable; this is what updates are to be made from.
void Ours::make_updatable() {
  same_ = captured(false);
  other_ = captured(true);
  size_t count = shape_->nodes.size();
  nodes_.resize(count);
  check(xpuGraphGetNodes(graph_, nodes_.data(), &count));
}

void Ours::update(int first, int count, bool flip) {
  xpuKernelNodeParams params = {};
  params.struct_size = sizeof params;
  params.func = kernel_;
  params.gridDim = params.blockDim = {1, 1, 1};
  for (int i = first; i < first + count; i++) {
    void* arguments[] = {buffer_of(i, flip), &i};
    params.kernelParams = arguments;
    check(xpuGraphExecKernelNodeSetParams(exec_, nodes_[i], &params));
  }
}

void Ours::update_graph(bool flip, bool same) {
  xpuGraphExecUpdateResultInfo info = {};
  info.struct_size = sizeof info;
  check(xpuGraphExecUpdate(exec_, same ? same_ : flip ? other_ : graph_, &info));
}

void Ours::drop_kept() {
  for (auto [graph, exec] : kept_) {
    check(xpuGraphExecDestroy(exec));
    check(xpuGraphDestroy(graph));
  }
  kept_.clear();
}

}  // namespace

std::unique_ptr<Contender> make_ours(const Ground& ground) {
  return std::make_unique<Ours>(ground);
}

}  // namespace cost
