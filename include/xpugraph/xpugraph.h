// SPDX-License-Identifier: Apache-2.0
// Everything: includes the other headers.
#pragma once

#include <xpugraph/any_node.h>
#include <xpugraph/capture.h>
#include <xpugraph/conditional.h>
#include <xpugraph/device.h>
#include <xpugraph/error.h>
#include <xpugraph/event.h>
#include <xpugraph/exec.h>
#include <xpugraph/external_semaphore.h>
#include <xpugraph/graph.h>
#include <xpugraph/interop.h>
#include <xpugraph/launch.h>
#include <xpugraph/memop.h>
#include <xpugraph/memory.h>
#include <xpugraph/mempool.h>
#include <xpugraph/module.h>
#include <xpugraph/node.h>
#include <xpugraph/profile.h>
#include <xpugraph/recapture.h>
#include <xpugraph/stream.h>
#include <xpugraph/symbol.h>
#include <xpugraph/user_object.h>
