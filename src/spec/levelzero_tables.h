// SPDX-License-Identifier: Apache-2.0
// The layouts through which a loader and a driver meet since specification 1.12.
// Included by levelzero.h only. The structures have names of our own, since the header that declares
// them differs between versions.
#pragma once

namespace xpu::spec {

// What every object handle of a driver with ZE_extension_driver_ddi_handles points to. The fourth
// word is read by loaders of 1.14 and later; a driver reserves it from the first.
struct HandlePrefix {
  const void* core;
  const void* tools;
  const void* sysman;
  const void* runtime;
};

// What `core` points to, as loaders of 1.13 and later read it: it begins with the version that the
// driver filled the tables for. Loaders of 1.12 know a shorter order without the two ray-tracing
// tables, so a driver offers its handles with the extension's version 1.1 only.
struct CoreTables {
  ze_api_version_t version;
  uint8_t is_valid;
  const void* rtas_builder;
  const void* rtas_builder_exp;
  const void* rtas_parallel_operation;
  const void* rtas_parallel_operation_exp;
  const void* global;
  const void* driver;
  const void* driver_exp;
  const void* device;
  const void* device_exp;
  const void* context;
  const void* command_queue;
  const void* command_list;
  const void* command_list_exp;
  const void* image;
  const void* image_exp;
  const void* mem;
  const void* mem_exp;
  const void* fence;
  const void* event_pool;
  const void* event;
  const void* event_exp;
  const void* module;
  const void* module_build_log;
  const void* kernel;
  const void* kernel_exp;
  const void* sampler;
  const void* physical_mem;
  const void* virtual_mem;
  const void* fabric_vertex_exp;
  const void* fabric_edge_exp;
  const void* graph;
  const void* executable_graph;
};

// No table of any version so far has more entries: the buffers that tables are read into hold this
// many, zeroed, because a loader or driver may write more entries than the version asked for.
constexpr size_t kTableSlots = 128;

}  // namespace xpu::spec
