// SPDX-License-Identifier: Apache-2.0
// Reads the command line.
#include "options.h"

#include <getopt.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heat {
namespace {

constexpr char kUsage[] =
    "usage: heat [--picture FILE.png] [--steps N] [--tiles COLUMNSxROWS] [--out FOLDER]\n"
    "\n"
    "Solves the heat equation on a picture: bright pixels are hot, coloured pixels insulate.\n"
    "A step is captured into a graph and replayed, and compared with running it directly.\n"
    "  --picture FILE.png    the picture to start from (default: one that comes with the program)\n"
    "  --steps N             how many steps to run each way, 1 to 100000 (default 200)\n"
    "  --tiles COLUMNSxROWS  into how many tiles to cut it, 1x1 to 16x16 (default 3x2)\n"
    "  --out FOLDER          where heat.png, heat.dot and heat.svg go (default: here)\n"
    "  --kernels FILE.spv    the kernels (default: heat.spv beside the program)\n"
    "  --help                this text\n";

[[noreturn]] void refuse(const char* option, const char* value, const char* expected) {
  std::fprintf(stderr, "heat: %s %s: expected %s; --help says more\n", option, value, expected);
  std::exit(2);
}

// A whole number in [low, high] at the start of the text; `rest` is what follows it.
bool number(const char* text, uint32_t low, uint32_t high, uint32_t& value, const char*& rest) {
  auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  rest = end;
  return error == std::errc() && value >= low && value <= high;
}

}  // namespace

Options read_options(int argc, char** argv) {
  Options options;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  options.picture = here / "default.png";
  options.kernels = here / "heat.spv";

  const option known[] = {{"picture", required_argument, nullptr, 'p'},
                          {"steps", required_argument, nullptr, 's'},
                          {"tiles", required_argument, nullptr, 't'},
                          {"out", required_argument, nullptr, 'o'},
                          {"kernels", required_argument, nullptr, 'k'},
                          {"help", no_argument, nullptr, 'h'},
                          {}};
  const char* rest = "";
  for (int chosen; (chosen = getopt_long(argc, argv, "p:s:t:o:k:h", known, nullptr)) != -1;) {
    switch (chosen) {
      case 'p':
        options.picture = optarg;
        break;
      case 'k':
        options.kernels = optarg;
        break;
      case 'o':
        options.out = optarg;
        break;
      case 's':
        if (!number(optarg, 1, 100000, options.steps, rest) || *rest)
          refuse("--steps", optarg, "a number from 1 to 100000");
        break;
      case 't':
        if (!number(optarg, 1, 16, options.columns, rest) || *rest != 'x' ||
            !number(rest + 1, 1, 16, options.rows, rest) || *rest)
          refuse("--tiles", optarg, "two numbers from 1 to 16, such as 3x2");
        break;
      case 'h':
        std::fputs(kUsage, stdout);
        std::exit(0);
      default:
        std::fputs(kUsage, stderr);
        std::exit(2);
    }
  }
  if (optind < argc) refuse("argument", argv[optind], "options only");
  return options;
}

}  // namespace heat
