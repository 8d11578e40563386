// SPDX-License-Identifier: Apache-2.0
// The kernel of one_graph.c.
kernel void add_one(global int* numbers) { numbers[get_global_id(0)] += 1; }
