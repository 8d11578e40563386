// SPDX-License-Identifier: Apache-2.0
// Parameters of nodes: immutable versions, counted, so that clones and executables share them for a
// pointer each and setting parameters is the exchange of one pointer.
#pragma once

#include <xpugraph/xpugraph.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/callback.h"
#include "base/serial.h"
#include "base/signature.h"
#include "base/slab.h"
#include "base/status.h"
#include "graph/kind.h"
#include "graph/launch_attributes.h"

namespace xpu::graph {

class Graph;

// Base of every kind's parameters. The count is inside: a kernel node is then one allocation for
// parameters, arguments and count, and a node holds one pointer.
class NodeParams {
 public:
  NodeParams(const NodeParams&) = delete;
  NodeParams& operator=(const NodeParams&) = delete;

  NodeKind kind() const noexcept { return kind_; }
  // When: a serial number, 0 unless XPUGRAPH_CHECK asks for them.
  uint64_t made() const noexcept { return made_; }

 protected:
  explicit NodeParams(NodeKind kind) noexcept : kind_(kind) {}
  virtual ~NodeParams() = default;

 private:
  friend class ParamsRef;
  mutable std::atomic<uint32_t> uses_{1};
  const NodeKind kind_;
  const uint64_t made_ = take_serial();
};

// A counted pointer to one version of a node's parameters. Copies may live in any thread.
class ParamsRef {
 public:
  ParamsRef() noexcept = default;
  // Takes over the count that a fresh object starts with.
  static ParamsRef adopt(const NodeParams* made) noexcept {
    ParamsRef ref;
    ref.at_ = made;
    return ref;
  }
  ParamsRef(const ParamsRef& other) noexcept : at_(other.at_) {
    if (at_) at_->uses_.fetch_add(1, std::memory_order_relaxed);
  }
  ParamsRef(ParamsRef&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  ParamsRef& operator=(ParamsRef other) noexcept {
    std::swap(at_, other.at_);
    return *this;
  }
  ~ParamsRef() {
    if (at_ && at_->uses_.fetch_sub(1, std::memory_order_acq_rel) == 1) [[unlikely]]
      end(at_);
  }

  explicit operator bool() const noexcept { return at_ != nullptr; }
  const NodeParams& operator*() const noexcept { return *at_; }
  const NodeParams* operator->() const noexcept { return at_; }
  const NodeParams* get() const noexcept { return at_; }
  friend bool operator==(const ParamsRef& a, const ParamsRef& b) noexcept { return a.at_ == b.at_; }

  // The parameters as their own type, nullptr if they are of another kind:
  // `if (auto* kernel = ref.as<KernelParams>())`.
  template <class T>
  const T* as() const noexcept {
    return at_ && T::is(at_->kind()) ? static_cast<const T*>(at_) : nullptr;
  }

 private:
  // Out of line, so that letting go of what others hold is small enough to be no call.
  [[gnu::noinline]] static void end(const NodeParams* last) noexcept { delete last; }

  const NodeParams* at_ = nullptr;
};

// A kernel, its launch shape, and its arguments packed as the signature lays them out. A
// local-memory argument lies in the block as its size (a size_t).
class KernelParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::kernel; }

  // `args[i]` points to the value of parameter i, and the bytes are copied. For a local-memory
  // parameter it points to a size_t of bytes, or is NULL and `shared_mem` gives them. `args` may be
  // NULL if the kernel takes nothing.
  // `packed` says how they were given, which is all it changes.
  static Result<ParamsRef> make(std::shared_ptr<const Signature> kernel, const xpuDim3& grid,
                                const xpuDim3& block, void* const* args, size_t shared_mem,
                                bool packed = false);
  // The same launch with other attributes; null for none.
  ParamsRef with(std::shared_ptr<const LaunchAttributes> attributes) const;
  // From a block that is laid out already; it must have kernel->block_size() bytes.
  static Result<ParamsRef> make_packed(std::shared_ptr<const Signature> kernel, const xpuDim3& grid,
                                       const xpuDim3& block, std::span<const std::byte> arguments,
                                       size_t shared_mem);
  ~KernelParams() override;

