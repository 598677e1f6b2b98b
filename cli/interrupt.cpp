#include "cli/interrupt.h"

#include "cli/exit_codes.h"
#include "live/process.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace previct::cli {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler reaches nothing else
// What a signal handler can reach; it may call and lock nothing.
std::array<char, PATH_MAX> unfinished_path;
std::atomic<bool> unfinished = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::atomic<int> status_of_answer = -1;  // negative: it is not out

// A stack that overflowed has no room for its own handler.
alignas(16) std::array<char, std::size_t{64} * 1024> other_stack;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void say(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

void on_signal(int number) {
  if (unfinished) ::unlink(unfinished_path.data());
  live::end_running();                                // a watch of kubectl would go on until its next word
  if (::isatty(STDERR_FILENO) == 1) say("\r\x1b[K");  // the line of progress, and the ^C of the terminal
  say("previct: interrupted\n");
  std::signal(number, SIG_DFL);
  std::raise(number);
}

[[noreturn]] void end(std::string_view message, ExitCode status) {
  if (unfinished) ::unlink(unfinished_path.data());
  say(message);
  ::_exit(status);
}

[[noreturn]] void on_memory_out() {
  if (status_of_answer >= 0) ::_exit(status_of_answer);
  end("previct: error: out of memory\n", kNotAnswered);
}

void on_fault(int number) {
  switch (number) {
    case SIGABRT: end("previct: internal error (a check failed), please report it\n", kBug);
    case SIGSEGV: end("previct: internal error (memory access, or nesting too deep), please report it\n", kBug);
    default: end("previct: internal error (the processor refused an instruction), please report it\n", kBug);
  }
}

// What was thrown where nothing may be thrown, such as by a destructor.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    on_memory_out();
  } catch (...) {
    end("previct: internal error (an exception where none may pass), please report it\n", kBug);
  }
  end("previct: internal error (terminated), please report it\n", kBug);
}

}  // namespace

void end_cleanly_when_broken() {
#ifndef __SANITIZE_ADDRESS__  // which tells more of a fault
  std::set_terminate(on_terminate);
  std::set_new_handler(on_memory_out);
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
#endif
}

void end_cleanly_when_interrupted() {
  // A file that may not grow is an error of the write, which can be told; stderr may be such a file, too.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    // Who starts us with the signal ignored (nohup, a background job) means it.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_NODEFER;  // raised again from within
    ::sigaction(number, &action, nullptr);
  }
}

void answer_is_out(int status) {
  status_of_answer = status;
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  constexpr std::string_view kEnding = ".tmp";
  const std::string name = path + ".XXXXXX" + std::string(kEnding);
  if (name.size() >= unfinished_path.size()) {
    errno = ENAMETOOLONG;
    return;
  }
  std::memcpy(unfinished_path.data(), name.c_str(), name.size() + 1);
  // Said before there is a file: whoever is interrupted in between leaves none.
  unfinished = true;
  descriptor_ = ::mkostemps(unfinished_path.data(), static_cast<int>(kEnding.size()), O_CLOEXEC);
  if (descriptor_ < 0) unfinished = false;
}

UnfinishedFile::~UnfinishedFile() {
  if (unfinished) ::unlink(unfinished_path.data());
  unfinished = false;
}

auto UnfinishedFile::name() -> const char* {
  return unfinished_path.data();
}

}  // namespace previct::cli
