// SPDX-License-Identifier: Apache-2.0
// The invariants of a graph as a predicate: for tests, fuzzers, and XPUGRAPH_CHECK=1.
#pragma once

#include <string>

#include "base/option.h"
#include "graph/graph.h"

namespace xpu::graph {

// Empty if all holds, otherwise a sentence that says what does not. Child graphs are looked into.
// Cost: each edge is looked up from its other end, so a hub makes it quadratic.
std::string why_not_well_formed(const Graph& graph);

inline bool well_formed(const Graph& graph) { return why_not_well_formed(graph).empty(); }

// Whether XPUGRAPH_CHECK asks for checks of the library by itself.
inline bool checking() noexcept {
  static const bool asked = options().check != "0";
  return asked;
}

// Ends the program with a sentence if the graph is not well formed.
void end_if_broken(const Graph& graph, const char* change) noexcept;

// The same with XPUGRAPH_CHECK=1 or more. Called after every change; a graph that is not well
// formed is a defect of this library, and going on with it would hide where it came from.
inline void check_after(const Graph& graph, const char* change) noexcept {
  if (checking()) [[unlikely]]
    end_if_broken(graph, change);
}

}  // namespace xpu::graph
