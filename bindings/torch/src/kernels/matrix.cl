// SPDX-License-Identifier: Apache-2.0
// Products of matrices: c = alpha * a b + beta * d, for many pairs at once. Each work-item makes a
// tile of 4 rows; vectors run along what lies side by side: along the columns of b, or along what
// is summed over.

/// Steps in elements, for a row, a column and the two numbers of a pair, of which there are
/// pairs0 * pairs1.
typedef struct Matrix {
  int row, column, pair0, pair1;
} Matrix;

typedef struct Product {
  uint rows, columns, depth, pairs1;
  float alpha, beta;
  Matrix a, b, c, d;
} Product;

#define ROWS 4
#define WIDE 16
// Written out, so that sums are in registers: an array is set to 0 by a constant, which the
// translator to SPIR-V forgets to declare.
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3)

static long pair_of(const Matrix* m, const Product* p) {
  uint pair = get_global_id(2);
  return (long)(pair / p->pairs1) * m->pair0 + (long)(pair % p->pairs1) * m->pair1;
}

static void store(global float* c, global const float* d, const Product* p, uint i, uint j,
                  float sum) {
  float value = p->alpha * sum;
  // PyTorch: what is multiplied by 0 is not looked at, be it a number or not.
  if (p->beta != 0) value += p->beta * d[(long)i * p->d.row + (long)j * p->d.column];
  c[(long)i * p->c.row + (long)j * p->c.column] = value;
}

/// One row and up to WIDE columns at the edge, in any layout.
static void edge(global float* c, global const float* a, global const float* b,
                 global const float* d, const Product* p, uint i, uint j0, uint j1) {
  for (uint j = j0; j < j1; ++j) {
    float sum = 0;
    for (uint k = 0; k < p->depth; ++k)
      sum += a[(long)i * p->a.row + (long)k * p->a.column] *
             b[(long)k * p->b.row + (long)j * p->b.column];
    store(c, d, p, i, j, sum);
  }
}

/// For b whose columns lie side by side.
kernel void product_wide(global float* c, global const float* a, global const float* b,
                         global const float* d, Product p) {
  uint i0 = get_global_id(1) * ROWS, j0 = get_global_id(0) * WIDE;
  if (i0 >= p.rows || j0 >= p.columns) return;
  a += pair_of(&p.a, &p);
  b += pair_of(&p.b, &p);
  c += pair_of(&p.c, &p);
  d += pair_of(&p.d, &p);
  if (i0 + ROWS > p.rows || j0 + WIDE > p.columns) {
    for (uint i = i0; i < min(i0 + ROWS, p.rows); ++i)
      edge(c, a, b, d, &p, i, j0, min(j0 + WIDE, p.columns));
    return;
  }
  global const float* column = b + j0;
  global const float* row = a + (long)i0 * p.a.row;
#define START(r) float8 low##r = 0, high##r = 0;
#define ADD(r)                                                \
  {                                                           \
    float8 z = row[(long)r * p.a.row + (long)k * p.a.column]; \
    low##r = fma(z, x, low##r);                               \
    high##r = fma(z, y, high##r);                             \
  }
#define STORE(r)               \
  vstore8(low##r, 0, values);  \
  vstore8(high##r, 1, values); \
  for (uint j = 0; j < WIDE; ++j) store(c, d, &p, i0 + r, j0 + j, values[j]);
  EACH_ROW(START)
  for (uint k = 0; k < p.depth; ++k) {
    float8 x = vload8(0, column + (long)k * p.b.row), y = vload8(1, column + (long)k * p.b.row);
    EACH_ROW(ADD)
  }
  float values[WIDE];
  EACH_ROW(STORE)
}

static float total(float8 v) {
  float4 half_of = v.lo + v.hi;
  float2 quarter = half_of.lo + half_of.hi;
  return quarter.x + quarter.y;
}

/// For a and b both of which lie side by side along what is summed over: 4 rows and 2 columns.
kernel void product_deep(global float* c, global const float* a, global const float* b,
                         global const float* d, Product p) {
  uint i0 = get_global_id(1) * ROWS, j0 = get_global_id(0) * 2;
  if (i0 >= p.rows || j0 >= p.columns) return;
  a += pair_of(&p.a, &p);
  b += pair_of(&p.b, &p);
  c += pair_of(&p.c, &p);
  d += pair_of(&p.d, &p);
  uint rows = min((uint)ROWS, p.rows - i0), columns = min(2u, p.columns - j0);
  // At the edge the last row or column is computed again instead of one that is not there.
#define BEGIN(r)                                                                  \
  global const float* row##r = a + (long)(i0 + min((uint)r, rows - 1)) * p.a.row; \
  float8 left##r = 0, right##r = 0;                                               \
  float left_rest##r = 0, right_rest##r = 0;
#define ADD_WIDE(r)                   \
  {                                   \
    float8 z = vload8(0, row##r + k); \
    left##r = fma(z, x, left##r);     \
    right##r = fma(z, y, right##r);   \
  }
#define ADD_ONE(r)                     \
  left_rest##r += row##r[k] * left[k]; \
  right_rest##r += row##r[k] * right[k];
#define FINISH(r)                                                                      \
  if (r < rows) {                                                                      \
    store(c, d, &p, i0 + r, j0, total(left##r) + left_rest##r);                        \
    if (columns > 1) store(c, d, &p, i0 + r, j0 + 1, total(right##r) + right_rest##r); \
  }
  global const float* left = b + (long)j0 * p.b.column;
  global const float* right = b + (long)(j0 + columns - 1) * p.b.column;
  EACH_ROW(BEGIN)
  uint k = 0;
  for (; k + 8 <= p.depth; k += 8) {
    float8 x = vload8(0, left + k), y = vload8(0, right + k);
    EACH_ROW(ADD_WIDE)
  }
  for (; k < p.depth; ++k) {
    EACH_ROW(ADD_ONE)
  }
  EACH_ROW(FINISH)
}

/// For any layout.
kernel void product_any(global float* c, global const float* a, global const float* b,
                        global const float* d, Product p) {
  uint i = get_global_id(1), j = get_global_id(0);
  if (i >= p.rows || j >= p.columns) return;
  edge(c + pair_of(&p.c, &p), a + pair_of(&p.a, &p), b + pair_of(&p.b, &p), d + pair_of(&p.d, &p),
       &p, i, j, j + 1);
}
