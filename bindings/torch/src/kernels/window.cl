// SPDX-License-Identifier: Apache-2.0
// What looks at windows of pictures [batch, channel, row, column]: unfolding for convolutions, and
// pooling.

typedef struct Window {
  uint batch, channels, rows, columns;  // of the picture
  uint out_rows, out_columns;           // how many windows
  uint high, wide;                      // of a window
  int row_step, column_step, row_pad, column_pad, row_apart, column_apart;
} Window;

/// columns[channel, window row, window column, batch, out row, out column]: each window is a
/// column.
kernel void unfold(global float* columns, global const float* picture, uint n, Window w) {
  uint i = get_global_id(0);
  if (i >= n) return;
  uint x = i % w.out_columns, y = i / w.out_columns % w.out_rows;
  uint rest = i / (w.out_columns * w.out_rows);
  uint image = rest % w.batch;
  rest /= w.batch;
  uint dx = rest % w.wide, dy = rest / w.wide % w.high, channel = rest / (w.wide * w.high);
  int row = (int)y * w.row_step - w.row_pad + (int)dy * w.row_apart;
  int column = (int)x * w.column_step - w.column_pad + (int)dx * w.column_apart;
  bool inside = row >= 0 && row < (int)w.rows && column >= 0 && column < (int)w.columns;
  columns[i] =
      inside ? picture[((ulong)(image * w.channels + channel) * w.rows + row) * w.columns + column]
             : 0;
}

/// The sum of all that unfold() would have made of a place.
kernel void fold(global float* picture, global const float* columns, uint n, Window w) {
  uint i = get_global_id(0);
  if (i >= n) return;
  int column = i % w.columns, row = i / w.columns % w.rows;
  uint channel = i / (w.columns * w.rows) % w.channels;
  uint image = i / (w.columns * w.rows) / w.channels;
  float sum = 0;
  for (uint dy = 0; dy < w.high; ++dy) {
    int y = row + w.row_pad - (int)dy * w.row_apart;
    if (y < 0 || y % w.row_step != 0 || y / w.row_step >= (int)w.out_rows) continue;
    for (uint dx = 0; dx < w.wide; ++dx) {
      int x = column + w.column_pad - (int)dx * w.column_apart;
      if (x < 0 || x % w.column_step != 0 || x / w.column_step >= (int)w.out_columns) continue;
      ulong at = ((ulong)(channel * w.high + dy) * w.wide + dx) * w.batch + image;
      sum += columns[(at * w.out_rows + y / w.row_step) * w.out_columns + x / w.column_step];
    }
  }
  picture[i] = sum;
}

/// The largest of each window and which of the picture's places it has; the first of equals.
kernel void max_pool(global float* out, global long* places, global const float* in, uint n,
                     Window w) {
  uint i = get_global_id(0);
  if (i >= n) return;
  uint x = i % w.out_columns, y = i / w.out_columns % w.out_rows;
  global const float* picture = in + (ulong)(i / (w.out_columns * w.out_rows)) * w.rows * w.columns;
  float largest = -INFINITY;
  int best = -1;
  for (uint dy = 0; dy < w.high; ++dy) {
    int row = (int)y * w.row_step - w.row_pad + (int)dy * w.row_apart;
    if (row < 0 || row >= (int)w.rows) continue;
    for (uint dx = 0; dx < w.wide; ++dx) {
      int column = (int)x * w.column_step - w.column_pad + (int)dx * w.column_apart;
      if (column < 0 || column >= (int)w.columns) continue;
      float value = picture[row * w.columns + column];
      if (best < 0 || value > largest || isnan(value)) {
        largest = value;
        best = row * w.columns + column;
      }
    }
  }
  out[i] = largest;
  places[i] = best;
}

/// Gathers, so that no two work-items write one place and sums have one order.
kernel void max_pool_backward(global float* out, global const float* grad,
                              global const long* places, uint n, Window w) {
  uint i = get_global_id(0);
  if (i >= n) return;
  int column = i % w.columns, row = i / w.columns % w.rows;
  ulong first = (ulong)(i / (w.columns * w.rows)) * w.out_rows * w.out_columns;
  float sum = 0;
  for (uint dy = 0; dy < w.high; ++dy) {
    int y = row + w.row_pad - (int)dy * w.row_apart;
    if (y < 0 || y % w.row_step != 0 || y / w.row_step >= (int)w.out_rows) continue;
    for (uint dx = 0; dx < w.wide; ++dx) {
      int x = column + w.column_pad - (int)dx * w.column_apart;
      if (x < 0 || x % w.column_step != 0 || x / w.column_step >= (int)w.out_columns) continue;
      ulong at = first + (y / w.row_step) * w.out_columns + x / w.column_step;
      if (places[at] == row * (int)w.columns + column) sum += grad[at];
    }
  }
  out[i] = sum;
}
