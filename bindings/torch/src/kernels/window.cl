// SPDX-License-Identifier: Apache-2.0
// What looks at windows of pictures [batch, channel, row, column]: unfolding for convolutions, and
// pooling.
#include "divisor.h"
#include "element.h"

#define RUN 8

typedef struct Window {
  uint batch, channels, rows;  // of the picture
  Divisor columns;
  uint out_rows;  // how many windows
  Divisor out_columns;
  Divisor runs, out_runs;  // of RUN columns, in a row
  uint high, wide;         // of a window
  Divisor row_step, column_step;
  int row_pad, column_pad, row_apart, column_apart;
} Window;

/// A work-item's place in a picture of `rows` and `columns`; the work-item is over where there is
/// none.
#define PLACE(i, x, y, rows, columns) \
  ELEMENT(i, rows* columns.value)     \
  uint y = quotient(i, columns);      \
  uint x = i - y * columns.value;

/// Where the first row and column of a window are, if it has no padding before it.
static int first_row(const Window* w, uint y) { return (int)(y * w->row_step.value) - w->row_pad; }
static int first_column(const Window* w, uint x) {
  return (int)(x * w->column_step.value) - w->column_pad;
}

/// A work-item's run of columns, from `x` to before `end` in row `y`: with one row and column for
/// eight elements there is little but them to compute.
#define RUN_OF_COLUMNS(x, end, y, rows, columns, runs) \
  ELEMENT(run, rows* runs.value)                       \
  uint y = quotient(run, runs);                        \
  uint x = (run - y * runs.value) * RUN;               \
  uint end = min(x + RUN, columns.value);

/// columns[channel, window row, window column, batch, out row, out column]: each window is a
/// column. Work-items: of a run, an image, and a row of the result.
kernel void unfold(global float* columns, global const float* picture, Window w) {
  uint image = get_global_id(1), k = get_group_id(2);
  uint dx = k % w.wide, dy = k / w.wide % w.high, channel = k / (w.wide * w.high);
  if (image >= w.batch) return;
  RUN_OF_COLUMNS(x, end, y, w.out_rows, w.out_columns, w.out_runs)
  columns += (((ulong)k * w.batch + image) * w.out_rows + y) * w.out_columns.value;
  int row = first_row(&w, y) + (int)dy * w.row_apart;
  int column = first_column(&w, x) + (int)dx * w.column_apart;
  int beyond = row >= 0 && row < (int)w.rows ? (int)w.columns.value : 0;
  picture += ((long)(image * w.channels + channel) * w.rows + row) * w.columns.value;
  for (; x < end; ++x, column += w.column_step.value)
    columns[x] = column >= 0 && column < beyond ? picture[column] : 0;
}

/// The number of the window that has the place `at` in its row or column `d`; too large if none
/// has.
static uint window_with(int at, Divisor step) {
  uint window = quotient(at, step);
  return at < 0 || window * step.value != (uint)at ? UINT_MAX : window;
}
#define EACH_WINDOW(x, y, row, column)                                                            \
  for (uint dy = 0; dy < w.high; ++dy) {                                                          \
    uint y = window_with((int)row + w.row_pad - (int)dy * w.row_apart, w.row_step);               \
    if (y >= w.out_rows) continue;                                                                \
    for (uint dx = 0; dx < w.wide; ++dx) {                                                        \
      uint x = window_with((int)column + w.column_pad - (int)dx * w.column_apart, w.column_step); \
      if (x >= w.out_columns.value) continue;
#define END_EACH_WINDOW \
  }                     \
  }

/// The sum of all that unfold() would have made of a place. Work-items: of a run, an image, and a
/// channel.
kernel void fold(global float* picture, global const float* columns, Window w) {
  uint image = get_global_id(1), channel = get_group_id(2);
  if (image >= w.batch) return;
  RUN_OF_COLUMNS(begin, end, row, w.rows, w.columns, w.runs)
  float sums[RUN];
  vstore8((float8)(0), 0, sums);
  for (uint dy = 0; dy < w.high; ++dy) {
    uint y = window_with((int)row + w.row_pad - (int)dy * w.row_apart, w.row_step);
    if (y >= w.out_rows) continue;
    for (uint dx = 0; dx < w.wide; ++dx) {
      // Window x has the column `before + x * step`.
      int before = (int)dx * w.column_apart - w.column_pad, step = w.column_step.value;
      int missing = (int)begin - before;
      int x = missing <= 0 ? 0 : quotient(missing + step - 1, w.column_step);
      ulong k = (ulong)(channel * w.high + dy) * w.wide + dx;
      global const float* line =
          columns + ((k * w.batch + image) * w.out_rows + y) * w.out_columns.value;
      for (int column = before + x * step; column < (int)end && x < (int)w.out_columns.value;
           column += step, ++x)
        sums[column - begin] += line[x];
    }
  }
  picture += ((ulong)(image * w.channels + channel) * w.rows + row) * w.columns.value;
  for (uint column = begin; column < end; ++column) picture[column] = sums[column - begin];
}

/// The largest of each window and which of the picture's places it has; the first of equals.
/// Work-items: of a place, and an image's channel.
kernel void max_pool(global float* out, global long* places, global const float* picture,
                     Window w) {
  uint image = get_global_id(1);
  if (image >= w.batch * w.channels) return;
  PLACE(i, x, y, w.out_rows, w.out_columns)
  picture += (ulong)image * w.rows * w.columns.value;
  float largest = -INFINITY;
  int best = -1;
  for (uint dy = 0; dy < w.high; ++dy) {
    int row = first_row(&w, y) + (int)dy * w.row_apart;
    if (row < 0 || row >= (int)w.rows) continue;
    for (uint dx = 0; dx < w.wide; ++dx) {
      int column = first_column(&w, x) + (int)dx * w.column_apart;
      if (column < 0 || column >= (int)w.columns.value) continue;
      int at = row * (int)w.columns.value + column;
      float value = picture[at];
      if (best < 0 || value > largest || isnan(value)) {
        largest = value;
        best = at;
      }
    }
  }
  ulong at = (ulong)image * w.out_rows * w.out_columns.value + i;
  out[at] = largest;
  places[at] = best;
}

/// Gathers, so that no two work-items write one place and sums have one order. Work-items: of a
/// place, and an image's channel.
kernel void max_pool_backward(global float* out, global const float* grad,
                              global const long* places, Window w) {
  uint image = get_global_id(1);
  if (image >= w.batch * w.channels) return;
  PLACE(i, column, row, w.rows, w.columns)
  ulong first = (ulong)image * w.out_rows * w.out_columns.value;
  float sum = 0;
  EACH_WINDOW(x, y, row, column)
  ulong at = first + y * w.out_columns.value + x;
  if (places[at] == i) sum += grad[at];
  END_EACH_WINDOW
  out[(ulong)image * w.rows * w.columns.value + i] = sum;
}
