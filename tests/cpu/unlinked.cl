// SPDX-License-Identifier: Apache-2.0
// A kernel that calls a function no module has.
int elsewhere(int x);
kernel void lost(global int* out) { out[0] = elsewhere(out[0]); }
