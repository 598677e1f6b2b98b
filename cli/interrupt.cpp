#include "cli/interrupt.h"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <string_view>

#include <unistd.h>

namespace previct::cli {
namespace {

// What a signal handler can reach; it may call and lock nothing.
std::array<char, PATH_MAX> unfinished_path;
std::atomic<bool> unfinished = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void say(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

void on_signal(int number) {
  if (unfinished) ::unlink(unfinished_path.data());
  if (::isatty(STDERR_FILENO) == 1) say("\r\x1b[K");  // the line of progress, and the ^C of the terminal
  say("previct: interrupted\n");
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

void end_cleanly_when_interrupted() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction old {};
    // Who starts us with the signal ignored (nohup, a background job) means it.
    if (::sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_NODEFER;  // raised again from within
    ::sigaction(number, &action, nullptr);
  }
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= unfinished_path.size()) return;
  std::memcpy(unfinished_path.data(), path.c_str(), path.size() + 1);
  unfinished = true;
}

UnfinishedFile::~UnfinishedFile() {
  unfinished = false;
}

}  // namespace previct::cli
