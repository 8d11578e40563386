// SPDX-License-Identifier: Apache-2.0
// A graph as a picture, in Graphviz's DOT language.
//
// Names are stable: node L of graph G is "graph_G_node_L", from Graph::id() and Node::local_id(),
// the numbers that error sentences use. A child graph is a cluster inside that of its parent.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "graph/graph.h"

namespace xpu::graph {

// What is told beside topology, kinds, ids, kernel names and copy directions. Values are those of
// the public xpuGraphDebugDotFlags; other bits mean nothing.
inline constexpr unsigned kDotVerbose = 1u << 0;  // all of the following
inline constexpr unsigned kDotKernels = 1u << 2;  // launch shape and argument values
inline constexpr unsigned kDotCopies = 1u << 3;
inline constexpr unsigned kDotFills = 1u << 4;
inline constexpr unsigned kDotHosts = 1u << 5;
inline constexpr unsigned kDotEvents = 1u << 6;
inline constexpr unsigned kDotSemaphoreSignals = 1u << 7;
inline constexpr unsigned kDotSemaphoreWaits = 1u << 8;
inline constexpr unsigned kDotAttributes = 1u << 9;
inline constexpr unsigned kDotHandles = 1u << 10;
inline constexpr unsigned kDotAllocs = 1u << 11;
inline constexpr unsigned kDotFrees = 1u << 12;
inline constexpr unsigned kDotBatches = 1u << 13;
inline constexpr unsigned kDotConditionals = 1u << 15;

std::string to_dot(const Graph& graph, unsigned flags);

// Replaces the file. xpuErrorOperatingSystem if that does not work; then an existing file may have
// been cut short, as with any program that writes to it.
Status write_dot(const Graph& graph, const std::string& path, unsigned flags);
// The same with any text; `argument` names the path in the refusal.
Status write_text(const std::string& path, const std::string& text, const char* argument = "path");
// Whether that can be: makes the file if there is none, and leaves what is in it.
Status check_writable(const std::string& path, const char* argument);

// What a node does, in lines that each end with \n; not quoted.
std::string node_label(const NodeParams& params, unsigned flags);

// As a DOT string: quotes, backslashes and entities escaped, \n kept as line ends, anything that is
// not UTF-8 replaced (Graphviz would warn and guess).
std::string dot_quoted(std::string_view text);

}  // namespace xpu::graph
