// SPDX-License-Identifier: Apache-2.0
// Random programs without libFuzzer: `programs FILE...` runs the inputs of files (folders: all of
// theirs), telling each call if it is one; `programs --random SEED SECONDS` runs programs of random
// bytes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fuzz/program.h"

namespace {

constexpr size_t kLongest = 2000;  // bytes: some four hundred calls

std::set<std::string> run(const std::vector<uint8_t>& bytes, bool loud) {
  return fuzz::run_program(bytes.data(), bytes.size(), loud);
}

// `folder`: where to keep what is new; nullptr to keep nothing.
int run_random(unsigned seed, double seconds, const char* folder) {
  std::set<std::string> known;
  if (const char* longer = std::getenv("XPU_TEST_FUZZ_SECONDS")) seconds = std::atof(longer);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  unsigned programs = 0;
  for (; Clock::now() < end; programs++) {
    std::mt19937 random(seed + programs);
    std::vector<uint8_t> bytes(random() % kLongest);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const size_t before = known.size();
    known.merge(run(bytes, false));
    if (!folder || known.size() == before) continue;
    std::ofstream file(
        std::filesystem::path(folder) / ("random_" + std::to_string(seed + programs)),
        std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::printf("%zu answers\n", known.size());
  std::printf("%u programs from seed %u on\n", programs, seed);
  return 0;
}

int run_files(int count, char** paths) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < count; i++) {
    if (!std::filesystem::is_directory(paths[i])) {
      files.emplace_back(paths[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(paths[i]))
      files.push_back(entry.path());
  }
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    run(bytes, files.size() == 1);
  }
  std::printf("%zu programs\n", files.size());
  return files.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--random") == 0)
    return run_random(static_cast<unsigned>(std::atoi(argv[2])), std::atof(argv[3]), nullptr);
  if (argc == 5 && std::strcmp(argv[1], "--collect") == 0)
    return run_random(static_cast<unsigned>(std::atoi(argv[3])), std::atof(argv[4]), argv[2]);
  return run_files(argc - 1, argv + 1);
}
