// SPDX-License-Identifier: Apache-2.0
// Runs a model through the public API: as nodes and edges, or captured from several streams, on all
// devices there are.
#pragma once

#include <xpugraph/xpugraph.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "vertex.h"

namespace xpu::test {

// Ends the program with the call and its error: a call that fails here is no matter of the model.
void must(xpuError_t code, const char* call);
#define MUST(call) ::xpu::test::must((call), #call)

// The memory and the callbacks' data of one model. Not copied: kernels and host nodes point into
// it.
class Stage {
 public:
  explicit Stage(const Model& model);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  // Of nodes and edges, without one edge of the top level if it is given.
  xpuGraph_t build(std::pair<uint32_t, uint32_t> without = {kOutside, kOutside});
  // Of work queued to `streams` captured streams that wait for each other by events. The model must
  // not be nested.
  xpuGraph_t capture(uint64_t seed, uint32_t streams);

  // Instantiates, destroys the graph, launches `rounds` times without waiting, and compares each
  // round with the walk. The number of vertices that are wrong, or that ran before what they read.
  uint32_t run(xpuGraph_t graph, uint32_t rounds);

 private:
  struct HostCall {
    Stage* stage;
    uint32_t vertex;
  };
  struct Arguments {
    void* pointers[5];
    uint32_t count, self;
    void* args[7];
  };

  // Where a vertex is when nothing else says so.
  int device_of(uint32_t v) const noexcept {
    return static_cast<int>((v * 0x9e3779b1u >> 16) % devices_);
  }
  // A copy or a fill as its parts, one after the other: with several devices it goes by way of
  // their memories. `part(dst, src)` does a copy, or with src NULL the fill.
  template <class Part>
  void parts_of(uint32_t v, Part&& part) const;
  static void call_host(void* data);
  void arguments(uint32_t v, Arguments& into) const;
  xpuGraphNode_t add_node(xpuGraph_t graph, uint32_t v, const std::vector<xpuGraphNode_t>& before);
  xpuGraph_t build_group(uint32_t group, std::pair<uint32_t, uint32_t> without);
  // `device` is the stream's.
  void enqueue(uint32_t v, xpuStream_t stream, int device);
  uint32_t faults(const uint32_t* seen, uint32_t salt) const;

  const Model& model_;
  size_t n_;
  uint32_t* state_ = nullptr;   // managed: values, order, clock
  uint32_t* inputs_ = nullptr;  // managed: the input lists, one after the other
  uint32_t* salt_ = nullptr;    // managed
  uint32_t devices_ = 1;
  std::vector<uint32_t*> mirrors_;  // device memory of each device, a word for each vertex
  std::vector<uint32_t> first_;
  std::vector<HostCall> calls_;
};

}  // namespace xpu::test
