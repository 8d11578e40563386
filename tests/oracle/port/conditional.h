// SPDX-License-Identifier: Apache-2.0
// Conditional nodes.
#pragma once

#include "oracle/port/memory.h"

using CondHandle = P(GraphConditionalHandle);
#if !defined(CONF_XPU)
#define P_SET_COND(handle, value) cudaGraphSetConditional(handle, value)
P_K k_cond_read(CondHandle h, const int* p, int i) { P_SET_COND(h, (unsigned)p[i]); }
P_K k_cond_value(CondHandle h, int v) { P_SET_COND(h, (unsigned)v); }
P_K k_cond_count(CondHandle h, int* p, int i) { P_SET_COND(h, --p[i] > 0 ? 1u : 0u); }
P_K k_cond_below(CondHandle h, const int* p, int i, int limit) {
  P_SET_COND(h, p[i] < limit ? 1u : 0u);
}
#endif
