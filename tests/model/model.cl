// SPDX-License-Identifier: Apache-2.0
// What a vertex of the model does on the device; vertex.h has the same in C++.

uint mix_in(uint hash, uint value) {
  hash = (hash ^ value) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}

// Combines the values of the vertices before this one, in their order, and records when it ran.
kernel void combine(global uint* values, global uint* order, volatile global uint* clock,
                    global const uint* salt, global const uint* inputs, uint count, uint self) {
  uint hash = mix_in(salt[0], self);
  for (uint i = 0; i < count; i++) hash = mix_in(hash, values[inputs[i]]);
  values[self] = hash;
  order[self] = atomic_inc(clock);
}
