// SPDX-License-Identifier: Apache-2.0
// Products of matrices: c = alpha * a b + beta * d, for many pairs at once. Each work-item makes a
// tile; vectors run along what lies side by side: along the columns of b, or along what is summed
// over. What is summed over may be in several parts, such as the pictures of a batch.

/// Steps in elements, for a row, a column, a part and the two numbers of a pair, of which there are
/// pairs0 * pairs1.
typedef struct Matrix {
  int row, column, part, pair0, pair1;
} Matrix;

typedef struct Product {
  uint rows, columns, depth, parts, pairs1;
  float alpha, beta;
  Matrix a, b, c, d;
} Product;

// Before anything else, so that a compiler for CPUs divides once for a group.
#define TO_PAIRS \
  a += pair_of(&p.a, &p), b += pair_of(&p.b, &p), c += pair_of(&p.c, &p), d += pair_of(&p.d, &p)
static long pair_of(const Matrix* m, const Product* p) {
  uint pair = get_group_id(2);
  return (long)(pair / p->pairs1) * m->pair0 + (long)(pair % p->pairs1) * m->pair1;
}

static void store(global float* c, global const float* d, const Product* p, uint i, uint j,
                  float sum) {
  float value = p->alpha * sum;
  // PyTorch: what is multiplied by 0 is not looked at, be it a number or not.
  if (p->beta != 0) value += p->beta * d[(long)i * p->d.row + (long)j * p->d.column];
  c[(long)i * p->c.row + (long)j * p->c.column] = value;
}

/// Do the columns of c lie side by side, and what is added to them, too, or is it one number?
static bool stores_vectors(const Product* p) {
  return p->c.column == 1 && (p->beta == 0 || p->d.column == 0 || p->d.column == 1);
}

#define STORE_VECTOR(N)                                                                          \
  static void store##N(global float* c, global const float* d, const Product* p, uint i, uint j, \
                       float##N sum) {                                                           \
    float##N value = p->alpha * sum;                                                             \
    d += (long)i * p->d.row;                                                                     \
    if (p->beta != 0) value += p->beta * (p->d.column ? vload##N(0, d + j) : (float##N)(*d));    \
    vstore##N(value, 0, c + (long)i * p->c.row + j);                                             \
  }
STORE_VECTOR(4)
STORE_VECTOR(8)

#define ROWS 4
#define WIDE 16
// Written out, so that sums are in registers: an array is set to 0 by a constant, which the
// translator to SPIR-V forgets to declare.
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3)

