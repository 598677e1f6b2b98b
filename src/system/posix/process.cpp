#include "system/process.h"

#include "base/descriptor.h"
#include "base/files_read.h"
#include "system/beyond_posix.h"
#include "system/child_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX

namespace previct::system {
namespace {

constexpr std::chrono::milliseconds kUntilLooking{50};

// The running programs, accessible to a signal handler. There are never more than these.
constexpr std::size_t kMostRunning = 64;
std::array<std::atomic<pid_t>, kMostRunning>
    running_now{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<pid_t>::is_always_lock_free);

void replace_running(pid_t one, pid_t other) {
  for (std::atomic<pid_t>& each : running_now) {
    pid_t expected = one;
    if (each.compare_exchange_strong(expected, other)) return;
  }
}

auto wait_for(pid_t process) -> int {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  replace_running(process, 0);
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

// Runs in the child, between fork and exec: only async-signal-safe functions may be called.
[[noreturn]] void become(char* const* words, pid_t parent, const std::array<int, 3>& ends, const sigset_t& mask) {
  const auto give_up = [&] {
    const int why = errno;
    const ssize_t ignored = ::write(ends[2], &why, sizeof why);
    static_cast<void>(ignored);
    ::_exit(127);
  };
  // Our signal handlers would remove our files.
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  if (!end_program_with(parent)) give_up();
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(ends[0], STDOUT_FILENO) < 0 ||
      ::dup2(ends[1], STDERR_FILENO) < 0) {
    give_up();
  }
  if (nothing > STDERR_FILENO) ::close(nothing);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execve(words[0], words, environ);
  give_up();
  ::_exit(127);
}

auto start(const std::string& program, const std::vector<std::string>& arguments, const Pipe& out, const Pipe& errors)
    -> Result<pid_t> {
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  PREVICT_TRY(Pipe fault, open_pipe());  // closed by a successful exec
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t parent = ::getpid();
  std::unique_lock creating = creating_process();
  const pid_t process = ::fork();
  if (process == 0)
    become(pointers.data(), parent, {out.write.number(), errors.write.number(), fault.write.number()}, before);
  const int failed = process < 0 ? errno : 0;
  creating = {};
  if (process > 0) replace_running(0, process);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  fault.write.reset();
  int why = failed;
  if (process > 0 && fault.read.read({reinterpret_cast<char*>(&why), sizeof why}) > 0)
    (void)wait_for(process);  // NOLINT
  if (why != 0) return fail(fmt::format("{} cannot be run: {}", program, std::strerror(why)));
  note_read(program);
  return process;
}

// Kills a program and its descendants: kubectl may be a script, and it runs login plugins. These stay in our process
// group, so that a plugin can ask on the terminal, and are found by their parent ids. Each process is stopped before
// its children are searched: it then starts no more children and reaps none, so their process ids are not reused.
// Async-signal-safe.
// NOLINTNEXTLINE(misc-no-recursion): as deep as kDeepest
void kill_all_of(pid_t process, int depth) {
  constexpr int kDeepest = 8;
  ::kill(process, SIGSTOP);
  if (depth < kDeepest) each_child(process, kill_all_of, depth + 1);
  ::kill(process, SIGKILL);
}

auto kill_and_fail(pid_t process, std::string why) {
  kill_all_of(process, 0);
  (void)wait_for(process);
  return fail(std::move(why));
}

// Waits at most `limit` for a program to end; returns false if it has not.
auto ends_within(pid_t process, std::chrono::milliseconds limit) -> bool {
  constexpr std::chrono::milliseconds kStep{5};
  for (std::chrono::milliseconds waited{0};; waited += kStep) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
      return true;
    if (waited >= limit) return false;
    ::poll(nullptr, 0, static_cast<int>(kStep.count()));
  }
}

}  // namespace

auto read_some(const Descriptor& from, std::string& into, std::size_t most) -> std::optional<std::size_t> {
  constexpr std::size_t kChunk = 65'536;
  std::array<char, kChunk> chunk{};
  const ssize_t got = from.read(chunk);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) return {};
  into.append(chunk.data(), std::min(static_cast<std::size_t>(got), most - std::min(most, into.size())));
  return static_cast<std::size_t>(got);
}

void do_not_wait(const Descriptor& pipe) {
  ::fcntl(pipe.number(), F_SETFL, O_NONBLOCK);
}

