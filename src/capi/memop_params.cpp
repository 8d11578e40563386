// SPDX-License-Identifier: Apache-2.0
// Reads and checks operations on values in memory.
#include "capi/memop_params.h"

#include <string>

#include "capi/copy_in.h"
#include "capi/guard.h"
#include "capi/range.h"
#include "capi/spelling.h"
#include "runtime/runtime.h"

namespace xpu::capi {
namespace {

// CUDA's limit.
constexpr unsigned int kMostOperations = 256;

using Operation = runtime::Batch::Operation;

Status unsupported(std::string why, const char* member) {
  return Status::error(xpuErrorNotSupported, std::move(why), member);
}

Result<ze::Compare> comparison(unsigned int flags) {
  switch (flags) {
    case xpuStreamWaitValueGeq:
      return ze::Compare::greater_or_equal;
    case xpuStreamWaitValueEq:
      return ze::Compare::equal;
    case xpuStreamWaitValueAnd:
    case xpuStreamWaitValueNor:
      return unsupported(
          "Level Zero's waits compare numbers, not bits; use xpuStreamWaitValueGeq "
          "or xpuStreamWaitValueEq",
          "flags");
    default:
      break;
  }
  if (flags & xpuStreamWaitValueFlush)
    return unsupported("there are no flushes of remote writes here", "flags");
  return invalid_value(
      "flags is " + std::to_string(flags) + ", which is no xpuStreamWaitValue_flags", "flags");
}

Status check_wait(runtime::Device& device, uint32_t bytes) {
  if (!device.ze().features().memory_waits)
    return unsupported(
        "the driver of device " + std::to_string(device.index()) +
            " has no zexCommandListAppendWaitOnMemory; wait for an event, or in a host function",
        "operation");
  if (bytes == sizeof(uint32_t) || device.can_wait_for_64_bits()) return {};
  return unsupported("device " + std::to_string(device.index()) +
                         " compares 32 bits and not 64; wait for a value of 32 bits",
                     "operation");
}

Status check_address(const Operation& one) {
  if (!one.at) return invalid_value("the address is NULL", "address");
  if (reinterpret_cast<uintptr_t>(one.at) % one.bytes)
    return invalid_value("the address must be a multiple of " + std::to_string(one.bytes) +
                             ", the bytes of the value",
                         "address");
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  graph::FillShape there;
  there.dst = one.at;
  there.element_size = sizeof(uint32_t);
  there.width = one.bytes / sizeof(uint32_t);
  return spelled(check_range(runtime->memory(), there), {{"dst", "address"}});
}

Result<Operation> read_one(runtime::Device& device, const xpuStreamBatchMemOpParams& given) {
  const xpuStreamMemOpValueParams& value = given.writeValue;
  Operation one;
  one.at = value.address;
  one.value = value.value64;
  switch (static_cast<int>(given.operation)) {
    case xpuStreamMemOpWaitValue64:
    case xpuStreamMemOpWriteValue64:
      one.bytes = 8;
      break;
    case xpuStreamMemOpWaitValue32:
    case xpuStreamMemOpWriteValue32:
      break;
    case xpuStreamMemOpFlushRemoteWrites:
    case xpuStreamMemOpBarrier:
      return unsupported(
          "there are no flushes and barriers here: a stream and an edge make all memory visible",
          "operation");
    default:
      return invalid_value("operation is " + std::to_string(static_cast<int>(given.operation)) +
                               ", which is no xpuStreamBatchMemOpType",
                           "operation");
  }
  if (value.alias || given.pad[4] || given.pad[5])
    return invalid_value(
        "alias and the room behind it must be 0; zero the union before filling it in", "alias");
  one.waits = graph::BatchParams::is_wait(given.operation);
  if (one.waits) {
    XPU_TRY_ASSIGN(one.compare, comparison(value.flags));
  } else if (value.flags & ~static_cast<unsigned>(xpuStreamWriteValueNoMemoryBarrier)) {
    return invalid_value("flags has bits that are no xpuStreamWriteValue_flags", "flags");
  }
  XPU_TRY(check_address(one));
  if (one.waits) XPU_TRY(check_wait(device, one.bytes));
  return one;
}

}  // namespace

Result<std::vector<xpuStreamBatchMemOpParams>> read_operations(
    const xpuStreamBatchMemOpParams* operations, unsigned int count, unsigned int flags) {
  if (count < 1 || count > kMostOperations)
    return invalid_value("count is " + std::to_string(count) + "; a batch has 1 to " +
                             std::to_string(kMostOperations) + " operations",
                         "count");
  XPU_TRY(require(operations, "paramArray"));
  if (flags) return invalid_value("flags must be 0", "flags");
  return std::vector<xpuStreamBatchMemOpParams>(operations, operations + count);
}

Result<std::shared_ptr<const runtime::External>> to_batch(
    runtime::Device& device, std::span<const xpuStreamBatchMemOpParams> operations) {
  std::vector<Operation> all;
  for (const xpuStreamBatchMemOpParams& given : operations) {
    const std::string prefix = "paramArray[" + std::to_string(all.size()) + "].";
    Result<Operation> one = read_one(device, given);
    if (!one.ok()) {
      Status status = one.take_status();
      return Status::error(status.code(), status.sentence(), prefix + status.detail()->argument,
                           status.native());
    }
    all.push_back(one.take());
  }
  return std::shared_ptr<const runtime::External>(
      std::make_shared<runtime::Batch>(device, std::move(all)));
}

Result<graph::ParamsRef> to_params(const xpuBatchMemOpNodeParams* user, const char* argument) {
  xpuBatchMemOpNodeParams known;
  XPU_TRY(copy_in(known, user, argument));
  if (known.reserved)
    return invalid_value("reserved must be 0; zero the struct before filling it in", argument);
  XPU_TRY_ASSIGN(runtime::Runtime * runtime, runtime::Runtime::get());
  const auto make = [&]() -> Result<graph::ParamsRef> {
    XPU_TRY_ASSIGN(std::vector<xpuStreamBatchMemOpParams> operations,
                   read_operations(known.paramArray, known.count, known.flags));
    XPU_TRY_ASSIGN(std::shared_ptr<const runtime::External> batch,
                   to_batch(runtime->current(), operations));
    return graph::BatchParams::make(std::move(batch), std::move(operations));
  };
  return spelled_in(make(), argument,
                    {{"count", "count"}, {"flags", "flags"}, {"paramArray", "paramArray"}});
}

xpuBatchMemOpNodeParams to_public(const graph::BatchParams& params) noexcept {
  xpuBatchMemOpNodeParams told = {};
  told.struct_size = sizeof told;
  told.count = static_cast<unsigned int>(params.operations().size());
  told.paramArray = params.operations().data();
  return told;
}

}  // namespace xpu::capi
