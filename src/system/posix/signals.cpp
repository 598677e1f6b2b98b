#include "system/signals.h"

#include "system/beyond_posix.h"

#include <array>
#include <csignal>
#include <vector>

#include <sys/time.h>

namespace previct::system {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler can access nothing else
// After a stack overflow the handler needs another stack.
alignas(16) std::array<char, std::size_t{64} * 1024> other_stack;

void (*fault_handler)(Fault) = nullptr;
void (*ending_handler)(bool) = nullptr;
void (*time_handler)() = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void on_fault(int number) {
  fault_handler(number == SIGABRT ? Fault::check : number == SIGSEGV ? Fault::memory : Fault::instruction);
}

void on_ending_signal(int number) {
  ending_handler(number == SIGPIPE);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

void catch_faults(void (*handler)(Fault fault)) {
  fault_handler = handler;
  stack_t stack{};
  stack.ss_sp = other_stack.data();
  stack.ss_size = other_stack.size();
  const bool other = ::sigaltstack(&stack, nullptr) == 0;
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction action {};
    action.sa_handler = on_fault;
    action.sa_flags = other ? SA_ONSTACK : 0;
    ::sigaction(number, &action, nullptr);
  }
}

void catch_ending_signals(void (*handler)(bool broken_pipe)) {
  ending_handler = handler;
  std::signal(SIGXFSZ, SIG_IGN);  // stderr may be such a file, too
  std::vector<int> ending = {SIGHUP,    SIGINT,  SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU,
                             SIGVTALRM, SIGPROF, SIGALRM, SIGSYS,  SIGTRAP, SIGPIPE};
  const std::span<const int> more = more_ending_signals();
  ending.insert(ending.end(), more.begin(), more.end());
#if defined(SIGRTMIN)  // an option of POSIX
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) ending.push_back(number);
#endif
  for (const int number : ending) {
    struct sigaction old {};
    // A signal that was ignored at start (nohup, a background job) stays ignored.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_ending_signal;
    action.sa_flags = SA_NODEFER;  // raised again from the handler
    ::sigaction(number, &action, nullptr);
  }
}

void end_by_broken_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
}

void give_up_after(std::chrono::microseconds time, void (*handler)()) {
  time_handler = handler;
  std::signal(SIGALRM, [](int) { time_handler(); });
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const itimerval timer{
      .it_interval = {},
      .it_value = {.tv_sec = seconds.count(), .tv_usec = static_cast<suseconds_t>((time - seconds).count())}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void do_not_give_up() {
  std::signal(SIGALRM, SIG_IGN);
}

struct WithoutSignals::Before {
  sigset_t mask{};
};

WithoutSignals::WithoutSignals() : before_(std::make_unique<Before>()) {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before_->mask);
}

WithoutSignals::~WithoutSignals() {
  ::sigprocmask(SIG_SETMASK, &before_->mask, nullptr);
}

IgnoredPipeSignal::IgnoredPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}

IgnoredPipeSignal::~IgnoredPipeSignal() {
  std::signal(SIGPIPE, before_);
}

}  // namespace previct::system
