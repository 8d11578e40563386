// SPDX-License-Identifier: Apache-2.0
// Everything: includes the other headers, in the order in which a reader meets their subjects.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/device.h>
#include <xpugraph/stream.h>
#include <xpugraph/event.h>
#include <xpugraph/memory.h>
#include <xpugraph/module.h>
#include <xpugraph/graph.h>
#include <xpugraph/node.h>
#include <xpugraph/exec.h>
#include <xpugraph/capture.h>
#include <xpugraph/interop.h>
