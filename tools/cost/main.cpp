// SPDX-License-Identifier: Apache-2.0
// Measures what graphs cost: by hand, by the driver's own graphs and by this library, side by side.
//
// Prints a line per figure, shape and contender, with tabs between: figure, shape, nodes,
// contender, nanoseconds or bytes, the 90th percentile; or in place of the last two "-" and the
// reason why there is nothing. Per node where figures.py says so. Ends 1 if something failed that
// should not.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "contender.h"
#include "gauge.h"

namespace cost {
namespace {

struct Named {
  Figure figure;
  const char* name;
  bool per_node;
};
constexpr Named kFigures[] = {
    {Figure::capture, "capture", true},
    {Figure::instantiate, "instantiate", true},
    {Figure::launch, "launch", false},
    {Figure::update_one, "update_one", false},
    {Figure::update_one_launch, "update_one_launch", false},
    {Figure::update_all, "update_all", true},
    {Figure::update_graph, "update_graph", true},
    {Figure::update_graph_same, "update_graph_same", true},
    {Figure::destroy, "destroy", false},
    {Figure::bytes, "bytes", true},
    {Figure::run, "run", true},
};

struct Wanted {
  std::string program, spirv_path;
  std::string only;     // "3 raw": prints the bytes of shape 3 by hand and nothing else
  std::string figures;  // names with commas around each; empty: all
  int most = 10000;
  int repetitions = 0;
  bool count = false;

  bool has(const Named& figure) const {
    // Memory is not counted in instructions, and waiting is not work of the calling thread.
    if (count && (figure.figure == Figure::bytes || figure.figure == Figure::run)) return false;
    return figures.empty() ||
           figures.find("," + std::string(figure.name) + ",") != std::string::npos;
  }
};

class Match {
 public:
  Match(const Wanted& wanted, bool executes)
      : wanted_(wanted), executes_(executes), gauge_(wanted.count, wanted.repetitions) {}

  void measure(Contender& contender, const Shape& shape, size_t index) {
    index_ = index;
    std::string broken;  // a failure leaves nothing to go on with for this shape
    try {
      contender.prepare(shape);
    } catch (const std::runtime_error& error) {
      broken = error.what();
    }
    for (const Named& figure : kFigures) {
      if (!wanted_.has(figure)) continue;
      std::string reason = contender.lacks(figure.figure);
      if (figure.figure == Figure::run && !executes_) reason = "the device executes nothing";
      if (reason.empty()) reason = broken;
      if (reason.empty()) {
        try {
          print(figure, shape, contender, measure(figure, contender, shape));
          continue;
        } catch (const std::runtime_error& error) {
          reason = broken = error.what();
        }
      }
      failed_ |= !broken.empty();
      std::printf("%s\t%s\t%d\t%s\t-\t%s\n", figure.name, shape.name.c_str(), shape.size(),
                  contender.name(), reason.c_str());
    }
    std::fflush(stdout);
  }
  bool failed() const { return failed_; }

 private:
  void print(const Named& figure, const Shape& shape, const Contender& contender, Spread spread) {
    const double divisor = figure.per_node ? shape.size() : 1;
    std::printf("%s\t%s\t%d\t%s\t%.2f\t%.2f\n", figure.name, shape.name.c_str(), shape.size(),
                contender.name(), spread.median / divisor, spread.p90 / divisor);
  }

  Spread measure(const Named& figure, Contender& c, const Shape& shape) {
    const std::string title = std::string(figure.name) + " " + shape.name + " " +
                              std::to_string(shape.size()) + " " + c.name();
    const auto nothing = [] {};
    const auto build = [&] { c.capture(), c.instantiate(); };
    const auto drop = [&] { c.drop_instance(), c.drop_capture(); };
    const auto run = [&] { c.launch(), c.wait(); };
    if (figure.figure == Figure::capture)
      return gauge_.measure(
          title, nothing, [&] { c.capture(); }, [&] { c.drop_capture(); });
    if (figure.figure == Figure::destroy) return gauge_.measure(title, build, drop, nothing);
    if (figure.figure == Figure::bytes) return bytes_in_new_process(c);
    if (figure.figure == Figure::instantiate) {
      c.capture();
      const auto spread = gauge_.measure(
          title, nothing, [&] { c.instantiate(); }, [&] { c.drop_instance(); });
      c.drop_capture();
      return spread;
    }

    build();
    run();
    const auto launch = [&] { c.launch(); };
    const auto wait = [&] { c.wait(); };
    Spread spread;
    if (figure.figure == Figure::launch) spread = gauge_.measure(title, nothing, launch, wait);
    if (figure.figure == Figure::run) spread = gauge_.measure(title, nothing, run, nothing);
    bool flip = false;
    const auto update = [&](bool all) {
      c.update(all ? 0 : shape.size() / 2, all ? shape.size() : 1, flip = !flip);
    };
    switch (figure.figure) {
      case Figure::update_one:
      case Figure::update_all: {
        c.make_updatable();
        const bool all = figure.figure == Figure::update_all;
        spread = gauge_.measure(
            title, nothing, [&] { update(all); }, nothing);
        break;
      }
      case Figure::update_one_launch:
        c.make_updatable();
        spread = gauge_.measure(
            title, nothing, [&] { update(false), c.launch(); }, wait);
        break;
      case Figure::update_graph:
        c.make_updatable();
        spread = gauge_.measure(
            title, nothing, [&] { c.update_graph(flip = !flip, false), c.launch(); }, wait);
        break;
      case Figure::update_graph_same:
        c.make_updatable();
        spread = gauge_.measure(
            title, nothing, [&] { c.update_graph(false, true); }, nothing);
        break;
      default:
        break;
    }
    drop();
    return spread;
  }

