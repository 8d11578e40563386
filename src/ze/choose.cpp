// SPDX-License-Identifier: Apache-2.0
// Finds a driver: through the Level Zero loader, by opening one directly, or the program's own.
//
// Functions that a driver gives by address take the driver's handles. A loader with several drivers
// may hand out wrappers instead; then such functions stay unused and the fallbacks work.
// Translating each handle of each call was rejected: events made behind the loader's back could not
// go back in.
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/dylib.h"
#include "base/log.h"
#include "ze/driver.h"

namespace xpu::ze {
namespace {

constexpr const char* kLoader = "libze_loader.so.1";
constexpr const char* kCpuDriver = "libze_xpugraph_cpu.so.1";

struct Found {
  ze_driver_handle_t driver = nullptr;
  std::vector<ze_device_handle_t> devices;
};

// What was tried and why it did not do, and whether a driver was there at all.
struct Tries {
  std::string text;
  bool any_driver = false;

  void add(const std::string& what, const std::string& why) {
    if (!text.empty()) text += "; ";
    text += what + ": " + why;
  }
};

void* find_in(void* library, const char* name) { return dlsym(library, name); }
void* find_in_dylib(void* library, const char* name) {
  return static_cast<const Dylib*>(library)->find(name);
}

std::string why_of(ze_result_t result, const char* function) {
  return failure(result, function).sentence();
}

// The devices of one driver, all of them or the GPUs.
std::vector<ze_device_handle_t> devices_of(const Table& table, ze_driver_handle_t driver,
                                           bool gpus_only) {
  uint32_t count = 0;
  if (table.DeviceGet(driver, &count, nullptr) != ZE_RESULT_SUCCESS || !count) return {};
  std::vector<ze_device_handle_t> devices(count);
  if (table.DeviceGet(driver, &count, devices.data()) != ZE_RESULT_SUCCESS) return {};
  devices.resize(count);
  std::erase_if(devices, [&](ze_device_handle_t device) {
    ze_device_properties_t properties = {};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    if (table.DeviceGetProperties(device, &properties) != ZE_RESULT_SUCCESS) return true;
    return gpus_only && properties.type != ZE_DEVICE_TYPE_GPU;
  });
  return devices;
}

ze_result_t drivers_of(const Table& table, std::vector<ze_driver_handle_t>& drivers,
                       const char*& called) {
  uint32_t count = 0;
  if (table.InitDrivers) {
    ze_init_driver_type_desc_t desc = {};
    desc.stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC;
    desc.flags = ZE_INIT_DRIVER_TYPE_FLAG_GPU;
    if (table.InitDrivers(&count, nullptr, &desc) == ZE_RESULT_SUCCESS && count) {
      drivers.resize(count);
      called = "zeInitDrivers";
      const ze_result_t result = table.InitDrivers(&count, drivers.data(), &desc);
      drivers.resize(count);
      return result;
    }
  }
  // Drivers older than zeInitDrivers refuse it.
  called = "zeInit";
  ze_result_t result = table.Init(0);
  if (result != ZE_RESULT_SUCCESS) return result;
  called = "zeDriverGet";
  count = 0;
  result = table.DriverGet(&count, nullptr);
  drivers.resize(result == ZE_RESULT_SUCCESS ? count : 0);
  if (!drivers.empty()) result = table.DriverGet(&count, drivers.data());
  return result;
}

// `address` is the loader's zelLoaderTranslateHandle, or NULL.
bool handles_are_wrapped(void* address, ze_driver_handle_t driver, size_t drivers) {
  using Translate = ze_result_t(ZE_APICALL*)(int type, void* in, void** out);
  constexpr int kDriverHandle = 0;  // ZEL_HANDLE_DRIVER
  auto translate = reinterpret_cast<Translate>(address);
  void* inner = nullptr;
  if (!translate || translate(kDriverHandle, driver, &inner) != ZE_RESULT_SUCCESS)
    return drivers > 1;
  return inner != driver;
}

std::string render_nodes() {
  DIR* folder = opendir("/dev/dri");
  if (!folder) return "there is no /dev/dri, so the kernel has no GPU for this process";
  int there = 0, usable = 0;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.rfind("renderD", 0) != 0) continue;
    there++;
    if (!access(("/dev/dri/" + name).c_str(), R_OK | W_OK)) usable++;
  }
  closedir(folder);
  if (!there) return "/dev/dri has no render node";
  if (!usable) return "this user may not open the render nodes in /dev/dri (group render?)";
  return "/dev/dri has a usable render node: is the GPU's Level Zero driver installed?";
}

