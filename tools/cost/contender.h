// SPDX-License-Identifier: Apache-2.0
// One way to run a graph many times: by hand, by the driver's own graphs, by this library.
#pragma once

#include <memory>
#include <string>

#include "ground.h"
#include "shape.h"

namespace cost {

enum class Figure {
  capture,
  instantiate,
  launch,
  update_one,
  update_one_launch,
  update_all,
  update_graph,
  update_graph_same,
  destroy,
  bytes,
  run
};

// A call that fails throws std::runtime_error. At most one template and one executable are current.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual const char* name() const = 0;
  // Why this way cannot have a figure; empty if it can.
  virtual std::string lacks(Figure figure) const = 0;

  // What a shape needs beforehand: streams, events.
  virtual void prepare(const Shape& shape) = 0;
  virtual void capture() = 0;
  virtual void drop_capture() = 0;
  virtual void instantiate() = 0;
  virtual void drop_instance() = 0;
  virtual void launch() = 0;
  virtual void wait() = 0;
  // Makes the executable one that can be updated, where that is another kind.
  virtual void make_updatable() = 0;
  // Gives `count` nodes from `first` on another buffer; `flip` changes with every call.
  virtual void update(int first, int count, bool flip) = 0;
  // Does that for all nodes by handing in a whole graph; `same`: one that does what is done
  // already.
  virtual void update_graph(bool flip, bool same) = 0;
  // Puts the current template and executable aside, so that the next ones need memory of their own.
  virtual void keep() = 0;
  virtual void drop_kept() = 0;
};

std::unique_ptr<Contender> make_raw(const Ground& ground);       // the limit
std::unique_ptr<Contender> make_recorded(const Ground& ground);  // the rival
std::unique_ptr<Contender> make_ours(const Ground& ground);

}  // namespace cost
