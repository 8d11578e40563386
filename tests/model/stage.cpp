// SPDX-License-Identifier: Apache-2.0
// Runs models through the public API.
#include "stage.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace xpu::test {
namespace {

xpuKernel_t load_combine() {
  const char* path = std::getenv("XPU_TEST_KERNELS");
  std::FILE* file = path ? std::fopen(path, "rb") : nullptr;
  if (!file) {
    std::fprintf(stderr, "XPU_TEST_KERNELS must name model.spv\n");
    std::exit(1);
  }
  static unsigned char image[1 << 18];
  const size_t size = std::fread(image, 1, sizeof image, file);
  std::fclose(file);
  xpuModule_t module = nullptr;
  xpuKernel_t found = nullptr;
  MUST(xpuModuleLoadData(&module, image, size));
  MUST(xpuModuleGetKernel(&found, module, "combine"));
  return found;
}

// Each device has kernels of its own.
xpuKernel_t combine(int device) {
  static std::vector<xpuKernel_t> kernels;
  while (kernels.size() <= static_cast<size_t>(device)) {
    MUST(xpuSetDevice(static_cast<int>(kernels.size())));
    kernels.push_back(load_combine());
    MUST(xpuSetDevice(0));
  }
  return kernels[static_cast<size_t>(device)];
}

template <class T>
T* managed(size_t count) {
  void* at = nullptr;
  MUST(xpuMallocManaged(&at, (count ? count : 1) * sizeof(T), 1));
  return static_cast<T*>(at);
}

template <class T>
T sized() {
  T t;
  std::memset(&t, 0, sizeof t);
  t.struct_size = sizeof t;
  return t;
}

}  // namespace

void must(xpuError_t code, const char* call) {
  if (code == xpuSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, xpuGetErrorName(code));
  xpuErrorInfo info = sized<xpuErrorInfo>();
  if (xpuGetLastErrorInfo(&info) == xpuSuccess) std::fprintf(stderr, "  %s\n", info.sentence);
  std::exit(1);
}

Stage::Stage(const Model& model) : model_(model), n_(model.vertices.size()), calls_(n_) {
  int devices = 0;
  MUST(xpuGetDeviceCount(&devices));
  devices_ = static_cast<uint32_t>(devices);
  for (int d = 0; d < devices; d++) {
    void* mirror = nullptr;
    MUST(xpuSetDevice(d));
    MUST(xpuMalloc(&mirror, n_ * sizeof(uint32_t)));
    mirrors_.push_back(static_cast<uint32_t*>(mirror));
  }
  MUST(xpuSetDevice(0));
  state_ = managed<uint32_t>(2 * n_ + 1);
  salt_ = managed<uint32_t>(1);
  size_t total = 0;
  for (const Vertex& v : model.vertices) {
    first_.push_back(static_cast<uint32_t>(total));
    total += v.inputs.size();
  }
  inputs_ = managed<uint32_t>(total);
  for (uint32_t v = 0; v < n_; v++) {
    const auto& inputs = model.vertices[v].inputs;
    if (!inputs.empty()) {
      std::memcpy(inputs_ + first_[v], inputs.data(), inputs.size() * sizeof(uint32_t));
    }
    calls_[v] = {this, v};
  }
}

Stage::~Stage() {
  for (uint32_t* mirror : mirrors_) MUST(xpuFree(mirror));
  MUST(xpuFree(state_));
  MUST(xpuFree(salt_));
  MUST(xpuFree(inputs_));
}

void Stage::call_host(void* data) {
  const auto* call = static_cast<HostCall*>(data);
  Stage& s = *call->stage;
  uint32_t hash = mix_in(s.salt_[0], call->vertex);
  for (uint32_t input : s.model_.vertices[call->vertex].inputs) {
    hash = mix_in(hash, s.state_[input]);
  }
  s.state_[call->vertex] = hash;
}

void Stage::arguments(uint32_t v, Arguments& a) const {
  void* pointers[] = {state_, state_ + n_, state_ + 2 * n_, salt_, inputs_ + first_[v]};
  std::memcpy(a.pointers, pointers, sizeof pointers);
  a.count = static_cast<uint32_t>(model_.vertices[v].inputs.size());
  a.self = v;
  for (int i = 0; i < 5; i++) a.args[i] = &a.pointers[i];
  a.args[5] = &a.count;
  a.args[6] = &a.self;
}

