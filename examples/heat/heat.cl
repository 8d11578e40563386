// SPDX-License-Identifier: Apache-2.0
// The two kernels of a half step. Fields have a border of one cell, so a cell always has neighbours.

// Heat makes the material conduct worse, so the conductivity is a field that changes as well.
kernel void conduct(global const float* restrict heat, global const float* restrict material,
                    global float* restrict conductivity, uint pitch, uint width, uint height) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  size_t at = (size_t)(y + 1) * pitch + x + 1;
  conductivity[at] = material[at] / (1.0f + 0.5f * heat[at]);
}

// One explicit step: what flows over a side goes by the mean conductivity of its two cells. With
// conductivities up to 1 it is stable for rates up to 0.25.
kernel void diffuse(global const float* restrict heat, global const float* restrict conductivity,
                    global float* restrict next, uint pitch, uint width, uint height, float rate) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  size_t at = (size_t)(y + 1) * pitch + x + 1;
  float here = heat[at], conducts = conductivity[at];
  float flow = (conductivity[at - 1] + conducts) * (heat[at - 1] - here) +
               (conductivity[at + 1] + conducts) * (heat[at + 1] - here) +
               (conductivity[at - pitch] + conducts) * (heat[at - pitch] - here) +
               (conductivity[at + pitch] + conducts) * (heat[at + pitch] - here);
  next[at] = here + 0.5f * rate * flow;
}
