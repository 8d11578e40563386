// SPDX-License-Identifier: Apache-2.0
// Convolutions of pictures, as products of matrices with unfolded windows, and maximum pooling.
#include <ATen/ops/empty.h>
#include <ATen/ops/sum.h>

#include "../fallback.h"
#include "../kernel.h"
#include "../kernels/divisor.h"
#include "../operators.h"
#include "matrix.h"

namespace xpugraph_torch {
namespace {

using at::Tensor;
using c10::IntArrayRef;

/// As kernels/window.cl has it.
struct Window {
  uint32_t batch, channels, rows;
  Divisor columns;
  uint32_t out_rows;
  Divisor out_columns, runs, out_runs;
  uint32_t high, wide;
  Divisor row_step, column_step;
  int row_pad, column_pad, row_apart, column_apart;

  static constexpr int64_t run = 8;
  int64_t all_runs() const { return int64_t(rows) * runs.value; }
  int64_t all_out_runs() const { return int64_t(out_rows) * out_runs.value; }
  int64_t places() const { return int64_t(rows) * columns.value; }
  int64_t out_places() const { return int64_t(out_rows) * out_columns.value; }
};

int at_or_last(IntArrayRef values, size_t i) {
  return static_cast<int>(values[std::min(i, values.size() - 1)]);
}

Window window_of(const Tensor& input, const Tensor& output, IntArrayRef size, IntArrayRef step,
                 IntArrayRef pad, IntArrayRef apart) {
  auto number = [](int64_t value) { return static_cast<uint32_t>(value); };
  return {number(input.dim() > 3 ? input.size(-4) : 1),
          number(input.size(-3)),
          number(input.size(-2)),
          divisor(number(input.size(-1))),
          number(output.size(-2)),
          divisor(number(output.size(-1))),
          divisor(groups_for(input.size(-1), Window::run)),
          divisor(groups_for(output.size(-1), Window::run)),
          static_cast<uint32_t>(at_or_last(size, 0)),
          static_cast<uint32_t>(at_or_last(size, 1)),
          divisor(number(at_or_last(step, 0))),
          divisor(number(at_or_last(step, 1))),
          at_or_last(pad, 0),
          at_or_last(pad, 1),
          at_or_last(apart, 0),
          at_or_last(apart, 1)};
}

/// With a work-item for each of `places` of `images` pictures, and that `times`.
template <typename... Arguments>
void launch_places(const Kernel& kernel, int64_t places, int64_t images, int64_t times,
                   Arguments... arguments) {
  launch(kernel.get(), {groups_for(places, 8), groups_for(images, 8), static_cast<uint32_t>(times)},
         {8, 8, 1}, arguments...);
}

/// A convolution that kernels take: its pictures unfolded to [groups, channels * window, batch *
/// places].
struct Convolution {
  Window window;
  int64_t batch, groups, channels, outputs, depth, places;  // channels and outputs of a group

  Convolution(const Tensor& input, const Tensor& weight, const Tensor& output, IntArrayRef step,
              IntArrayRef pad, IntArrayRef apart, int64_t groups)
      : window(window_of(input, output, weight.sizes().slice(2), step, pad, apart)),
        batch(input.size(0)),
        groups(groups),
        channels(input.size(1) / groups),
        outputs(weight.size(0) / groups),
        depth(channels * weight.size(2) * weight.size(3)),
        places(output.size(2) * output.size(3)) {}