namespace {

xpuGraphNode_t add_part(xpuGraph_t graph, const xpuGraphNode_t* deps, size_t count, uint32_t* dst,
                        const uint32_t* src, uint32_t v) {
  xpuGraphNode_t node = nullptr;
  if (src) {
    MUST(xpuGraphAddMemcpyNode1D(&node, graph, deps, count, dst, src, 4, xpuMemcpyDefault));
    return node;
  }
  xpuMemsetParams p = sized<xpuMemsetParams>();
  p.dst = dst;
  p.value = fill_byte(v);
  p.elementSize = 1;
  p.width = 4;
  p.height = 1;
  MUST(xpuGraphAddMemsetNode(&node, graph, deps, count, &p));
  return node;
}

}  // namespace

template <class Part>
void Stage::parts_of(uint32_t v, Part&& part) const {
  const Vertex& vertex = model_.vertices[v];
  const bool copies = vertex.kind == Kind::copy;
  const uint32_t* const source = copies ? state_ + vertex.inputs[0] : nullptr;
  if (devices_ == 1) return part(state_ + v, source);
  const auto here = static_cast<size_t>(device_of(v));
  part(mirrors_[here] + v, source);
  const uint32_t* last = mirrors_[here] + v;
  if (copies) {
    uint32_t* const there = mirrors_[(here + 1) % devices_] + v;
    part(there, last);
    last = there;
  }
  part(state_ + v, last);
}

xpuGraphNode_t Stage::add_node(xpuGraph_t graph, uint32_t v,
                               const std::vector<xpuGraphNode_t>& before) {
  const Vertex& vertex = model_.vertices[v];
  const xpuGraphNode_t* deps = before.data();
  const size_t count = before.size();
  xpuGraphNode_t node = nullptr;
  switch (vertex.kind) {
    case Kind::kernel: {
      Arguments a;
      arguments(v, a);
      xpuKernelNodeParams p = sized<xpuKernelNodeParams>();
      p.func = combine(device_of(v));
      p.gridDim = p.blockDim = {1, 1, 1};
      p.kernelParams = a.args;
      MUST(xpuGraphAddKernelNode(&node, graph, deps, count, &p));
      break;
    }
    case Kind::host: {
      xpuHostNodeParams p = sized<xpuHostNodeParams>();
      p.fn = call_host;
      p.userData = &calls_[v];
      MUST(xpuGraphAddHostNode(&node, graph, deps, count, &p));
      break;
    }
    case Kind::copy:
    case Kind::fill:
      parts_of(v, [&](uint32_t* dst, const uint32_t* src) {
        node = add_part(graph, node ? &node : deps, node ? 1 : count, dst, src, v);
      });
      break;
    case Kind::join:
      MUST(xpuGraphAddEmptyNode(&node, graph, deps, count));
      break;
    case Kind::nested: {
      const xpuGraph_t inner = build_group(v, {kOutside, kOutside});
      MUST(xpuGraphAddChildGraphNode(&node, graph, deps, count, inner));
      MUST(xpuGraphDestroy(inner));
      break;
    }
  }
  return node;
}

xpuGraph_t Stage::build_group(uint32_t group, std::pair<uint32_t, uint32_t> without) {
  xpuGraph_t graph = nullptr;
  MUST(xpuGraphCreate(&graph, 0));
  std::vector<xpuGraphNode_t> nodes(n_);
  for (uint32_t v = 0; v < n_; v++) {
    if (model_.vertices[v].group != group) continue;
    std::vector<xpuGraphNode_t> before;
    for (uint32_t b : model_.vertices[v].before) {
      if (std::pair(b, v) != without) before.push_back(nodes[b]);
    }
    nodes[v] = add_node(graph, v, before);
  }
  return graph;
}

xpuGraph_t Stage::build(std::pair<uint32_t, uint32_t> without) {
  return build_group(kOutside, without);
}

void Stage::enqueue(uint32_t v, xpuStream_t stream, int device) {
  const Vertex& vertex = model_.vertices[v];
  switch (vertex.kind) {
    case Kind::kernel: {
      Arguments a;
      arguments(v, a);
      MUST(xpuLaunchKernel(combine(device), {1, 1, 1}, {1, 1, 1}, a.args, 0, stream));
      break;
    }
    case Kind::host:
      MUST(xpuLaunchHostFunc(stream, call_host, &calls_[v]));
      break;
    case Kind::copy:
    case Kind::fill:
      parts_of(v, [&](uint32_t* dst, const uint32_t* src) {
        if (src)
          MUST(xpuMemcpyAsync(dst, src, 4, xpuMemcpyDefault, stream));
        else
          MUST(xpuMemsetAsync(dst, fill_byte(v), 4, stream));
      });
      break;
    case Kind::join:
    case Kind::nested:
      break;  // a join is its waits
  }
}

