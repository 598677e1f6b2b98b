#include "cli/interrupt.h"

#include "base/descriptor.h"
#include "base/sanitizer.h"
#include "cli/exit_codes.h"
#include "system/files.h"
#include "system/process.h"
#include "system/signals.h"
#include "system/terminal.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace previct::cli {
namespace {

constexpr std::size_t kLongestPath = 4096;

}  // namespace

// Slots are reused and never freed, so that a signal handler, which must not lock, can iterate over them.
struct UnfinishedFile::Slot {
  std::array<char, kLongestPath> path{};
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
    if (each->exists) system::remove(each->path.data());
  }
}

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler can access nothing else
std::atomic<int> status_of_answer = -1;  // negative: the answer is not printed yet

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void say(std::string_view text) {
  const std::ptrdiff_t ignored = system::write_some(kStandardError, text);
  static_cast<void>(ignored);
}

void before_end(bool broken_pipe) {
  remove_unfinished_files();
  system::kill_running_programs();  // otherwise a watch of kubectl would run until its next output
  if (broken_pipe) return;
  if (system::is_terminal(kStandardError)) say("\r\x1b[K");  // erases the progress line, and the ^C of the terminal
  say("previct: interrupted\n");
}

[[noreturn]] void end(std::string_view message, ExitCode status) {
  remove_unfinished_files();
  say(message);
  std::_Exit(status);
}

[[noreturn]] void on_memory_out() {
  if (status_of_answer >= 0) std::_Exit(status_of_answer);
  end("previct: error: out of memory\n", kNotAnswered);
}

void on_fault(system::Fault fault) {
  switch (fault) {
    case system::Fault::check: end("previct: internal error (a check failed), please report it\n", kBug);
    case system::Fault::memory:
      end("previct: internal error (memory access, or nesting too deep), please report it\n", kBug);
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
  if (PREVICT_ADDRESS_SANITIZER) return;  // it reports more about a fault
  std::set_terminate(on_terminate);
  std::set_new_handler(on_memory_out);
  system::catch_faults(on_fault);
}

void install_signal_handlers() {
  system::catch_ending_signals(before_end);
}

void answer_is_out(int status) {
  status_of_answer = status;
}

UnfinishedFile::UnfinishedFile(const std::string& path, bool for_owner_only) : slot_(Slot::free_one()) {
  constexpr std::string_view kEnding = ".tmp";
  const std::string name = path + ".XXXXXX" + std::string(kEnding);
  if (name.size() >= slot_->path.size()) {
    errno = ENAMETOOLONG;
    return;
  }
  std::memcpy(slot_->path.data(), name.c_str(), name.size() + 1);
  // Set before the file exists, so that an interrupt in between leaves no file.
  slot_->exists = true;
  descriptor_ = system::create_unique(slot_->path.data(), kEnding.size(), for_owner_only);
  if (descriptor_ < 0) slot_->exists = false;
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_->exists) system::remove(slot_->path.data());
  slot_->exists = false;
  slot_->used = false;
}

auto UnfinishedFile::name() const -> const char* {
  return slot_->path.data();
}

}  // namespace previct::cli
