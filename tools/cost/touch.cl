// SPDX-License-Identifier: Apache-2.0
// The least a kernel can do: what is measured is the graph, not the work.
kernel void touch(global int* word, int value) { *word = value; }
// Keeps one core busy for as long as it is told: compilers find no short cut for this.
kernel void spin(global uint* word, uint turns) {
  uint x = *word;
  for (uint i = 0; i < turns; i++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  *word = x;
}
// As many arguments as kernels usually have.
kernel void axpy(global float* y, global const float* x, float a, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] += a * x[i];
}