xpuGraph_t Stage::capture(uint64_t seed, uint32_t streams) {
  Random random(seed);
  // A stream and the events that it records are of one device.
  const auto device_of_stream = [&](uint32_t s) { return static_cast<int>(s % devices_); };
  const auto new_event = [&](uint32_t s) {
    xpuEvent_t event = nullptr;
    MUST(xpuSetDevice(device_of_stream(s)));
    MUST(xpuEventCreateWithFlags(&event, xpuEventDisableTiming));
    return event;
  };
  std::vector<xpuStream_t> lanes(streams);
  std::vector<xpuEvent_t> ends(streams), done(n_);
  for (uint32_t s = 0; s < streams; s++) {
    ends[s] = new_event(s);
    MUST(xpuStreamCreateWithFlags(&lanes[s], xpuStreamNonBlocking));
  }
  MUST(xpuStreamBeginCapture(lanes[0], xpuStreamCaptureModeThreadLocal));
  MUST(xpuEventRecord(ends[0], lanes[0]));
  for (uint32_t s = 1; s < streams; s++) MUST(xpuStreamWaitEvent(lanes[s], ends[0], 0));
  for (uint32_t v = 0; v < n_; v++) {
    const uint32_t s = random.below(streams);
    done[v] = new_event(s);
    for (uint32_t b : model_.vertices[v].before) MUST(xpuStreamWaitEvent(lanes[s], done[b], 0));
    enqueue(v, lanes[s], device_of_stream(s));
    MUST(xpuEventRecord(done[v], lanes[s]));
  }
  MUST(xpuSetDevice(0));
  for (uint32_t s = 1; s < streams; s++) {
    MUST(xpuEventRecord(ends[s], lanes[s]));
    MUST(xpuStreamWaitEvent(lanes[0], ends[s], 0));
  }
  xpuGraph_t graph = nullptr;
  MUST(xpuStreamEndCapture(lanes[0], &graph));
  for (xpuEvent_t e : ends) MUST(xpuEventDestroy(e));
  for (xpuEvent_t e : done) MUST(xpuEventDestroy(e));
  for (xpuStream_t s : lanes) MUST(xpuStreamDestroy(s));
  return graph;
}

uint32_t Stage::faults(const uint32_t* seen, uint32_t salt) const {
  const std::vector<uint32_t> expected = walk(model_, salt);
  uint32_t wrong = 0;
  for (uint32_t v = 0; v < n_; v++) {
    const Vertex& vertex = model_.vertices[v];
    if (vertex.kind == Kind::join || vertex.kind == Kind::nested) continue;
    bool fine = seen[v] == expected[v];
    for (uint32_t input : vertex.inputs) {
      const bool both = vertex.kind == Kind::kernel && model_.vertices[input].kind == Kind::kernel;
      if (both && seen[n_ + input] >= seen[n_ + v]) fine = false;
    }
    if (!fine) wrong++;
  }
  return wrong;
}

uint32_t Stage::run(xpuGraph_t graph, uint32_t rounds) {
  xpuGraphExec_t exec = nullptr;
  xpuStream_t stream = nullptr;
  MUST(xpuGraphInstantiate(&exec, graph, 0));
  MUST(xpuGraphDestroy(graph));
  MUST(xpuStreamCreateWithFlags(&stream, xpuStreamNonBlocking));
  const size_t words = 2 * n_ + 1;
  auto* seen = managed<uint32_t>(words * rounds);
  for (uint32_t r = 0; r < rounds; r++) {
    // What the round before left must not pass for a result of this one. The clock begins at 0.
    MUST(xpuMemsetAsync(state_, 0xee, 2 * n_ * sizeof(uint32_t), stream));
    MUST(xpuMemsetAsync(state_ + 2 * n_, 0, sizeof(uint32_t), stream));
    MUST(xpuMemsetAsync(salt_, static_cast<int>(r + 1), sizeof(uint32_t), stream));
    MUST(xpuGraphLaunch(exec, stream));
    MUST(xpuMemcpyAsync(seen + words * r, state_, words * sizeof(uint32_t), xpuMemcpyDefault,
                        stream));
  }
  MUST(xpuStreamSynchronize(stream));
  uint32_t wrong = 0;
  for (uint32_t r = 0; r < rounds; r++) wrong += faults(seen + words * r, (r + 1) * 0x01010101u);
  MUST(xpuFree(seen));
  MUST(xpuGraphExecDestroy(exec));
  MUST(xpuStreamDestroy(stream));
  return wrong;
}

}  // namespace xpu::test