/// For b whose columns, 16 at least, lie side by side: a tile of 4 rows and 16 columns. At the edge
/// the last ones are computed again instead of some that are not there.
kernel void product_wide(global float* c, global const float* a, global const float* b,
                         global const float* d, Product p) {
  TO_PAIRS;
  uint i0 = get_global_id(1) * ROWS, j0 = get_global_id(0) * WIDE, last = p.rows - 1;
  if (i0 > last || j0 >= p.columns) return;
  uint first = min(j0, p.columns - WIDE);
#define START(r)                  \
  float8 low##r = 0, high##r = 0; \
  global const float* row##r = a + (long)min(i0 + r, last) * p.a.row;
#define ADD(r)                    \
  {                               \
    float8 z = *row##r;           \
    row##r += p.a.column;         \
    low##r = fma(z, x, low##r);   \
    high##r = fma(z, y, high##r); \
  }
#define NEXT(r) row##r += to_next;
#define STORE(r)                               \
  if (i0 + r <= last) {                        \
    store8(c, d, &p, i0 + r, j0, low##r);      \
    store8(c, d, &p, i0 + r, j0 + 8, high##r); \
  }
#define STORE_EACH(r)                                     \
  if (i0 + r <= last) {                                   \
    float values[WIDE];                                   \
    vstore8(low##r, 0, values);                           \
    vstore8(high##r, 1, values);                          \
    for (uint j = j0; j < min(j0 + WIDE, p.columns); ++j) \
      store(c, d, &p, i0 + r, j, values[j - first]);      \
  }
  EACH_ROW(START)
  long to_next = p.a.part - (long)p.depth * p.a.column;
  for (uint part = 0; part < p.parts; ++part) {
    global const float* column = b + first + (long)part * p.b.part;
    for (uint k = 0; k < p.depth; ++k) {
      float8 x = vload8(0, column), y = vload8(1, column);
      column += p.b.row;
      EACH_ROW(ADD)
    }
    EACH_ROW(NEXT)
  }
  if (first == j0 && stores_vectors(&p)) {
    EACH_ROW(STORE)
  } else {
    EACH_ROW(STORE_EACH)
  }
}

/// {x01, x23, y01, y23, x45, x67, y45, y67}, where x01 = x0 + x1.
static float8 add_pairs(float8 x, float8 y) {
  return (float8)(x.s0, x.s2, y.s0, y.s2, x.s4, x.s6, y.s4, y.s6) +
         (float8)(x.s1, x.s3, y.s1, y.s3, x.s5, x.s7, y.s5, y.s7);
}
/// For each of four vectors the sums of its halves: those of all first halves, then the others.
static float8 add_fours(float8 x, float8 y, float8 z, float8 w) {
  return add_pairs(add_pairs(x, y), add_pairs(z, w));
}

#define EACH_COLUMN(DO) DO(0) DO(1) DO(2) DO(3)

/// For a and b both of which lie side by side along what is summed over: 2 rows and 4 columns. The
/// edge is as above.
kernel void product_deep(global float* c, global const float* a, global const float* b,
                         global const float* d, Product p) {
  TO_PAIRS;
  uint i = get_global_id(1) * 2, j0 = get_global_id(0) * 4;
  if (i >= p.rows || j0 >= p.columns) return;
  bool two = i + 1 < p.rows;
  global const float* upper = a + (long)i * p.a.row;
  global const float* lower = two ? upper + p.a.row : upper;
#define BEGIN(q)                \
  float8 up##q = 0, low##q = 0; \
  global const float* column##q = b + (long)min(j0 + q, p.columns - 1) * p.b.column;
#define ADD_EIGHT(q)                     \
  {                                      \
    float8 z = vload8(0, column##q + k); \
    up##q = fma(x, z, up##q);            \
    low##q = fma(y, z, low##q);          \
  }
#define NEXT_PART(q) column##q += p.b.part;
  EACH_COLUMN(BEGIN)
  float4 up_rest = 0, low_rest = 0;
  for (uint part = 0; part < p.parts; ++part) {
    uint k = 0;
    for (; k + 8 <= p.depth; k += 8) {
      float8 x = vload8(0, upper + k), y = vload8(0, lower + k);
      EACH_COLUMN(ADD_EIGHT)
    }
    for (; k < p.depth; ++k) {
      float4 z = (float4)(column0[k], column1[k], column2[k], column3[k]);
      up_rest = fma(upper[k], z, up_rest);
      low_rest = fma(lower[k], z, low_rest);
    }
    upper += p.a.part;
    lower += p.a.part;
    EACH_COLUMN(NEXT_PART)
  }
  float8 upper_sums = add_fours(up0, up1, up2, up3), lower_sums = add_fours(low0, low1, low2, low3);
  float4 up = upper_sums.lo + upper_sums.hi + up_rest;
  float4 low = lower_sums.lo + lower_sums.hi + low_rest;
  if (j0 + 4 <= p.columns && stores_vectors(&p)) {
    store4(c, d, &p, i, j0, up);
    if (two) store4(c, d, &p, i + 1, j0, low);
    return;
  }
  float values[8];
  vstore4(up, 0, values);
  vstore4(low, 1, values);
  for (uint j = j0; j < min(j0 + 4, p.columns); ++j) {
    store(c, d, &p, i, j, values[j - j0]);
    if (two) store(c, d, &p, i + 1, j, values[4 + j - j0]);
  }
}

/// For any layout.
kernel void product_any(global float* c, global const float* a, global const float* b,
                        global const float* d, Product p) {
  TO_PAIRS;
  uint i = get_global_id(1), j = get_global_id(0);
  if (i >= p.rows || j >= p.columns) return;
  float sum = 0;
  for (uint part = 0; part < p.parts; ++part)
    for (uint k = 0; k < p.depth; ++k)
      sum += a[(long)part * p.a.part + (long)i * p.a.row + (long)k * p.a.column] *
             b[(long)part * p.b.part + (long)k * p.b.row + (long)j * p.b.column];
  store(c, d, &p, i, j, sum);
}
