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
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace previct::cli {

// Slots are reused and never freed, so that a signal handler, which must not lock, can iterate over them.
struct UnfinishedFile::Slot {
  std::array<char, PATH_MAX> path{};
  std::atomic<bool> used = false;    // owned by an UnfinishedFile
  std::atomic<bool> exists = false;  // a file may exist at `path`
  Slot* next = nullptr;

  static auto first() -> std::atomic<Slot*>& {
    static constinit std::atomic<Slot*> kFirst = nullptr;
    return kFirst;
  }
  static auto free_one() -> Slot* {
    for (Slot* each = first(); each != nullptr; each = each->next) {
      if (!each->used.exchange(true)) return each;
    }
    Slot* made = new Slot;  // NOLINT(cppcoreguidelines-owning-memory)
    made->used = true;
    made->next = first();
    while (!first().compare_exchange_weak(made->next, made)) {
    }
    return made;
  }
};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void*>::is_always_lock_free);

void remove_unfinished_files() {
  for (const UnfinishedFile::Slot* each = UnfinishedFile::Slot::first(); each != nullptr; each = each->next) {
    if (each->exists) ::unlink(each->path.data());
  }
}

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler can access nothing else
std::atomic<int> status_of_answer = -1;  // negative: the answer is not printed yet

// After a stack overflow the handler needs another stack.
alignas(16) std::array<char, std::size_t{64} * 1024> other_stack;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void say(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

void on_signal(int number) {
  remove_unfinished_files();
  live::kill_running_programs();  // otherwise a watch of kubectl would run until its next output
  if (number != SIGPIPE) {
    if (::isatty(STDERR_FILENO) == 1) say("\r\x1b[K");  // erases the progress line, and the ^C of the terminal
    say("previct: interrupted\n");
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

[[noreturn]] void end(std::string_view message, ExitCode status) {
  remove_unfinished_files();
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

// Handles an exception that was thrown where none is allowed, such as by a destructor.
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

void install_fault_handlers() {
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer reports more about a fault
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

void install_signal_handlers() {
  // A file size limit becomes an error of write(), which can be reported; stderr may be such a file too.
  std::signal(SIGXFSZ, SIG_IGN);
  std::vector<int> ending = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM,
                             SIGPROF, SIGALRM, SIGIO,   SIGPWR,  SIGSYS,  SIGTRAP, SIGPIPE, SIGSTKFLT};
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) ending.push_back(number);
  for (const int number : ending) {
    struct sigaction old {};
    // A signal that was ignored at start (nohup, a background job) stays ignored.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_NODEFER;  // raised again from the handler
    ::sigaction(number, &action, nullptr);
  }
}

void answer_is_out(int status) {
  status_of_answer = status;
}

UnfinishedFile::UnfinishedFile(const std::string& path) : slot_(Slot::free_one()) {
  constexpr std::string_view kEnding = ".tmp";
  const std::string name = path + ".XXXXXX" + std::string(kEnding);
  if (name.size() >= slot_->path.size()) {
    errno = ENAMETOOLONG;
    return;
  }
  std::memcpy(slot_->path.data(), name.c_str(), name.size() + 1);
  // Set before the file exists, so that an interrupt in between leaves no file.
  slot_->exists = true;
  descriptor_ = ::mkostemps(slot_->path.data(), static_cast<int>(kEnding.size()), O_CLOEXEC);
  if (descriptor_ < 0) slot_->exists = false;
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_->exists) ::unlink(slot_->path.data());
  slot_->exists = false;
  slot_->used = false;
}

auto UnfinishedFile::name() const -> const char* {
  return slot_->path.data();
}

}  // namespace previct::cli