auto wait_for_input(std::span<const int> descriptors, std::chrono::milliseconds most) -> std::vector<bool> {
  std::vector<pollfd> waiting;
  for (const int descriptor : descriptors) waiting.push_back({descriptor, POLLIN, 0});
  std::vector<bool> ready(waiting.size(), false);
  if (::poll(waiting.data(), static_cast<nfds_t>(waiting.size()), static_cast<int>(most.count())) <= 0) return ready;
  std::transform(waiting.begin(), waiting.end(), ready.begin(), [](const pollfd& each) { return each.revents != 0; });
  return ready;
}

auto Running::start(const std::string& program, const std::vector<std::string>& arguments) -> Result<Running> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(const pid_t process, system::start(program, arguments, out, errors));
  for (const Descriptor* each : {&out.read, &errors.read}) do_not_wait(*each);
  return Running(std::move(out.read), std::move(errors.read), process);
}

Running::~Running() {
  if (process_ == 0) return;
  kill_all_of(static_cast<pid_t>(process_), 0);
  (void)wait_for(static_cast<pid_t>(process_));
}

void Running::kill() {
  kill_all_of(static_cast<pid_t>(process_), 0);
}

auto Running::status() -> int {
  if (process_ == 0) return status_;
  const auto process = static_cast<pid_t>(std::exchange(process_, 0));
  if (!ends_within(process, kOutputGrace)) kill_all_of(process, 0);
  return status_ = wait_for(process);
}

void kill_running_programs() {
  for (const std::atomic<pid_t>& each : running_now) {
    if (const pid_t process = each; process != 0) kill_all_of(process, 0);
  }
}

auto run_program(const std::string& program, const std::vector<std::string>& arguments, const ProgramLimits& patience)
    -> Result<Finished> {
  PREVICT_TRY(Pipe out, open_pipe());
  PREVICT_TRY(Pipe errors, open_pipe());
  PREVICT_TRY(const pid_t process, start(program, arguments, out, errors));
  out.write.reset();
  errors.write.reset();

  Finished finished;
  finished.bytes = HeldBytes(patience.shared);
  // The end of the process can be polled like its output; else previct looks for it now and then.
  const Descriptor end = end_of(process);
  std::array<pollfd, 3> waiting = {pollfd{out.read.number(), POLLIN, 0}, pollfd{errors.read.number(), POLLIN, 0},
                                   pollfd{end.number(), POLLIN, 0}};
  bool ended = false;
  bool told = !patience.waiting;
  std::size_t said = 0;
  std::size_t errors_said = 0;
  Silence silence(patience.silence);
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    auto limit = ended ? std::min(kOutputGrace, patience.silence) : silence.left();
    if (!told && !ended)
      limit = std::min(limit, std::max(kUntilWaitingNotice - silence.since(), std::chrono::milliseconds(0)));
    const bool looks = !ended && !end;
    if (looks) limit = std::min(limit, kUntilLooking);
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && ended) {
      finished.held = true;
      break;
    }
    if (!told && silence.since() >= kUntilWaitingNotice) {
      told = true;
      patience.waiting(patience.silence);
    }
    if (waiting[2].revents != 0 || (looks && ends_within(process, {}))) {
      ended = true;
      waiting[2].fd = -1;
    }
    if (waiting[0].revents != 0) {
      // Do not keep more than the limit: one byte above a power of two would double the allocation.
      const std::size_t most = std::min(patience.most_bytes, finished.out.size() + finished.bytes.left());
      const auto got = read_some(out.read, finished.out, most);
      if (!got) waiting[0].fd = -1;
      said += got.value_or(0);
      silence.heard(got.value_or(0));
      if (!finished.bytes.take(got.value_or(0))) {
        return kill_and_fail(process, fmt::format("more than {} bytes, including other calls, so it was stopped",
                                                  patience.shared->most()));
      }
    }
    if (waiting[1].revents != 0) {
      const auto got = read_some(errors.read, finished.errors, kErrorsKept);
      if (!got) waiting[1].fd = -1;
      errors_said += got.value_or(0);
    }
    if (said > patience.most_bytes)
      return kill_and_fail(process, fmt::format("more than {} bytes, so it was stopped", patience.most_bytes));
    if (errors_said > kMostErrors)
      return kill_and_fail(process, fmt::format("more than {} bytes of errors, so it was stopped", kMostErrors));
    if (!silence.is_over()) continue;
    finished.held = ended;  // a child that it left running writes small amounts
    if (ended) break;
    return kill_and_fail(process, fmt::format("no output for {} s, so it was stopped",
                                              static_cast<double>(patience.silence.count()) / 1000.0));
  }
  if (!finished.held && !ends_within(process, patience.silence))
    return kill_and_fail(process, "it closed its output but did not end, so it was stopped");
  finished.status = wait_for(process);
  return finished;
}

}  // namespace previct::system