  const Signature& signature() const noexcept { return *kernel_; }
  const std::shared_ptr<const Signature>& kernel() const noexcept { return kernel_; }
  const xpuDim3& grid() const noexcept { return sizes_[0]; }
  const xpuDim3& block() const noexcept { return sizes_[1]; }
  size_t shared_mem() const noexcept { return shared_mem_; }
  // Grid and work-group are those of `other`: three words, not six numbers.
  bool same_sizes(const KernelParams& other) const noexcept {
    uint64_t difference = 0;
    for (size_t at = 0; at < sizeof sizes_; at += sizeof difference) {
      uint64_t mine, theirs;
      std::memcpy(&mine, reinterpret_cast<const std::byte*>(sizes_) + at, sizeof mine);
      std::memcpy(&theirs, reinterpret_cast<const std::byte*>(other.sizes_) + at, sizeof theirs);
      difference |= mine ^ theirs;
    }
    return !difference;
  }
  // Null if none was ever set, as in nearly all nodes.
  const std::shared_ptr<const LaunchAttributes>& attributes() const noexcept { return attributes_; }
  bool cooperative() const noexcept { return attributes_ && attributes_->cooperative(); }
  int priority() const noexcept { return attributes_ ? attributes_->priority() : 0; }

  // All arguments, packed.
  std::span<const std::byte> arguments() const noexcept {
    return {reinterpret_cast<const std::byte*>(this + 1), kernel_->block_size()};
  }
  // Where argument `index` lies in this object.
  const std::byte* argument(size_t index) const noexcept {
    return arguments().data() + kernel_->parameters()[index].offset;
  }
  // The arguments in the caller's form, an array of pointers to values, owned by this object. Made
  // at the first call, from any thread. The pointers are non-const because the public struct's are.
  void** argument_pointers() const;
  // In the form of `extra`, if that is how they were given: keys and values, ended by a key that is
  // NULL. Owned by this object, too.
  void** packed_arguments() const;
  bool is_packed() const noexcept { return packed_; }

  static void operator delete(void* at) noexcept { slab_free(at); }

 private:
  KernelParams(std::shared_ptr<const Signature>&& kernel, const xpuDim3& grid, const xpuDim3& block,
               size_t shared_mem) noexcept
      : NodeParams(NodeKind::kernel),
        kernel_(std::move(kernel)),
        sizes_{grid, block},
        shared_mem_(shared_mem) {}
  // With `bytes` of room for arguments behind the object.
  static void* operator new(size_t size, size_t bytes) { return slab_allocate(size + bytes); }
  static void operator delete(void* at, size_t) noexcept { slab_free(at); }
  static KernelParams* allocate(std::shared_ptr<const Signature>&& kernel, const xpuDim3& grid,
                                const xpuDim3& block, size_t shared_mem) {
    const size_t bytes = kernel->block_size();
    return new (bytes) KernelParams(std::move(kernel), grid, block, shared_mem);
  }
  std::byte* room() noexcept { return reinterpret_cast<std::byte*>(this + 1); }

  void** keep_pointers(std::unique_ptr<void*[]> made) const;

  std::shared_ptr<const Signature> kernel_;
  std::shared_ptr<const LaunchAttributes> attributes_;
  mutable std::atomic<void**> pointers_{nullptr};  // of one form or the other
  xpuDim3 sizes_[2];                               // grid and work-group
  size_t shared_mem_;
  bool packed_ = false;
};

// A new version for a node that had `old`: attributes are the node's and stay.
ParamsRef with_attributes_of(const ParamsRef& old, ParamsRef made);

// One side of a copy: a pitched volume and where in it the copy begins. Units are bytes, except
// rows and slices where said.
struct CopySide {
  void* base = nullptr;
  size_t pitch = 0;  // bytes from one row to the next; 0 only if the copy has one row
  size_t xsize = 0;  // the caller's logical width, kept for the getter
  size_t ysize = 0;  // rows from one slice to the next; 0 only if the copy has one slice
  size_t x = 0;      // bytes
  size_t y = 0;      // rows
  size_t z = 0;      // slices
  // Address of the first byte copied.
  std::byte* first() const noexcept {
    return static_cast<std::byte*>(base) + x + pitch * (y + ysize * z);
  }
};

struct CopyShape {
  CopySide dst, src;
  size_t width = 0;   // bytes
  size_t height = 1;  // rows
  size_t depth = 1;   // slices
  xpuMemcpyKind kind = xpuMemcpyDefault;
  bool linear = false;  // given as one run of bytes (the 1-D form), for the getter and the picture
};

class CopyParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::copy; }
  // Checked by check_copy (graph/check.h).
  static Result<ParamsRef> make(const CopyShape& shape);
  static Result<ParamsRef> make_linear(void* dst, const void* src, size_t count,
                                       xpuMemcpyKind kind);

  const CopyShape& shape() const noexcept { return shape_; }
  size_t bytes() const noexcept { return shape_.width * shape_.height * shape_.depth; }

 private:
  explicit CopyParams(const CopyShape& shape) noexcept
      : NodeParams(NodeKind::copy), shape_(shape) {}
  CopyShape shape_;
};

