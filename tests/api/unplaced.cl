// SPDX-License-Identifier: Apache-2.0
// A variable that begins with what only a compiler works out.
global int table[8] = {1, 2, 3};
global int* global second = &table[1];
kernel void read_second(global int* out) { out[0] = *second; }
