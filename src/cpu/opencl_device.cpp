// SPDX-License-Identifier: Apache-2.0
// Finds the OpenCL CPU device.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cpu/engine_opencl.h"
#include "cpu/settings.h"

namespace xpu::cpu {
namespace {

namespace fs = std::filesystem;

// PoCL writes compiled kernels to ~/.cache/pocl and does not start if it cannot, for instance in a
// container without a home: give it a folder then. Set before the runtime is loaded.
void give_pocl_a_cache() {
  if (std::getenv("POCL_CACHE_DIR")) return;
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = xdg && *xdg     ? fs::path(xdg)
                        : home && *home ? fs::path(home) / ".cache"
                                        : fs::path();
  std::error_code failed;
  if (!base.empty()) {
    fs::create_directories(base, failed);
    if (!failed && access(base.c_str(), W_OK) == 0) return;
  }
  const fs::path instead =
      fs::temp_directory_path(failed) / ("ze_cpu-pocl-" + std::to_string(getuid()));
  fs::create_directories(instead, failed);
  setenv("POCL_CACHE_DIR", instead.c_str(), 0);
}

std::string text(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string out(size, '\0');
  clGetDeviceInfo(device, what, size, out.data(), nullptr);
  return out.c_str();
}

std::string text(cl_platform_id platform, cl_platform_info what) {
  size_t size = 0;
  if (clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string out(size, '\0');
  clGetPlatformInfo(platform, what, size, out.data(), nullptr);
  return out.c_str();
}

}  // namespace

Result<OpenclDevice> find_opencl_device() {
  give_pocl_a_cache();
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
  const std::string& wanted = settings().opencl_platform;
  OpenclDevice best;
  std::string seen;
  for (const cl_platform_id platform : platforms) {
    const std::string name = text(platform, CL_PLATFORM_NAME);
    seen += (seen.empty() ? "" : ", ") + name;
    if (name.find(wanted) == std::string::npos) continue;
    cl_device_id id = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &id, nullptr) != CL_SUCCESS) continue;
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
    if (svm == 0) continue;
    OpenclDevice device;
    device.id = id;
    device.name = name + " / " + text(platform, CL_PLATFORM_VERSION) + " / " +
                  text(id, CL_DEVICE_NAME) + " / " + text(id, CL_DRIVER_VERSION);
    device.takes_spirv = text(id, CL_DEVICE_IL_VERSION).find("SPIR-V") != std::string::npos;
    if (!best.id || (device.takes_spirv && !best.takes_spirv)) best = device;
  }
  if (!best.id)
    return Status::error(xpuErrorJitCompilerNotFound,
                         "no OpenCL runtime for the CPU was found (platforms: " +
                             (seen.empty() ? std::string("none") : seen) +
                             "); install the package pocl-opencl-icd");
  return best;
}

}  // namespace xpu::cpu
