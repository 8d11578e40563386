// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of lists, queues and events: small, and each order of running them gives another
// result.

kernel void add(global uint* data, uint value) { data[get_global_id(0)] += value; }

// Not commutative with add: tells in which order they ran.
kernel void times(global uint* data, uint factor) { data[get_global_id(0)] *= factor; }

// Takes the next ticket and writes it down under its own number.
kernel void ticket(global uint* next, global uint* taken, uint number) {
  taken[number] = next[0]++;
}

// Works for a while: the result depends on every round.
kernel void spin(global uint* data, uint rounds) {
  uint x = data[0];
  for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u + (x >> 7);
  data[0] = x;
}

// Writes a group count of n groups for an indirect launch.
kernel void plan_groups(global uint* count, uint n) {
  count[0] = n;
  count[1] = 1;
  count[2] = 1;
}

kernel void where(global uint* target) {
  target[get_global_id(0)] = (uint)get_local_size(0) * 1000u + (uint)get_global_offset(0);
}

kernel void sum_local(global uint* target, global const uint* source, local uint* scratch) {
  uint i = get_local_id(0);
  scratch[i] = source[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    uint sum = 0;
    for (uint k = 0; k < get_local_size(0); k++) sum += scratch[k];
    target[get_group_id(0)] = sum;
  }
}