  Tensor columns(const at::TensorOptions& options) const {
    return at::empty({groups, depth, batch, places}, options);
  }
  Tensor unfolded(const Tensor& input) const {
    static const Kernel kernel("window", "unfold");
    Tensor from = input.contiguous(), columns = this->columns(input.options());
    launch_places(kernel, window.all_out_runs(), batch, groups * depth, address(columns),
                  address(from), window);
    return columns;
  }
  /// [groups, depth, batch, places] as pairs of batch and group.
  static Tensor by_batch(const Tensor& columns) { return columns.permute({2, 0, 1, 3}); }
  Tensor grouped(const Tensor& weight) const {
    return weight.contiguous().view({groups, outputs, depth});
  }
  Tensor paired(const Tensor& output) const {
    return output.view({batch, groups, outputs, places});
  }
};

bool is_covered(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                bool transposed, IntArrayRef output) {
  int64_t places = output.size() == 4 ? output[2] * output[3] : 0;
  return !transposed && input.dim() == 4 && weight.dim() == 4 && all_float(input, weight, bias) &&
         input.numel() > 0 && places > 0 && input.device() == weight.device() &&
         input.size(0) * places * weight.numel() / weight.size(0) <= most_elements / 16;
}

std::vector<int64_t> output_sizes(const Tensor& input, const Tensor& weight, IntArrayRef step,
                                  IntArrayRef pad, IntArrayRef apart) {
  std::vector<int64_t> sizes = {input.size(0), weight.size(0)};
  for (int64_t d = 2; d < input.dim(); ++d) {
    auto i = static_cast<size_t>(d - 2);
    int64_t window = at_or_last(apart, i) * (weight.size(d) - 1) + 1;
    sizes.push_back((input.size(d) + 2 * at_or_last(pad, i) - window) / at_or_last(step, i) + 1);
  }
  return sizes;
}

Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                   IntArrayRef step, IntArrayRef pad, IntArrayRef apart, bool transposed,
                   IntArrayRef output_pad, int64_t groups) {
  std::vector<int64_t> sizes;
  if (input.dim() == 4 && weight.dim() == 4) sizes = output_sizes(input, weight, step, pad, apart);
  if (!is_covered(input, weight, bias, transposed, sizes))
    return run_on_host("aten::convolution", "",
                       {input, weight, bias, step, pad, apart, transposed, output_pad, groups})
        .back()
        .toTensor();
  OnDevice there(input.device().index());
  Tensor out = at::empty(sizes, input.options());
  Convolution convolution(input, weight, out, step, pad, apart, groups);
  Tensor columns = convolution.unfolded(input), pairs = convolution.paired(out);
  bool has_bias = bias && bias->defined();
  Tensor added =
      has_bias ? bias->view({1, groups, convolution.outputs, 1}).expand(pairs.sizes()) : pairs;
  multiply(pairs, convolution.grouped(weight), Convolution::by_batch(columns), added, 1, has_bias);
  return out;
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad, const Tensor& input,
                                                        const Tensor& weight, IntArrayRef step,
                                                        IntArrayRef pad, IntArrayRef apart,
                                                        bool transposed, IntArrayRef output_pad,
                                                        int64_t groups,
                                                        std::array<bool, 3> wanted) {
  if (!is_covered(input, weight, grad, transposed, grad.sizes())) {
    c10::List<int64_t> bias_sizes({transposed ? weight.size(1) * groups : weight.size(0)});
    torch::jit::Stack results =
        run_on_host("aten::convolution_backward", "",
                    {grad, input, weight, bias_sizes, step, pad, apart, transposed, output_pad,
                     groups, c10::List<bool>({wanted[0], wanted[1], wanted[2]})});
    return {results[0].toTensor(), results[1].toTensor(), results[2].toTensor()};
  }
  static const Kernel fold("window", "fold");
  OnDevice there(input.device().index());
  Convolution convolution(input, weight, grad, step, pad, apart, groups);
  Tensor to = grad.contiguous(), input_grad, weight_grad, bias_grad;
  if (wanted[0]) {
    Tensor columns = convolution.columns(input.options()), pairs = Convolution::by_batch(columns);
    multiply(pairs, convolution.grouped(weight).transpose(1, 2), convolution.paired(to), pairs, 1,
             0);
    input_grad = at::empty(input.sizes(), input.options());
    launch_places(fold, convolution.window.all_runs(), convolution.batch, input.size(1),
                  address(input_grad), address(columns), convolution.window);
  }
  if (wanted[1]) {
    Tensor columns = Convolution::by_batch(convolution.unfolded(input));
    weight_grad = at::empty(weight.sizes(), weight.options());
    multiply_and_sum(convolution.grouped(weight_grad), convolution.paired(to),
                     columns.transpose(2, 3));
  }
  if (wanted[2]) bias_grad = to.sum({0, 2, 3});
  return {input_grad, weight_grad, bias_grad};
}

bool is_pool_covered(const Tensor& input, const Tensor& out, const Tensor& places) {
  return all_float(input, out) && is_plain(places, at::kLong) && out.dim() >= 3 &&
         out.numel() > 0 && out.dim() == input.dim() && out.sizes() == places.sizes() &&
         out.is_contiguous() && places.is_contiguous();
}

std::tuple<Tensor&, Tensor&> max_pool(const Tensor& self, IntArrayRef size, IntArrayRef step,
                                      IntArrayRef pad, IntArrayRef apart, bool ceil, Tensor& out,
                                      Tensor& places) {
  static const Kernel kernel("window", "max_pool");
  if (is_pool_covered(self, out, places)) {
    OnDevice there(self.device().index());
    Tensor from = self.contiguous();
    Window window = window_of(self, out, size, step.empty() ? size : step, pad, apart);
    launch_places(kernel, window.out_places(), int64_t(window.batch) * window.channels, 1,
                  address(out), address(places), address(from), window);
  } else {
    run_on_host("aten::max_pool2d_with_indices", "out",
                {self, size, step, pad, apart, ceil, out, places});
  }
  return {out, places};
}

Tensor& max_pool_backward(const Tensor& grad, const Tensor& self, IntArrayRef size,
                          IntArrayRef step, IntArrayRef pad, IntArrayRef apart, bool ceil,
                          const Tensor& places, Tensor& out) {
  static const Kernel kernel("window", "max_pool_backward");
  Tensor to = grad.contiguous(), chosen = places.contiguous();
  if (is_pool_covered(self, to, chosen) && all_float(out) && out.sizes() == self.sizes() &&
      out.is_contiguous()) {
    OnDevice there(self.device().index());
    Window window = window_of(self, to, size, step.empty() ? size : step, pad, apart);
    launch_places(kernel, window.places(), int64_t(window.batch) * window.channels, 1, address(out),
                  address(to), address(chosen), window);
  } else {
    run_on_host("aten::max_pool2d_with_indices_backward", "grad_input",
                {grad, self, size, step, pad, apart, ceil, places, out});
  }
  return out;
}

XPUGRAPH_OPERATORS(m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("convolution_backward_overrideable", convolution_backward);
  m.impl("max_pool2d_with_indices.out", max_pool);
  m.impl("max_pool2d_with_indices_backward.grad_input", max_pool_backward);
}

}  // namespace
}  // namespace xpugraph_torch
