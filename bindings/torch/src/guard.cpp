// SPDX-License-Identifier: Apache-2.0
// How PyTorch's core speaks to the backend about devices, streams and events.
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "allocator.h"
#include "device.h"
#include "event.h"
#include "recording.h"
#include "stream.h"

namespace xpugraph_torch {
namespace {

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return device_type; }
  c10::DeviceIndex deviceCount() const noexcept override { return device_count(); }

  c10::Device getDevice() const override { return device(current_device()); }
  void setDevice(c10::Device wanted) const override { set_device(wanted.index()); }
  void uncheckedSetDevice(c10::Device wanted) const noexcept override {
    try {
      set_device(wanted.index());
    } catch (const c10::Error&) {
    }
  }
  c10::Device exchangeDevice(c10::Device wanted) const override {
    c10::DeviceIndex before = current_device();
    if (wanted.index() != before) set_device(wanted.index());
    return device(before);
  }

  c10::Stream getStream(c10::Device of) const override { return current_stream(number(of)); }
  c10::Stream getDefaultStream(c10::Device of) const override { return default_stream(number(of)); }
  c10::Stream getStreamFromGlobalPool(c10::Device of, bool urgent) const override {
    return next_stream(number(of), urgent);
  }
  c10::Stream getNewStream(c10::Device of, int priority) const override {
    return next_stream(number(of), priority < 0);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    return set_current_stream(stream);
  }
  void* getStreamNativeHandle(c10::Stream stream) const override { return native(stream); }
  bool queryStream(const c10::Stream& stream) const override { return is_idle(stream); }
  void synchronizeStream(const c10::Stream& stream) const override { synchronize(stream); }
  void synchronizeDevice(c10::DeviceIndex index) const override { synchronize_device(index); }
  bool isStreamCapturing(const c10::Stream& stream) const override { return is_captured(stream); }

  void record(void** event, const c10::Stream& stream, c10::DeviceIndex,
              c10::EventFlag flag) const override {
    if (!*event) *event = new Event(stream.device_index(), flag == c10::EventFlag::BACKEND_DEFAULT);
    static_cast<Event*>(*event)->record(stream);
  }
  void block(void* event, const c10::Stream& stream) const override {
    if (event) static_cast<Event*>(event)->make_wait(stream);
  }
  bool queryEvent(void* event) const override {
    return !event || static_cast<Event*>(event)->is_over();
  }
  void synchronizeEvent(void* event) const override {
    if (event) static_cast<Event*>(event)->synchronize();
  }
  double elapsedTime(void* begin, void* end, c10::DeviceIndex) const override {
    TORCH_CHECK(begin && end, "both events must be recorded before elapsed time can be asked for");
    return static_cast<Event*>(begin)->milliseconds_until(*static_cast<Event*>(end));
  }
  void destroyEvent(void* event, c10::DeviceIndex) const noexcept override {
    delete static_cast<Event*>(event);
  }

  void recordDataPtrOnStream(const c10::DataPtr& data, const c10::Stream& stream) const override {
    DeviceMemory::instance().recordStream(data, stream);
  }

 private:
  static c10::DeviceIndex number(c10::Device of) {
    return of.has_index() ? of.index() : current_device();
  }
};

const c10::impl::DeviceGuardImplRegistrar registered(device_type, new Guard);

}  // namespace
}  // namespace xpugraph_torch
