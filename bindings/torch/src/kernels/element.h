// SPDX-License-Identifier: Apache-2.0
// The element that a work-item works on.
#pragma once

/// Of `n` elements, the work-item's is `i`; where there is none, the work-item is over. A group
/// that has an element for each of its items is told by what is the same for all of them, and so
/// compilers for CPUs make vectors of its items: without masks, which cost four times as much.
#define ELEMENT(i, n)        \
  uint i = get_global_id(0); \
  if ((get_group_id(0) + 1) * get_local_size(0) > (n) && i >= (n)) return;