Result<std::unique_ptr<Driver>> through_loader(bool gpus_only, Tries& tries) {
  const std::string what = kLoader;
  auto opened = Dylib::open(kLoader);
  Status bad = Status::error(xpuErrorNoDevice, "no device");
  if (!opened.ok()) {
    tries.add(what, opened.status().sentence());
    return bad;
  }
  Dylib library = opened.take();
  const Symbols symbols{find_in_dylib, &library};
  auto table = table_of_loader(symbols);
  if (!table.ok()) {
    tries.add(what, table.status().sentence());
    return bad;
  }
  void* translate = symbols("zelLoaderTranslateHandle");
  library.keep_forever();  // drivers that it starts have threads
  std::vector<ze_driver_handle_t> drivers;
  const char* called = "";
  const ze_result_t result = drivers_of(table.value(), drivers, called);
  if (result != ZE_RESULT_SUCCESS || drivers.empty()) {
    tries.add(what, result != ZE_RESULT_SUCCESS ? why_of(result, called) : "it found no driver");
    return bad;
  }
  tries.any_driver = true;
  for (ze_driver_handle_t driver : drivers) {
    auto devices = devices_of(table.value(), driver, gpus_only);
    if (devices.empty()) continue;
    if (handles_are_wrapped(translate, driver, drivers.size())) {
      XPU_LOG(info, "the loader wraps handles: functions newer than it stay unused");
      table.value().DriverGetExtensionFunctionAddress = nullptr;
    }
    add_extension_functions(table.value(), driver);
    return Driver::over(table.value(), driver, std::move(devices), nullptr,
                        what + ", the Level Zero loader");
  }
  tries.add(what,
            gpus_only ? "no driver has a GPU (" + render_nodes() + ")" : "no driver has a device");
  return bad;
}

Result<std::unique_ptr<Driver>> direct(const std::string& path, bool gpus_only, Tries& tries) {
  Status bad = Status::error(xpuErrorNoDevice, "no device");
  auto opened = Dylib::open(path);
  if (!opened.ok()) {
    tries.add(path, opened.status().sentence());
    return bad;
  }
  Dylib library = opened.take();
  auto table = table_of_driver({find_in_dylib, &library});
  if (!table.ok()) {
    tries.add(path, table.status().sentence());
    return bad;
  }
  library.keep_forever();  // it may start threads now
  const Table& calls = table.value();
  ze_result_t result = calls.Init(0);
  const char* called = "zeInit";
  uint32_t count = 0;
  if (result == ZE_RESULT_SUCCESS)
    result = calls.DriverGet(&count, nullptr), called = "zeDriverGet";
  std::vector<ze_driver_handle_t> drivers(result == ZE_RESULT_SUCCESS ? count : 0);
  if (!drivers.empty()) result = calls.DriverGet(&count, drivers.data());
  if (result != ZE_RESULT_SUCCESS || drivers.empty()) {
    tries.add(path,
              result != ZE_RESULT_SUCCESS ? why_of(result, called) : "it has no driver object");
    return bad;
  }
  tries.any_driver = true;
  for (ze_driver_handle_t driver : drivers) {
    auto devices = devices_of(calls, driver, gpus_only);
    if (devices.empty()) continue;
    add_extension_functions(table.value(), driver);
    return Driver::over(table.value(), driver, std::move(devices), nullptr,
                        path + ", opened directly");
  }
  tries.add(path, "it has no device");
  return bad;
}