  // Drivers keep what was destroyed for the next one, so memory is measured where nothing was.
  Spread bytes_in_new_process(const Contender& c) const {
    const std::string command = "'" + wanted_.program + "' --most " + std::to_string(wanted_.most) +
                                " --only '" + std::to_string(index_) + " " + c.name() + "' '" +
                                wanted_.spirv_path + "'";
    FILE* child = popen(command.c_str(), "r");
    if (!child) throw std::runtime_error("popen failed");
    double bytes = 0;
    const bool read = std::fscanf(child, "%lf", &bytes) == 1;
    if (pclose(child) != 0 || !read) throw std::runtime_error("a process of its own failed");
    return {bytes, bytes};
  }

  const Wanted& wanted_;
  bool executes_;
  Gauge gauge_;
  size_t index_ = 0;
  bool failed_ = false;
};

// Memory comes in pages and drivers take it in larger pieces, so it is the mean of as many copies
// as have 10,000 nodes, after a first one with which everything else is there.
double bytes_of(Contender& contender, const Shape& shape) {
  contender.prepare(shape);
  const int copies = std::clamp(10000 / shape.size(), 1, 100);
  double before = 0;
  for (int i = 0; i <= copies; i++) {
    contender.capture();
    contender.instantiate();
    contender.keep();
    if (i == 0) before = resident_bytes();
  }
  const double used = resident_bytes() - before;
  contender.drop_kept();
  return used / copies;
}

int usage() {
  std::fprintf(stderr,
               "usage: graph_cost [--count] [--most NODES] [--repetitions N] KERNELS.spv "
               "[FIGURE...]\nXPUGRAPH_DRIVER is gpu, loader or the path of a driver.\nfigures:");
  for (const Named& figure : kFigures) std::fprintf(stderr, " %s", figure.name);
  std::fprintf(stderr, "\n");
  return 2;
}

bool is_figure(const std::string& name) {
  return std::any_of(std::begin(kFigures), std::end(kFigures),
                     [&](const Named& figure) { return name == figure.name; });
}

bool read_arguments(int argc, char** argv, Wanted& wanted) {
  const option options[] = {{"count", no_argument, nullptr, 'c'},
                            {"most", required_argument, nullptr, 'm'},
                            {"repetitions", required_argument, nullptr, 'r'},
                            {"only", required_argument, nullptr, 'o'},
                            {}};
  for (int o; (o = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
    if (o == 'c') wanted.count = true;
    if (o == 'm') wanted.most = std::atoi(optarg);
    if (o == 'r') wanted.repetitions = std::atoi(optarg);
    if (o == 'o') wanted.only = optarg;
    if (o == '?') return false;
  }
  for (int i = optind + 1; i < argc; i++) {
    if (!is_figure(argv[i])) return false;
    wanted.figures += (wanted.figures.empty() ? "," : "") + std::string(argv[i]) + ",";
  }
  if (optind < argc) wanted.spirv_path = argv[optind];
  wanted.program = std::filesystem::read_symlink("/proc/self/exe");
  return optind < argc && wanted.most > 0;
}

int measure_all(const Wanted& wanted, const char* driver) {
  Ground ground(driver, wanted.spirv_path);
  ze_device_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  const xpu::ze::Table& ze = ground.calls();
  GOOD(ze.DeviceGetProperties(ground.device().handle(), &properties));
  // Intel's driver without a GPU takes work and does none of it.
  const bool executes = properties.type == ZE_DEVICE_TYPE_CPU;
  Match match(wanted, executes);
  std::unique_ptr<Contender> contenders[] = {make_raw(ground), make_recorded(ground),
                                             make_ours(ground)};
  const std::vector<Shape> shapes = all_shapes(wanted.most);
  for (size_t i = 0; i < shapes.size(); i++) {
    ground.need_buffers(shapes[i].buffers);
    for (auto& contender : contenders) {
      if (wanted.only.empty())
        match.measure(*contender, shapes[i], i);
      else if (wanted.only == std::to_string(i) + " " + contender->name())
        std::printf("%.1f\n", bytes_of(*contender, shapes[i]));
    }
  }
  return match.failed();
}

}  // namespace
}  // namespace cost

int main(int argc, char** argv) {
  cost::Wanted wanted;
  const char* driver = std::getenv("XPUGRAPH_DRIVER");
  if (!cost::read_arguments(argc, argv, wanted) || !driver) return cost::usage();
  try {
    return cost::measure_all(wanted, driver);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "graph_cost: %s\n", error.what());
    return 1;
  }
}
