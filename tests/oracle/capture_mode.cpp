// SPDX-License-Identifier: Apache-2.0
// The capture mode of a thread.
#include "oracle/port/conditional.h"

// --- thread's mode

CASE("cap.exchange.default_and_swap") {
  Mode m = P(StreamCaptureModeRelaxed);
  rc("push", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
  m = P(StreamCaptureModeThreadLocal);
  rc("swap", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
  m = P(StreamCaptureModeGlobal);
  rc("swap", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
  rc("swap", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
}
CASE("cap.exchange.null") {
  rc(P(ThreadExchangeStreamCaptureMode)(NULL));
  last();
}
CASES {
  for (int bad : {-1, 3, 0x7fffffff})
    add_case("cap.exchange.bad." + std::string(bad < 0    ? "minus1"
                                               : bad == 3 ? "three"
                                                          : "int_max"),
             [=] {
               Mode m = (Mode)bad;
               rc("bad", P(ThreadExchangeStreamCaptureMode)(&m));
               val("kept", (int)m == bad);
               last();
               m = P(StreamCaptureModeGlobal);
               rc("good", P(ThreadExchangeStreamCaptureMode)(&m));
               say("was=%s", mode_name((int)m));
             });
}
CASE("cap.exchange.is_per_thread") {
  Mode m = P(StreamCaptureModeRelaxed);
  OK(P(ThreadExchangeStreamCaptureMode)(&m));
  in_thread([] {
    Mode there = P(StreamCaptureModeThreadLocal);
    rc("there", P(ThreadExchangeStreamCaptureMode)(&there));
    say("was=%s", mode_name((int)there));
  });
  m = P(StreamCaptureModeGlobal);
  rc("here", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
}
CASE("cap.exchange.not_changed_by_begin") {
  Stream s = new_stream();
  begin(s, P(StreamCaptureModeThreadLocal));
  Mode m = P(StreamCaptureModeGlobal);
  rc("during", P(ThreadExchangeStreamCaptureMode)(&m));
  say("was=%s", mode_name((int)m));
  finish(s);
}
CASES {
  // The capture's mode against the calling thread's mode, for one unsafe call (an allocation).
  for (auto capture : modes)
    for (auto caller : modes)
      for (int other = 0; other < 2; other++)
        add_case(std::string("cap.exchange.malloc.capture_") + capture.name + ".caller_" +
                     caller.name + (other ? ".other_thread" : ".same_thread"),
                 [=] {
                   Stream s = new_stream();
                   begin(s, capture.mode);
                   OK(q_noop(s));
                   auto act = [&] {
                     Mode m = caller.mode;
                     OK(P(ThreadExchangeStreamCaptureMode)(&m));
                     void* p = NULL;
                     rc("malloc", P(Malloc)(&p, 256));
                     ptr_state("p", p);
                     OK(P(ThreadExchangeStreamCaptureMode)(&m));
                   };
                   if (other)
                     in_thread(act);
                   else
                     act();
                   st("st", s);
                   finish(s);
                 });
  // Two threads capture at once; the first makes an unsafe call. Whose capture is spoilt?
  for (auto mine : modes)
    for (auto theirs : modes)
      add_case(std::string("cap.spoil_two_threads.mine_") + mine.name + ".theirs_" + theirs.name,
               [=] {
                 Stream s = new_stream(), t = new_stream();
                 std::atomic<int> step{0};
                 Err their_end = P(Success);
                 begin(s, mine.mode);
                 OK(q_noop(s));
                 std::thread them([&] {
                   P(StreamBeginCapture)(t, theirs.mode);
                   q_noop(t);
                   step = 1;
                   wait_until([&] { return step == 2; });
                   Graph g = NULL;
                   their_end = P(StreamEndCapture)(t, &g);
                 });
                 wait_until([&] { return step == 1; });
                 void* p = NULL;
                 rc("malloc", P(Malloc)(&p, 256));
                 st("mine", s);
                 st("theirs", t);
                 step = 2;
                 them.join();
                 rc("their_end", their_end);
                 finish(s, "my_end");
               });
}
