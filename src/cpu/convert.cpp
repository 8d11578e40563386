// SPDX-License-Identifier: Apache-2.0
// Runs llvm-spirv.
#include "cpu/convert.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "cpu/settings.h"

extern char** environ;

namespace xpu::cpu {
namespace {

namespace fs = std::filesystem;

// The bitcode must be one that the OpenCL runtime's LLVM reads; PoCL 3.1 in Debian 12 has LLVM 14
// and 15.
constexpr const char* kNames[] = {"llvm-spirv-15", "llvm-spirv-14", "llvm-spirv"};

std::string find_program() {
  if (!settings().llvm_spirv.empty()) return settings().llvm_spirv;
  const char* path = std::getenv("PATH");
  for (const char* name : kNames) {
    std::istringstream folders(path ? path : "/usr/bin");
    std::string folder;
    while (std::getline(folders, folder, ':')) {
      const std::string full = (folder.empty() ? "." : folder) + "/" + name;
      if (access(full.c_str(), X_OK) == 0) return full;
    }
  }
  return {};
}

// A private folder for one conversion, gone with it.
class Workplace {
 public:
  Workplace() {
    const char* base = std::getenv("TMPDIR");
    std::string pattern = std::string(base && *base ? base : "/tmp") + "/ze_cpu.XXXXXX";
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  bool ok() const { return !path_.empty(); }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

// The exit status as wait gives it, or -1 with errno set.
int run(const std::string& program, const Workplace& place) {
  const std::string in = place.file("in.spv"), out = place.file("out.bc"), said = place.file("log");
  std::string arguments[] = {program, "-r", std::string(kBuiltins), in, "-o", out};
  char* argv[7] = {};
  for (size_t i = 0; i < std::size(arguments); ++i) argv[i] = arguments[i].data();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) {
    errno = failed;
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;  // ECHILD: the program ignores SIGCHLD; the output file decides
  return status;
}

Status failed(std::string sentence) {
  return Status::error(xpuErrorInvalidKernelImage, std::move(sentence), "image");
}
// What is wrong is this machine, not the module.
Status no_compiler(std::string sentence) {
  return Status::error(xpuErrorJitCompilerNotFound, std::move(sentence));
}

}  // namespace

Result<std::vector<std::byte>> spirv_to_bitcode(const void* spirv, size_t size, std::string* log) {
  const std::string program = find_program();
  if (program.empty())
    return no_compiler(
        "the OpenCL CPU runtime does not take SPIR-V and llvm-spirv-15, which would translate it, "
        "is not in PATH; install the package llvm-spirv-15, or name it in ZE_CPU_LLVM_SPIRV");
  const Workplace place;
  if (!place.ok()) return no_compiler("no folder for temporary files: check TMPDIR");
  {
    std::ofstream in(place.file("in.spv"), std::ios::binary);
    in.write(static_cast<const char*>(spirv), static_cast<std::streamsize>(size));
    if (!in.flush()) return no_compiler("could not write a temporary file: check TMPDIR");
  }
  const int status = run(program, place);
  if (status < 0 && errno != ECHILD)
    return no_compiler("could not run " + program + ": " + std::strerror(errno));
  *log += read_text(place.file("log"));
  std::ifstream out(place.file("out.bc"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(out)), {});
  if (bytes.empty() || (status > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))) {
    const std::string how = WIFSIGNALED(status)
                                ? "died of signal " + std::to_string(WTERMSIG(status))
                                : "refused the module";
    return failed(program + " " + how);
  }
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(begin, begin + bytes.size());
}

}  // namespace xpu::cpu
