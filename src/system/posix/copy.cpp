#include "system/copy.h"

#include "system/beyond_posix.h"
#include "system/process.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace previct::system {
namespace {

// Waits until the process has ended; returns its status as waitpid() does.
auto status_of(pid_t process) -> int {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// The standard output of a background copy might lead to somebody who expects something else there.
auto leads_nowhere() -> bool {
  const int nothing = ::open("/dev/null", O_RDWR);
  return nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(nothing, STDOUT_FILENO) >= 0;
}

}  // namespace

auto makes_copies() -> bool {
  return true;
}

auto run_in_copy(const std::function<void()>& work) -> int {
  const pid_t self = ::getpid();
  const pid_t copy = ::fork();
  if (copy < 0) return -1;
  if (copy == 0) {
    if (end_copy_with(self)) work();
    ::_exit(0);
  }
  const int status = status_of(copy);
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

auto BackgroundProcess::start(const Work& work, std::uint64_t memory, Statuses statuses)
    -> Result<std::unique_ptr<BackgroundProcess>> {
  PREVICT_TRY(Pipe calls, open_pipe());
  PREVICT_TRY(Pipe replies, open_pipe());
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return fail(fmt::format("no process can be started: {}", std::strerror(errno)));
  if (process == 0) {
    ::setpgid(0, 0);
    if (!end_copy_with(parent) || !leads_nowhere() || !limit_data(memory)) ::_exit(statuses.no_memory);
    try {
      calls.write.reset();
      work.run(calls.read.number(), replies.write.number());
    } catch (const std::exception&) {
      ::_exit(statuses.bug);
    }
    ::_exit(0);
  }
  ::setpgid(process, process);
  do_not_wait(replies.read);
  return std::unique_ptr<BackgroundProcess>(
      new BackgroundProcess(process, std::move(calls.write), std::move(replies.read)));
}

BackgroundProcess::~BackgroundProcess() {
  const auto process = static_cast<pid_t>(process_);
  ::kill(-process, SIGKILL);
  static_cast<void>(status_of(process));
}

}  // namespace previct::system
