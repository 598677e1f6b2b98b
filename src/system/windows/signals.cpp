#include "system/signals.h"

#include "system/windows/wide.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace previct::system {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a handler can access nothing else
void (*fault_handler)(Fault) = nullptr;
void (*ending_handler)(bool) = nullptr;
void (*time_handler)() = nullptr;
std::atomic<int> pipes_ignored = 0;
HANDLE timer = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

auto WINAPI on_exception(EXCEPTION_POINTERS* thrown) -> LONG {
  switch (thrown->ExceptionRecord->ExceptionCode) {
    case EXCEPTION_ACCESS_VIOLATION:
    case EXCEPTION_IN_PAGE_ERROR:
    case EXCEPTION_STACK_OVERFLOW: fault_handler(Fault::memory); break;
    case EXCEPTION_ILLEGAL_INSTRUCTION:
    case EXCEPTION_PRIV_INSTRUCTION:
    case EXCEPTION_INT_DIVIDE_BY_ZERO: fault_handler(Fault::instruction); break;
    default: break;
  }
  return EXCEPTION_CONTINUE_SEARCH;
}

// The system then ends the program, with the status that it has for Ctrl-C.
auto WINAPI on_control(DWORD /*event*/) -> BOOL {
  ending_handler(false);
  return FALSE;
}

}  // namespace

void on_broken_pipe() {
  if (pipes_ignored > 0) return;
  if (ending_handler != nullptr) ending_handler(true);
  constexpr UINT kAsOnLinux = 141;
  TerminateProcess(GetCurrentProcess(), kAsOnLinux);
}

void catch_faults(void (*handler)(Fault fault)) {
  fault_handler = handler;
  ULONG room = 64 * 1024;  // for the handler, after a stack overflow
  SetThreadStackGuarantee(&room);
  SetUnhandledExceptionFilter(on_exception);
  _set_abort_behavior(0, _WRITE_ABORT_MSG | _CALL_REPORTFAULT);
  std::signal(SIGABRT, [](int) { fault_handler(Fault::check); });
}

void catch_ending_signals(void (*handler)(bool broken_pipe)) {
  ending_handler = handler;
  SetConsoleCtrlHandler(on_control, TRUE);
}

void end_by_broken_pipe() {
  pipes_ignored = 0;
}

void give_up_after(std::chrono::microseconds time, void (*handler)()) {
  do_not_give_up();
  time_handler = handler;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(time);
  CreateTimerQueueTimer(
      &timer, nullptr, [](void*, BOOLEAN) { time_handler(); }, nullptr, static_cast<DWORD>(wait.count()), 0,
      WT_EXECUTEONLYONCE);
}

void do_not_give_up() {
  if (timer != nullptr) static_cast<void>(DeleteTimerQueueTimer(nullptr, timer, nullptr));
  timer = nullptr;
}

// There are no signals: a console event is handled by a thread of its own, which ends the program at once.
struct WithoutSignals::Before {};
WithoutSignals::WithoutSignals() = default;
WithoutSignals::~WithoutSignals() = default;

IgnoredPipeSignal::IgnoredPipeSignal() {
  ++pipes_ignored;
}

IgnoredPipeSignal::~IgnoredPipeSignal() {
  --pipes_ignored;
}

}  // namespace previct::system
