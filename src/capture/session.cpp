// SPDX-License-Identifier: Apache-2.0
// Sessions: who takes part, what spoilt them, and the list of those under way.
#include "capture/session.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/log.h"

namespace xpu::capture {

template <class Ends>
void Participant::end_if(Ends ends) noexcept {
  // Dropped last: the end of what a graph holds may end streams, which leave their captures too.
  std::shared_ptr<graph::Graph> graph;
  Session* found = session();
  bool abandoned = false;
  while (found) {
    std::lock_guard lock(found->mutex);
    if (session() != found) {  // it ended, and perhaps another one began, before the lock was had
      found = session();
      continue;
    }
    if (ends(*found)) {
      found->end_recapture(false);
      graph = std::move(found->graph);
      if (!found->into_existing && graph) (void)graph->let_go();
      found->close();
      abandoned = true;
    }
    break;
  }
  if (abandoned) Registry::get().give_back(*found);
}

void Participant::leave() noexcept {
  end_if([this](Session& session) {
    if (session.origin == this) return true;
    session.spoil("xpuStreamDestroy", "a stream that took part in the capture was destroyed");
    session.detach(*this);
    return false;
  });
}

void Participant::abort() noexcept {
  end_if([](Session&) { return true; });
}

Participant& participant_of(runtime::Stream& stream) {
  std::atomic<runtime::Captured*>& slot = stream.captured();
  runtime::Captured* there = slot.load(std::memory_order_acquire);
  if (!there) {
    auto fresh = std::make_unique<Participant>(stream);
    if (slot.compare_exchange_strong(there, fresh.get(), std::memory_order_acq_rel))
      there = fresh.release();
  }
  return *static_cast<Participant*>(there);
}

namespace {

// Null if the stream was never captured.
Participant* known_participant(runtime::Stream& stream) noexcept {
  return static_cast<Participant*>(stream.captured().load(std::memory_order_acquire));
}

}  // namespace

void leave(runtime::Stream& stream) noexcept {
  if (Participant* participant = known_participant(stream)) participant->leave();
}

void abort(runtime::Stream& stream) noexcept {
  if (Participant* participant = known_participant(stream)) participant->abort();
}

bool Session::attach(Participant& participant) {
  participants.reserve(participants.size() + 1);
  Session* none = nullptr;
  if (!participant.session_.compare_exchange_strong(none, this, std::memory_order_acq_rel))
    return false;
  participants.push_back(&participant);
  participant.tip = nullptr;
  participant.frontier.clear();
  if (participant.stream().blocking()) Registry::get().add_blocking(1);
  return true;
}

void Session::detach(Participant& participant) noexcept {
  participants.erase(std::find(participants.begin(), participants.end(), &participant));
  if (participant.stream().blocking()) Registry::get().add_blocking(-1);
  participant.session_.store(nullptr, std::memory_order_release);
}

void Session::close() noexcept {
  while (!participants.empty()) detach(*participants.back());
  id = 0;
  origin = nullptr;
  if (memory) memory->abandon();  // of no effect if the capture has succeeded
  memory.reset();
  into_existing = false;
  if (recapture) Registry::get().add_recapture(-1);
  recapture.reset();
  graph.reset();
  spoiled = {};
}

void Session::spoil(const char* call, const std::string& sentence) noexcept {
  if (!ok()) return;
  spoiled.call = call;
  spoiled.thread = syscall(SYS_gettid);
  try {
    spoiled.sentence = sentence;
  } catch (const std::bad_alloc&) {
  }
  XPU_LOG(info, "capture %llu is invalidated by %s: %s", static_cast<unsigned long long>(id), call,
          sentence.c_str());
}

Status Session::invalidated() const {
  return Status::error(xpuErrorStreamCaptureInvalidated,
                       std::string("the capture was invalidated by ") + spoiled.call +
                           " in thread " + std::to_string(spoiled.thread) + ": " +
                           spoiled.sentence +
                           "; end it with xpuStreamEndCapture and capture again");
}

bool Session::captures_on(const runtime::Device& device) const noexcept {
  return std::any_of(participants.begin(), participants.end(),
                     [&](const Participant* p) { return &p->stream().device() == &device; });
}

bool Session::captures_blocking_on(const runtime::Device& device) const noexcept {
  return std::any_of(participants.begin(), participants.end(), [&](const Participant* p) {
    return p->stream().blocking() && &p->stream().device() == &device;
  });
}

Registry& Registry::get() noexcept {
  // Never destroyed: streams of other threads may end after this library's static objects have.
  static Registry* const registry = new Registry;
  return *registry;
}

Session& Registry::open() {
  std::lock_guard<std::mutex> list(mutex_);
  open_.reserve(open_.size() + 1);
  pool_.reserve(open_.size() + pool_.size() + 1);  // giving back must not fail
  Session* session = nullptr;
  if (pool_.empty()) {
    session = new Session;
  } else {
    session = pool_.back();
    pool_.pop_back();
  }
  open_.push_back(session);
  under_way_.fetch_add(1, std::memory_order_acq_rel);
  return *session;
}

void Registry::give_back(Session& session) noexcept {
  std::lock_guard<std::mutex> list(mutex_);
  open_.erase(std::find(open_.begin(), open_.end(), &session));
  pool_.push_back(&session);
  under_way_.fetch_sub(1, std::memory_order_acq_rel);
}

}  // namespace xpu::capture
