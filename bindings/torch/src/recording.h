// SPDX-License-Identifier: Apache-2.0
// One capture: which it is, where its memory comes from, and what its graph must keep.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <c10/core/Storage.h>
#include <c10/core/Stream.h>

#include <xpugraph/graph.h>

#include "philox.h"
#include "pool.h"
#include "work.h"

namespace xpugraph_torch {

/// What captured work refers to. The library keeps it for the graph, its executables and their
/// launches, and drops it on a thread of its own.
struct Kept {
  std::vector<std::unique_ptr<WorkSequence>> work;
  std::vector<PhiloxUse> philox;
  std::vector<c10::DataPtr> pinned;
};

class Recording : public std::enable_shared_from_this<Recording> {
 public:
  enum class State { under_way, ended, lost };

  Recording(unsigned long long id, c10::Stream origin, std::shared_ptr<PoolHold> pool)
      : id(id), origin(origin), pool(std::move(pool)), kept(std::make_shared<Kept>()) {}

  const unsigned long long id;  ///< the library's
  const c10::Stream origin;
  const std::shared_ptr<PoolHold> pool;
  const std::shared_ptr<Kept> kept;

  State state() const { return state_.load(std::memory_order_acquire); }
  /// Keeps what the last node of the stream runs.
  void keep(std::unique_ptr<WorkSequence> sequence, c10::Stream stream);
  /// Takes the work into the last node of the stream, if that is such a node and nothing came
  /// behind it: a node costs ten times what a small operation does. Another stream that waits for
  /// the node waits for more then, which changes no result.
  bool add_behind(std::unique_ptr<Work>& work, c10::Stream stream);
  void keep(c10::DataPtr pinned);
  /// Keeps memory that captured work uses and that is not of this capture. PyTorch leaves that to
  /// the program, and a forgotten input is overwritten unseen there.
  void keep(const c10::Storage& storage);
  /// All of that; for a graph whose replay is captured, and to let go of when the graph goes.
  std::vector<c10::Storage> used();
  void let_go(std::optional<c10::Stream> last_replay);
  /// What the generator's next draw in this capture reads; see philox.h.
  PhiloxDraw draw(const c10::intrusive_ptr<PhiloxState>& state, uint64_t increment);

  /// Calls `then` with the state, which does not change until it returns.
  template <typename Function>
  void with_state(Function then) {
    std::lock_guard lock(mutex_);
    then(state());
  }

  void begin();
  void end(State state);

 private:
  std::mutex mutex_;
  std::unordered_map<xpuGraphNode_t, WorkSequence*> sequences_;
  std::unordered_map<c10::StorageImpl*, c10::Storage> used_;
  std::atomic<State> state_ = State::under_way;
};

/// Is anything being captured in this process?
bool any_recording();

/// The capture that a stream takes part in, or none. Throws for one that was begun by other means
/// than this package's graphs, since nobody would keep what it needs, and for one that is
/// invalidated.
std::shared_ptr<Recording> recording_of(c10::Stream stream);
bool is_captured(c10::Stream stream);

}  // namespace xpugraph_torch
