// SPDX-License-Identifier: Apache-2.0
// Does something as often as it has driver calls, each time with another one failing, and counts
// what came of it. A Work has a `sketch` of a graph; clear(), which undoes what its runs did; and
// right(), whether a run did what it should.
#pragma once

#include <cstring>

#include "exec/profile.h"
#include "exec_world.h"

namespace xpu::test {

struct Faults {
  int tried = 0;
  int without_sentence = 0;
  int handles_left = 0;
  int wrong_afterwards = 0;
  int silent = 0;      // the call succeeded although a driver call failed
  int not_broken = 0;  // failed half-way, and the next launch did not say so
  int broken = 0;      // failed half-way
  int recovered = 0;   // failed before anything was submitted, and the next launch worked
};

template <class Work>
bool runs(exec::Exec& exec, runtime::Stream& stream, Work& work) {
  work.clear();
  return exec.launch(stream).ok() && stream.synchronize().ok() && work.right();
}

template <class Work>
Faults instantiate_with_faults(Work& work) {
  Faults faults;
  runtime::Stream& stream = new_stream();
  for (int n = 0; n < 10'000; n++) {
    const uint64_t handles = HandleTable::live_count();
    recorder().clear();
    recorder().fail_in = n;
    auto exec = exec::Exec::instantiate(work.sketch.graph(), device(), 0);
    recorder().fail_in = -1;
    if (recorder().failed < 0) break;  // fewer calls than that
    faults.tried++;
    if (exec.ok()) {
      faults.silent++;
    } else if (exec.status().sentence().empty() || !exec.status().native()) {
      faults.without_sentence++;
    }
    if (!exec.ok() && HandleTable::live_count() != handles) faults.handles_left++;
  }
  if (!runs(*work.sketch.instantiate(), stream, work)) faults.wrong_afterwards++;
  destroy(stream);
  return faults;
}

// What is no part of what was asked for.
inline bool gives_back(int call) {
  return call == static_cast<int>(Call::MemFree) || call == static_cast<int>(Call::EventHostReset);
}

enum class Run { launch, profile };

inline Status run_once(exec::Exec& exec, runtime::Stream& stream, Run how) {
  return how == Run::launch ? exec.launch(stream) : exec.profile(stream).take_status();
}

template <class Work>
Faults run_with_faults(Work& work, runtime::Stream& stream, Run how) {
  Faults faults;
  for (int n = 0; n < 1000; n++) {
    auto exec = work.sketch.instantiate();
    exec->keep_source(work.sketch.graph().clone());
    recorder().clear();
    recorder().fail_in = n;
    const Status status = run_once(*exec, stream, how);
    recorder().fail_in = -1;
    const int failed = recorder().failed;
    if (recorder().failed < 0) {
      if (!stream.synchronize().ok()) faults.wrong_afterwards++;
      break;
    }
    faults.tried++;
    if (status.ok() && !recorder().asked && !gives_back(failed)) faults.silent++;
    const Status again = exec->launch(stream);
    if (again.ok()) {
      faults.recovered++;
    } else {
      faults.broken++;
      if (!strstr(again.sentence().c_str(), "instantiate the graph again")) faults.not_broken++;
    }
    // The stream itself is as good as before.
    if (!stream.synchronize().ok() || !runs(*work.sketch.instantiate(), stream, work))
      faults.wrong_afterwards++;
  }
  return faults;
}

}  // namespace xpu::test
