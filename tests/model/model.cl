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

// What a statement of a random program does; program.h has the same in C++.
kernel void advance(global uint* cells, uint cell, uint from, uint a, uint b) {
  cells[cell] = cells[cell] * a + cells[from] + b;
}
kernel void assign(global uint* cells, uint cell, uint value) { cells[cell] = value; }
// Sets a condition to a cell; modulus 0: as it is.
kernel void choose(ulong handle, global const uint* cells, uint cell, uint modulus) {
  *(global uint*)handle = modulus ? cells[cell] % modulus : cells[cell];
}
kernel void next_turn(ulong handle, global uint* cells, uint cell) {
  *(global uint*)handle = --cells[cell];
}
