// SPDX-License-Identifier: Apache-2.0
// The least memory that allocations need, whatever their addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xpu::memory {

// For each allocation those that begin only after it is over. An order: what is after an entry's
// entries is among its entries too.
using After = std::vector<std::vector<uint32_t>>;

// The most bytes that can be alive at once, over all orders in which the graph may run: the
// heaviest set of allocations of which none comes after another (an antichain). Exact, by maximum
// flow; the time is about the number of pairs in `after` times a few.
size_t heaviest_alive(std::span<const size_t> bytes, const After& after);

}  // namespace xpu::memory
