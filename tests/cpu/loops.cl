// SPDX-License-Identifier: Apache-2.0
// Loops and branches of every kind: built with -O1, LLVM leaves their blocks in an order that is not
// SPIR-V's.
kernel void walk(global const int* in, int n, global int* out) {
  int sum = (int)get_global_id(0);
  for (int i = 0; i < n; i++) {
    if (in[i] == 3) continue;
    switch (in[i]) {
      case 1:
        sum += i;
        break;
      case 7:
        while (sum > 100) sum >>= 1;
        break;
      default:
        sum = sum * 3 - in[i];
    }
  }
  out[get_global_id(0)] = sum;
}

// A tree reduction: a barrier inside a loop.
kernel void reduce(global int* data, local int* shared_sums) {
  const int i = (int)get_local_id(0);
  shared_sums[i] = data[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = (int)get_local_size(0) / 2; step > 0; step /= 2) {
    if (i < step) shared_sums[i] += shared_sums[i + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) data[0] = shared_sums[0];
}
