// SPDX-License-Identifier: Apache-2.0
// The entry point of graph.h that tells about a graph's memory.
#include <xpugraph/graph.h>

#include <cstring>
#include <string>

#include "capi/cast.h"
#include "capi/guard.h"
#include "memory/report.h"

using namespace xpu;
using namespace xpu::capi;

namespace {

Result<std::string> written(const memory::Report& report, xpuGraphMemoryReportFormat format) {
  switch (format) {
    case xpuGraphMemoryReportText:
      return memory::as_text(report);
    case xpuGraphMemoryReportJson:
      return memory::as_json(report);
    case xpuGraphMemoryReportSvg:
      return memory::as_svg(report);
  }
  return invalid_value("format is " + std::to_string(static_cast<int>(format)) +
                           ", which is no xpuGraphMemoryReportFormat",
                       "format");
}

}  // namespace

xpuError_t xpuGraphMemoryReport(xpuGraph_t graph, xpuGraphMemoryReportFormat format, char* text,
                                size_t* size) {
  return guard(__func__, [&]() -> Status {
    XPU_TRY_ASSIGN(const graph::Graph* g, live_graph(graph));
    XPU_TRY(require(size, "size"));
    XPU_TRY_ASSIGN(const memory::Report report, memory::Report::of(*g));
    XPU_TRY_ASSIGN(const std::string whole, written(report, format));
    const size_t bytes = whole.size() + 1;
    if (text && *size < bytes)
      return invalid_value("the report has " + std::to_string(bytes) + " bytes and text has room " +
                               "for " + std::to_string(*size) + "; pass NULL to learn the size",
                           "size");
    if (text) std::memcpy(text, whole.c_str(), bytes);
    *size = bytes;
    return {};
  });
}
