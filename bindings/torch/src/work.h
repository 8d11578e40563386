// SPDX-License-Identifier: Apache-2.0
// Work for the host in the order of a stream: what it is, who owns it, what becomes of its
// failures.
//
// Work must refer to device memory by address, not by tensor: it is destroyed on threads of the
// driver, where the last owner of a tensor could not free its memory.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <c10/core/Stream.h>

namespace xpugraph_torch {

class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Called once for each execution, on a thread of the driver. What it throws is kept for the next
  /// call that waits.
  virtual void run() = 0;
  virtual const char* name() const = 0;
};

/// Work that a graph runs as one node.
class WorkSequence {
 public:
  void add(std::unique_ptr<Work> work) { work_.push_back(std::move(work)); }
  auto begin() const { return work_.begin(); }
  auto end() const { return work_.end(); }

 private:
  std::vector<std::unique_ptr<Work>> work_;
};

/// Queues it. In a capture the graph keeps it and runs it at each replay.
void enqueue(std::unique_ptr<Work> work, c10::Stream stream);

template <typename Function>
class FunctionWork final : public Work {
 public:
  FunctionWork(const char* name, Function function) : name_(name), function_(std::move(function)) {}
  void run() override { function_(); }
  const char* name() const override { return name_; }

 private:
  const char* name_;
  Function function_;
};

/// @param name  lives as long as the program.
template <typename Function>
void enqueue(const char* name, c10::Stream stream, Function function) {
  enqueue(std::make_unique<FunctionWork<Function>>(name, std::move(function)), stream);
}

/// Pinned memory in which kernels put a 1 for an index that there is not.
int* index_fault();

/// Throws the first failure of work since the last call, if there was one.
void throw_failure();

}  // namespace xpugraph_torch
