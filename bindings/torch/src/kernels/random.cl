// SPDX-License-Identifier: Apache-2.0
// Random numbers by Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"):
// the number of an element follows from seed, offset and the element, so a graph that reads seed
// and offset draws fresh ones.
#include "element.h"

/// Ten rounds on (element, offset); the first word.
static uint4 philox(ulong seed, ulong offset, ulong element) {
  uint4 c = (uint4)((uint)element, (uint)(element >> 32), (uint)offset, (uint)(offset >> 32));
  uint2 key = (uint2)((uint)seed, (uint)(seed >> 32));
  for (int round = 0; round < 10; ++round) {
    uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    uint high1 = mul_hi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = (uint4)(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}

/// In [0, 1), by the 24 bits that a float has.
static float uniform(uint bits) { return (bits >> 8) * 0x1p-24f; }

/// `cell` is a graph's: {seed, offset}, to which `offset` is added. Without one, `seed` counts.
#define DRAW(cell, seed, offset) philox(cell ? cell[0] : seed, cell ? cell[1] + offset : offset, i)

kernel void draw_uniform(global float* out, global const ulong* cell, ulong seed, ulong offset,
                         uint n, float from, float to) {
  ELEMENT(i, n)
  float x = uniform(DRAW(cell, seed, offset).x) * (to - from) + from;
  // Rounding may reach the end, which is not part of the range.
  out[i] = x < to ? x : from;
}

kernel void draw_normal(global float* out, global const ulong* cell, ulong seed, ulong offset,
                        uint n, float mean, float deviation) {
  ELEMENT(i, n)
  uint4 bits = DRAW(cell, seed, offset);
  float radius = sqrt(-2 * log(1 - uniform(bits.x)));
  out[i] = mean + deviation * radius * cos(2 * M_PI_F * uniform(bits.y));
}

kernel void draw_bernoulli_float(global float* out, global const ulong* cell, ulong seed,
                                 ulong offset, uint n, float p, float unused) {
  ELEMENT(i, n)
  out[i] = uniform(DRAW(cell, seed, offset).x) < p;
}

kernel void draw_bernoulli_bool(global uchar* out, global const ulong* cell, ulong seed,
                                ulong offset, uint n, float p, float unused) {
  ELEMENT(i, n)
  out[i] = uniform(DRAW(cell, seed, offset).x) < p;
}

kernel void dropout(global float* out, global uchar* mask, global const float* in,
                    global const ulong* cell, ulong seed, ulong offset, uint n, float kept) {
  ELEMENT(i, n)
  uchar keep = uniform(DRAW(cell, seed, offset).x) < kept;
  mask[i] = keep;
  out[i] = keep ? in[i] / kept : 0;
}

kernel void dropout_backward(global float* out, global const float* grad, global const uchar* mask,
                             uint n, float scale) {
  ELEMENT(i, n)
  out[i] = mask[i] ? grad[i] * scale : 0;
}
