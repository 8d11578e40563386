// SPDX-License-Identifier: Apache-2.0
// Registers operators for this package's device.
#pragma once

#include <torch/library.h>

#include "device.h"

/// TORCH_LIBRARY_IMPL(aten, KEY, m) for `dispatch_key`, which that macro would take for a name;
/// once in a file.
#define XPUGRAPH_OPERATORS(m) XPUGRAPH_OPERATORS_OF("aten", m)
#define XPUGRAPH_OPERATORS_OF(space, m)                                                         \
  static void register_operators(torch::Library&);                                              \
  static const torch::detail::TorchLibraryInit registered_operators(                            \
      torch::Library::IMPL, &register_operators, space, xpugraph_torch::dispatch_key, __FILE__, \
      __LINE__);                                                                                \
  void register_operators(torch::Library& m)
