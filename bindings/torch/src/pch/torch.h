// SPDX-License-Identifier: Apache-2.0
// What nearly every file here includes of PyTorch; compiled once, it halves the time to build.
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>
