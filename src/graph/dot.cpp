// SPDX-License-Identifier: Apache-2.0
// Writes graphs in DOT: structure and quoting; what stands in a node is in dot_label.cpp.
#include "graph/dot.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "base/utf8.h"

namespace xpu::graph {
namespace {

std::string node_name(const Node& node) {
  return "graph_" + std::to_string(node.graph().id()) + "_node_" + std::to_string(node.local_id());
}

const char* shape_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kernel:
      return "box";
    case NodeKind::copy:
      return "cds";
    case NodeKind::fill:
      return "note";
    case NodeKind::host:
      return "house";
    case NodeKind::child:
      return "folder";
    case NodeKind::empty:
      return "ellipse";
    case NodeKind::event_wait:
    case NodeKind::event_record:
    case NodeKind::semaphore_signal:
    case NodeKind::semaphore_wait:
    case NodeKind::batch:
      return "diamond";
    case NodeKind::mem_alloc:
      return "cylinder";
    case NodeKind::mem_free:
      return "box3d";
    case NodeKind::conditional:
      return "trapezium";
  }
  return "box";
}

std::string handle_lines(Node& node) {
  char text[96];
  std::snprintf(text, sizeof text, "node handle 0x%" PRIx64 "\nid %" PRIu64 "\n", node.handle(),
                node.id());
  std::string lines = text;
  if (auto* kernel = node.as<KernelParams>()) {
    std::snprintf(text, sizeof text, "kernel at %p\n",
                  static_cast<const void*>(kernel->kernel().get()));
    lines += text;
  }
  return lines;
}

void write_edge(std::string& out, const Node& from, const Edge& edge) {
  out += "  " + dot_quoted(node_name(from)) + " -> " + dot_quoted(node_name(*edge.node));
  if (!edge.is_default()) {
    out += " [style=dashed, label=\"";
    out += edge.type ? "programmatic, " : "";
    out += "port " + std::to_string(edge.from_port) + "\"]";
  }
  out += ";\n";
}

void write_inner(std::string& out, const Node& node, const Graph& inner, unsigned flags);

void write_graph(std::string& out, const Graph& graph, unsigned flags) {
  const std::string name = "graph_" + std::to_string(graph.id());
  out += "subgraph \"cluster_" + name + "\" {\n  label=\"graph " + std::to_string(graph.id()) +
         "\";\n";
  for (Node* node : graph.nodes()) {
    std::string label =
        std::to_string(node->local_id()) + "\n" + node_label(*node->params(), flags);
    if (flags & kDotHandles) label += handle_lines(*node);
    out += "  " + dot_quoted(node_name(*node)) + " [shape=" + shape_of(node->kind()) +
           ", label=" + dot_quoted(label) + "];\n";
  }
  for (const Node* node : graph.nodes()) {
    for (const Edge& edge : node->out()) write_edge(out, *node, edge);
  }
  for (const Node* node : graph.nodes()) {
    if (auto* child = node->as<ChildParams>()) write_inner(out, *node, *child->graph(), flags);
    if (auto* conditional = node->as<ConditionalParams>()) {
      for (const std::shared_ptr<Graph>& body : conditional->bodies())
        write_inner(out, *node, *body, flags);
    }
  }
  out += "}\n";
}

// Its cluster, tied to the node that it is in.
void write_inner(std::string& out, const Node& node, const Graph& inner, unsigned flags) {
  write_graph(out, inner, flags);
  if (inner.size() == 0) return;
  out += "  " + dot_quoted(node_name(node)) + " -> " + dot_quoted(node_name(*inner.nodes()[0])) +
         " [style=dotted, arrowhead=none, lhead=\"cluster_graph_" + std::to_string(inner.id()) +
         "\"];\n";
}

}  // namespace

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0) {
      out += '?';
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '&') {
      out += "&amp;";
    } else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length ? length : 1);
  }
  return out + "\"";
}

std::string to_dot(const Graph& graph, unsigned flags) {
  if (flags & kDotVerbose) flags = ~0u;
  std::string out = "digraph \"graph_" + std::to_string(graph.id()) +
                    "\" {\ncompound=true;\nnode [fontname=\"monospace\"];\n";
  write_graph(out, graph, flags);
  return out + "}\n";
}

namespace {

Status not_written(const std::string& path, int why, const char* argument) {
  return Status::error(xpuErrorOperatingSystem,
                       "'" + path + "' could not be written: " + std::strerror(why), argument);
}

}  // namespace

Status check_writable(const std::string& path, const char* argument) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (!file) return not_written(path, errno, argument);
  (void)std::fclose(file);
  return {};
}

Status write_text(const std::string& path, const std::string& text, const char* argument) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  bool fine = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int why = errno;
  if (file && std::fclose(file) != 0 && fine) {
    why = errno;
    fine = false;
  }
  if (fine) return {};
  return not_written(path, why, argument);
}

Status write_dot(const Graph& graph, const std::string& path, unsigned flags) {
  return write_text(path, to_dot(graph, flags));
}

}  // namespace xpu::graph