struct FillShape {
  void* dst = nullptr;
  size_t pitch = 0;           // bytes from one row to the next; ignored for one row
  uint32_t value = 0;         // its low element_size bytes are written
  uint32_t element_size = 1;  // 1, 2 or 4 bytes
  size_t width = 0;           // elements in a row
  size_t height = 1;          // rows
};

class FillParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::fill; }
  // Checked by check_fill (graph/check.h).
  static Result<ParamsRef> make(const FillShape& shape);

  const FillShape& shape() const noexcept { return shape_; }

 private:
  explicit FillParams(const FillShape& shape) noexcept
      : NodeParams(NodeKind::fill), shape_(shape) {}
  FillShape shape_;
};

class HostParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::host; }
  static Result<ParamsRef> make(xpuHostFn_t function, void* user_data);

  xpuHostFn_t function() const noexcept { return callback_.function; }
  void* user_data() const noexcept { return callback_.data; }
  // What call_back() takes; command lists refer to it, so they must not outlive this version.
  void* callback() const noexcept { return const_cast<Callback*>(&callback_); }

 private:
  explicit HostParams(Callback callback) noexcept
      : NodeParams(NodeKind::host), callback_(callback) {}
  Callback callback_;
};

// A whole graph as one node. The graph belongs to the node: clone it before. It stays editable
// through its own handle, so a clone of the node gets a clone of the graph, not this version.
class ChildParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::child; }
  static Result<ParamsRef> make(std::shared_ptr<Graph> graph);

  const std::shared_ptr<Graph>& graph() const noexcept { return graph_; }

 private:
  explicit ChildParams(std::shared_ptr<Graph> graph) noexcept
      : NodeParams(NodeKind::child), graph_(std::move(graph)) {}
  std::shared_ptr<Graph> graph_;
};

class EmptyParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::empty; }
  // One object for all: an empty node has nothing to say.
  static ParamsRef make();

 private:
  EmptyParams() noexcept : NodeParams(NodeKind::empty) {}
};

// Event record and event wait. `event` is a runtime event, opaque here; holding it keeps it alive
// after the program has destroyed its handle. `handle` is that handle, for the getter.
class EventParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept {
    return kind == NodeKind::event_wait || kind == NodeKind::event_record;
  }
  static Result<ParamsRef> make_record(std::shared_ptr<void> event, uint64_t handle);
  static Result<ParamsRef> make_wait(std::shared_ptr<void> event, uint64_t handle);

  const std::shared_ptr<void>& event() const noexcept { return event_; }
  uint64_t handle() const noexcept { return handle_; }

 private:
  EventParams(NodeKind kind, std::shared_ptr<void> event, uint64_t handle) noexcept
      : NodeParams(kind), event_(std::move(event)), handle_(handle) {}
  std::shared_ptr<void> event_;
  uint64_t handle_;
};

// Memory that is there from this node on. `allocation` is the memory floor's, opaque here; holding
// it keeps the addresses reserved.
class AllocParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::mem_alloc; }
  // `access` are devices besides `device` that may use the memory.
  static Result<ParamsRef> make(int device, size_t size, std::vector<int> access);
  // The same with an address: what the node has once it is placed.
  ParamsRef placed(std::shared_ptr<void> allocation, void* address) const;

  int device() const noexcept { return device_; }
  size_t size() const noexcept { return size_; }
  const std::vector<int>& access() const noexcept { return access_; }
  void* address() const noexcept { return address_; }
  const std::shared_ptr<void>& allocation() const noexcept { return allocation_; }

 private:
  AllocParams(int device, size_t size, std::vector<int> access) noexcept
      : NodeParams(NodeKind::mem_alloc), device_(device), size_(size), access_(std::move(access)) {}
  int device_;
  size_t size_;
  std::vector<int> access_;
  void* address_ = nullptr;
  std::shared_ptr<void> allocation_;
};

// The end of an allocation of this graph or of another one.
class FreeParams final : public NodeParams {
 public:
  static bool is(NodeKind kind) noexcept { return kind == NodeKind::mem_free; }
  static Result<ParamsRef> make(std::shared_ptr<void> allocation, void* address);

  void* address() const noexcept { return address_; }
  const std::shared_ptr<void>& allocation() const noexcept { return allocation_; }

 private:
  FreeParams(std::shared_ptr<void> allocation, void* address) noexcept
      : NodeParams(NodeKind::mem_free), address_(address), allocation_(std::move(allocation)) {}
  void* address_;
  std::shared_ptr<void> allocation_;
};

}  // namespace xpu::graph