// Beside this library; in the folder next to its folder, where a build tree has it; by soname.
std::vector<std::string> cpu_driver_places() {
  std::vector<std::string> places;
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&cpu_driver_places), &here) && here.dli_fname) {
    const std::string self = here.dli_fname;
    const size_t slash = self.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : self.substr(0, slash);
    for (const char* way : {"/", "/../cpu/"}) {
      std::string place = folder + way + kCpuDriver;
      if (!access(place.c_str(), R_OK)) places.push_back(std::move(place));
    }
  }
  places.emplace_back(kCpuDriver);
  return places;
}

Result<std::unique_ptr<Driver>> the_cpu_driver(Tries& tries) {
  for (const std::string& place : cpu_driver_places()) {
    auto driver = direct(place, false, tries);
    if (driver.ok()) return driver;
  }
  return Status::error(xpuErrorNoDevice, "no device");
}

}  // namespace

Result<std::unique_ptr<Driver>> Driver::open(const std::string& choice) {
  Tries tries;
  Result<std::unique_ptr<Driver>> driver = Status::error(xpuErrorNoDevice, "no device");
  if (choice == "auto" || choice == "gpu") driver = through_loader(true, tries);
  // A GPU that is there but fails is not passed over silently.
  if (driver.status().code() == xpuErrorNoDevice && (choice == "auto" || choice == "cpu"))
    driver = the_cpu_driver(tries);
  if (choice == "loader") driver = through_loader(false, tries);
  if (choice.find('/') != std::string::npos) {
    driver = direct(choice, false, tries);
  } else if (choice != "auto" && choice != "gpu" && choice != "cpu" && choice != "loader") {
    return Status::error(
        xpuErrorInitializationError,
        "XPUGRAPH_DRIVER=" + choice +
            " is not one of auto, gpu, cpu, loader, or the path of a driver (with a "
            "slash in it)");
  }
  if (driver.ok()) {
    XPU_LOG(info, "driver: %s, %zu device(s)", driver.value()->how().c_str(),
            driver.value()->devices().size());
    return driver;
  }
  // A driver with a device that then failed says so itself.
  if (driver.status().code() != xpuErrorNoDevice) return driver;
  return Status::error(
      tries.any_driver ? xpuErrorNoDevice : xpuErrorInsufficientDriver,
      "no Level Zero device for XPUGRAPH_DRIVER=" + choice + ". Tried " + tries.text);
}

Result<std::unique_ptr<Driver>> Driver::adopt(const NativeDriver& native) {
  if (!native.driver || !native.context || native.devices.empty())
    return invalid_value("a driver, a context and at least one device are needed", "desc");
  const bool by_path = !native.library.empty();
  // RTLD_NOLOAD: handles can only come from a library that the program has open.
  void* library =
      dlopen(by_path ? native.library.c_str() : kLoader, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (!library && by_path)
    return invalid_value(native.library + " is not loaded, so the handles are not its own",
                         "driverPath");
  const Symbols symbols{find_in, library ? library : RTLD_DEFAULT};
  if (!library && !symbols("zeDriverGet"))
    return invalid_value(std::string("the program has no ") + kLoader +
                             " loaded; if it opened a driver directly, driverPath must name it",
                         "driverPath");
  XPU_TRY_ASSIGN(Table table, by_path ? table_of_driver(symbols) : table_of_loader(symbols));
  uint32_t count = 0;
  (void)table.DriverGet(&count, nullptr);  // only a hint; it may know only zeInit's drivers
  const auto known = devices_of(table, native.driver, false);
  for (ze_device_handle_t device : native.devices) {
    if (std::find(known.begin(), known.end(), device) == known.end())
      return invalid_value("a device is not one of the driver's", "devices");
  }
  if (!by_path && handles_are_wrapped(symbols("zelLoaderTranslateHandle"), native.driver, count))
    table.DriverGetExtensionFunctionAddress = nullptr;
  add_extension_functions(table, native.driver);
  return over(table, native.driver, native.devices, native.context,
              by_path ? native.library + ", the program's own" : "the program's own driver");
}

}  // namespace xpu::ze
